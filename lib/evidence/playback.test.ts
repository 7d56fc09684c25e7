import { expect, test } from 'vitest';
import type { CourseLine } from './course.ts';
import { Playback } from './playback.ts';

test('A call is not answered by the answer of a later attempt, even if that fits better', () => {
  const lines: readonly CourseLine[] = [
    [0, 1, 'attempt', { value: null }],
    [1, 1, 'create', { undecided: 'no more tags are made', because: 'failure', exchanges: [] }],
    [2, 1, 'attempt', { value: null }],
    [3, 1, 'create', { exchanges: [7] }],
  ];
  const playback = new Playback(lines);
  const hasExchange = ([, , , came]: CourseLine): boolean =>
    'exchanges' in came && came.exchanges?.length === 1;
  const taken = [
    playback.take(1, 'attempt'),
    playback.take(1, 'create', hasExchange),
    playback.take(1, 'attempt'),
    playback.take(1, 'create', hasExchange),
  ];
  expect(taken.map((one) => one?.at)).toEqual([0, 1, 2, 3]);
});
