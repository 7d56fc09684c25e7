import { describe, expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { askOf } from '../http/exchange.test.double.ts';
import { TargetFacts } from './target-facts.ts';

/** An answer that was sent at a time of the target's clock, some milliseconds ahead of ours. */
function answered(atMs: number, aheadMs: number, more: readonly [string, string][] = []): Exchange {
  const at = performance.timeOrigin + atMs + aheadMs;
  const date = new Date(at - (at % 1_000)).toUTCString();
  const answer = answerOf(200, {}, [['date', date], ...more]);
  return { number: 1, ask: askOf(), answer, startedAt: atMs - 5, durationMs: 10 };
}

describe('the clock of a target', () => {
  test('is known more precisely with every answer', () => {
    const facts = new TargetFacts();
    expect(facts.clock).toBeUndefined();
    for (let at = 0; at < 3_000; at += 37) facts.ended(answered(at, 4_200));
    const { aheadMs = 0, withinMs = 0 } = facts.clock ?? {};
    expect(withinMs).toBeLessThan(60);
    expect(Math.abs(aheadMs - 4_200)).toBeLessThanOrEqual(withinMs + 1);
  });

  test('is not read from an answer of a cache, or one that contradicts the others', () => {
    const facts = new TargetFacts();
    facts.ended(answered(1_000, 0));
    facts.ended(answered(1_000, -90_000, [['age', '90']]));
    facts.ended(answered(1_000, 90_000));
    expect(Math.abs(facts.clock?.aheadMs ?? Infinity)).toBeLessThan(1_000);
  });

  test('is ahead by 0, never by -0, which a report does not keep', () => {
    const facts = new TargetFacts();
    const date = Date.parse('Mon, 01 Jan 2024 00:00:00 GMT');
    const answer = answerOf(200, {}, [['date', new Date(date).toUTCString()]]);
    // A fifth of a millisecond behind.
    const startedAt = date - performance.timeOrigin + 500.2;
    facts.ended({ number: 1, ask: askOf(), answer, startedAt, durationMs: 0 });
    expect(facts.clock).toEqual({ aheadMs: 0, withinMs: 500 });
  });
});

test('Every value of Server is kept as it was sent, once', () => {
  const facts = new TargetFacts();
  for (const value of ['nginx/1.27.0', 'nginx/1.27.0', 'other'])
    facts.ended(answered(0, 0, [['server', value]]));
  expect(facts.servers).toEqual(['nginx/1.27.0', 'other']);
});
