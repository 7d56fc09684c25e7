import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { Timeline } from './timeline.ts';

/** An exchange that starts at a moment and takes so long, both in milliseconds. */
const at = (number: number, startedAt: number, durationMs: number, status = 200): Exchange => ({
  ...exchangeOf(
    status === 0 ? failure('timeout') : answerOf(status),
    { operation: number % 2 === 0 ? 'list' : 'create' },
    number,
  ),
  startedAt,
  durationMs,
});

describe('the timeline of a run', () => {
  test('has slices of equal length, with what was sent in each', () => {
    const timeline = new Timeline();
    timeline.heard(at(1, 1_000, 50));
    timeline.heard(at(2, 1_010, 5, 503));
    timeline.heard(at(3, 2_190, 10, 0));
    const course = timeline.course();
    expect(course).toMatchObject({ sliceMs: 10, pauses: [] });
    expect(course?.slices).toHaveLength(121);
    expect(course?.slices.flatMap((slice, place) => (slice.slowestMs > 0 ? [[place, slice]] : []))).toEqual([
      [0, { sent: { create: 1 }, slowestMs: 50, troubled: 0 }],
      [1, { sent: { list: 1 }, slowestMs: 5, troubled: 1 }],
      [119, { sent: { create: 1 }, slowestMs: 10, troubled: 1 }],
    ]);
    expect(course?.slowest.map(({ number, fromMs, ms }) => [number, fromMs, ms])).toEqual([
      [1, 0, 50],
      [3, 1_190, 10],
      [2, 10, 5],
    ]);
  });

  test('has a pause from each deferral until the next request; those deferred together share one', () => {
    const timeline = new Timeline();
    timeline.deferred(at(1, 100, 10, 429));
    timeline.deferred(at(2, 102, 10, 429));
    timeline.heard(at(3, 612, 10));
    timeline.heard(at(4, 650, 10));
    expect(timeline.course()?.pauses).toEqual([{ fromMs: 10, ms: 502, status: 429 }]);
    // A deferral is no trouble.
    expect(timeline.course()?.slices.every(({ troubled }) => troubled === 0)).toBe(true);
  });

  test('is not there before the first exchange', () => {
    expect(new Timeline().course()).toBeUndefined();
  });
});
