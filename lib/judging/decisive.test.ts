import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { decisiveOf, meantBy } from './decisive.ts';

const PATH = '/api/v2/tagging';
const create = exchangeOf(
  answerOf(200, { tagging: { name: 'made', tag_id: '7' } }),
  { operation: 'create', method: 'POST', path: PATH },
  1,
);
const refused = exchangeOf(answerOf(422), { operation: 'rename', method: 'PUT', path: `${PATH}/8` }, 2);
const first = exchangeOf(answerOf(200), {}, 3);
const last = exchangeOf(answerOf(200), {}, 4);
const unchanged = exchangeOf(answerOf(304), {}, 3);

describe('the exchange that decides', () => {
  test.each<[string, Exchange[], Exchange | undefined]>([
    ['answered 422, not 200', [create, refused], refused],
    [`PUT ${PATH}/8 answered 422, not 200`, [create, refused], refused],
    ['answered 422, yet the tag is listed', [refused, first, last], last],
    ['the list answered 304, though a tag was renamed', [create, unchanged, last], unchanged],
    ['the list answered 200, and another tag is no longer listed', [first, last], last],
    ['answered 200 without a token, with a list of no tags, not a refusal', [first, create, last], first],
    ['it is wrong', [create, refused], create],
    ['it is wrong', [], undefined],
  ])('of %s', (why, exchanges, decisive) => {
    expect(decisiveOf(why, exchanges)).toBe(decisive);
  });
});

test('the tags that a finding is about are those that it quotes, made or addressed', () => {
  expect([...meantBy('the tag is named "a\\"b"', [create, refused, first])]).toEqual([
    'a"b',
    '8',
    'made',
    '7',
  ]);
});
