import { describe, expect, test } from 'vitest';
import { slim } from './exchange.ts';
import { answerOf, exchangeOf, failure } from './exchange.test.double.ts';

describe('a slim exchange', () => {
  test('keeps nothing of a large answer but its start and its length', () => {
    const large = { ...answerOf(200), bytes: Buffer.alloc(1_000_000, 'x') };
    const { answer } = slim(exchangeOf(large));
    expect(answer?.bytes.buffer.byteLength).toBe(64 * 1024);
    expect(answer).toMatchObject({ status: 200, length: 1_000_000 });
    expect(answer?.json.value).toBeUndefined();
  });

  test.each([answerOf(200, { a: 1 }), failure()])('is the same where there is no such answer', (came) => {
    const exchange = exchangeOf(came);
    expect(slim(exchange)).toBe(exchange);
  });
});
