import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Answer, Exchange, Failure } from '../http/exchange.ts';
import { Closings } from './closings.ts';

const creating = (came: Answer | Failure, body: string): Exchange =>
  exchangeOf(came, { operation: 'create', method: 'POST', path: '/api/v2/tagging', body });

const CLOSED = failure('closed');
const without = creating(CLOSED, '{}');

/** What is known after so many exchanges of each of these kinds. */
function after(...all: readonly (readonly [count: number, exchange: Exchange])[]): Closings {
  const closings = new Closings();
  for (const [count, exchange] of all) for (let time = 0; time < count; time++) closings.ended(exchange);
  return closings;
}

describe('a connection', () => {
  test.each<[string, boolean, Closings]>([
    ['is', true, after([4, without])],
    [
      'is, too, if few others are closed',
      true,
      after(
        [4, without],
        [1, creating(CLOSED, '{"name":"a"}')],
        [200, creating(answerOf(200), '{"name":"a"}')],
      ),
    ],
    ['is not, if it may come to an answer', false, after([3, without])],
    [
      'is not, if one of that kind was answered',
      false,
      after([4, without], [1, creating(answerOf(422), '{}')]),
    ],
    [
      'is not, if others are closed as well',
      false,
      after(
        [4, without],
        [3, creating(CLOSED, '{"name":"a"}')],
        [200, creating(answerOf(200), '{"name":"a"}')],
      ),
    ],
    ['is not, if other requests were sent in vain', false, after([9, creating(CLOSED, '{"name":null}')])],
  ])('that is closed at a request %s closed by the handler of that request', (_what, expected, closings) => {
    expect(closings.isSteady(without)).toBe(expected);
  });

  test('that was closed at many requests of a kind is not worth another attempt', () => {
    const named = (name: string): Exchange => creating(CLOSED, JSON.stringify({ name }));
    const closings = after([4, named('ctqrzmbvhgkx')], [4, named('ctwlpmbvhgkxz')]);
    expect(closings.isHopeless(named('cthhpmbvhgkx'))).toBe(false);
    closings.ended(named('ctmmpmbvhgkx'));
    expect(closings.isHopeless(named('cthhpmbvhgkx'))).toBe(true);
    expect(closings.isHopeless(creating(answerOf(200), '{"name":"cthhpmbvhgkx"}'))).toBe(false);
  });
});
