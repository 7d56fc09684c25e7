import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from './exchange.test.double.ts';
import { Widening } from './widening.ts';

/** Hands over so many answers, each of which took this long while as many requests were under way as may be. */
function answer(widening: Widening, count: number, msAt: (width: number) => number): void {
  for (let time = 0; time < count; time++) {
    const { width } = widening;
    const exchange = exchangeOf(answerOf(200));
    widening.answered({ ...exchange, durationMs: msAt(width), beside: width - 1 });
  }
}

describe('the number of requests at a time', () => {
  test('rises to the most where answers take no longer', () => {
    const widening = new Widening(8, 32);
    answer(widening, 24, () => 50);
    expect(widening.width).toBe(12);
    answer(widening, 200, () => 50);
    expect(widening.width).toBe(32);
  });

  test('goes back, and stays at last, where answers take longer', () => {
    const widening = new Widening(8, 32);
    const widths: number[] = [];
    for (let time = 0; time < 1_000; time++) {
      answer(widening, 1, (width) => width * 50);
      if (widening.width !== widths.at(-1)) widths.push(widening.width);
    }
    expect(widths).toEqual([8, 12, 8, 12, 8, 12, 8]);
  });

  test('goes back and rises again where answers took longer for a moment', () => {
    const widening = new Widening(8, 32);
    answer(widening, 24, () => 50);
    answer(widening, 24, () => 90);
    expect(widening.width).toBe(8);
    answer(widening, 400, () => 50);
    expect(widening.width).toBe(32);
  });

  test('does not fall below that of the start', () => {
    const widening = new Widening(8, 32);
    answer(widening, 24, () => 50);
    answer(widening, 1_000, () => 90);
    expect(widening.width).toBe(8);
  });

  test('stays where answers come at once', () => {
    const widening = new Widening(8, 32);
    answer(widening, 400, () => 2);
    expect(widening.width).toBe(8);
  });

  test('stays where the target has shown that it has enough to do', () => {
    const widening = new Widening(8, 32);
    widening.end();
    answer(widening, 400, () => 50);
    expect(widening.width).toBe(8);
  });

  test('stays where no more requests are wanted', () => {
    const widening = new Widening(8, 32);
    const exchange = exchangeOf(answerOf(200));
    for (let time = 0; time < 400; time++) widening.answered({ ...exchange, durationMs: 50, beside: 3 });
    expect(widening.width).toBe(8);
  });

  test('stays where the tester gave it', () => {
    const widening = new Widening(8, 8);
    answer(widening, 400, () => 50);
    expect(widening.width).toBe(8);
  });
});
