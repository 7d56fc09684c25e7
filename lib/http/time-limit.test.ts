import { expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from './exchange.test.double.ts';
import { TimeLimit } from './time-limit.ts';

/** The limit after so many time-outs, where the slowest answer took so long. */
function after(timeouts: number, slowestMs: number, mostMs = 10_000): number {
  const limit = new TimeLimit(mostMs);
  limit.note({ ...exchangeOf(answerOf(200)), durationMs: slowestMs });
  limit.note({ ...exchangeOf(answerOf(200)), durationMs: 1 });
  for (let time = 0; time < timeouts; time++) limit.note(exchangeOf(failure('timeout')));
  return limit.ms;
}

test.each([
  ['the tester’s at first', 4, 50, 10_000],
  ['2 s after five time-outs of a fast target', 5, 50, 2_000],
  ['twenty times the slowest answer', 5, 300, 6_000],
  ['a whole number of milliseconds, which sentences quote', 5, 150.123, 3_003],
  ['never longer than the tester’s', 9, 3_000, 10_000],
])('The time for an answer is %s.', (_what, timeouts, slowestMs, expected) => {
  expect(after(timeouts, slowestMs)).toBe(expected);
});

test('A shorter time that the tester gave stays.', () => {
  expect(after(9, 50, 500)).toBe(500);
});
