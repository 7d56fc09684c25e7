import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../../lib/http/exchange.test.double.ts';
import { type Create, judgeAnswers } from './creates.ts';

/** A create of a name, answered with a tag. */
const create = (
  name: string,
  tag: { readonly tag_id: string; readonly name: string },
  at: number,
): Create => ({
  name,
  label: `create ${at}`,
  exchange: exchangeOf(answerOf(200, { tagging: tag }), { operation: 'create', method: 'POST' }, at),
});

test.each([
  [
    'a name of another one',
    [create('a', { tag_id: '1', name: 'a' }, 1), create('b', { tag_id: '2', name: 'a' }, 2)],
    [2, 1, 3],
  ],
  [
    'the tag_id of another one',
    [create('a', { tag_id: '1', name: 'a' }, 1), create('b', { tag_id: '1', name: 'b' }, 2)],
    [1, 2, 3],
  ],
])('a create that is answered with %s is shown beside all creates at the same time', (_, wrong, numbers) => {
  const finding = judgeAnswers([...wrong, create('c', { tag_id: '3', name: 'c' }, 3)]);
  expect(finding).toMatchObject({ kind: 'broken', exchanges: numbers.map((number) => ({ number })) });
});

test('creates that are each answered with their own tag are no finding', () => {
  expect(
    judgeAnswers([create('a', { tag_id: '1', name: 'a' }, 1), create('b', { tag_id: '2', name: 'b' }, 2)]),
  ).toBeUndefined();
});
