import type { Operation } from '../spec/operations.ts';
import type { Listener } from '../http/listener.ts';
import { statusOf, type Exchange } from '../http/exchange.ts';

/** The course of a run in time: requests by slice, pauses, and the slowest requests. Times are in milliseconds. */
export interface Course {
  /** The length of a slice. The first slice starts with the first request. */
  readonly sliceMs: number;
  readonly slices: Slice[];
  /** Pauses that the target asked for (429, 503): from its answer until the next request. */
  readonly pauses: Pause[];
  readonly slowest: Slow[];
}

/** The requests that were sent during one slice. */
interface Slice {
  readonly sent: Partial<Record<Operation, number>>;
  /** The longest time until an answer. */
  readonly slowestMs: number;
  /** How many were answered 5xx or not at all. */
  readonly troubled: number;
}

interface Pause {
  readonly fromMs: number;
  readonly ms: number;
  readonly status: number;
}

interface Slow {
  readonly number: number;
  readonly operation: Operation;
  /** 0 if no answer came. */
  readonly status: number;
  readonly fromMs: number;
  readonly ms: number;
}

const MOST_SLICES = 120;
const MOST_PAUSES = 100;
const MOST_SLOW = 10;

interface Entry {
  readonly number: number;
  readonly operation: Operation;
  readonly status: number;
  readonly startedAt: number;
  readonly ms: number;
  readonly isDeferred: boolean;
}

/** Records the time of each exchange of a run. */
export class Timeline implements Listener {
  readonly #entries: Entry[] = [];

  heard(exchange: Exchange): void {
    this.#note(exchange, false);
  }

  deferred(exchange: Exchange): void {
    this.#note(exchange, true);
  }

  #note(exchange: Exchange, isDeferred: boolean): void {
    const { number, ask, startedAt, durationMs } = exchange;
    this.#entries.push({
      number,
      operation: ask.operation,
      status: statusOf(exchange),
      startedAt,
      ms: durationMs,
      isDeferred,
    });
  }

  /** The course so far, in at most 120 slices; undefined before the first exchange. */
  course(): Course | undefined {
    const entries = this.#entries.toSorted((one, other) => one.startedAt - other.startedAt);
    const [first] = entries;
    if (first === undefined) return undefined;
    const start = first.startedAt;
    const lengthMs = Math.max(...entries.map(({ startedAt, ms }) => startedAt + ms - start));
    const sliceMs = Math.max(1, Math.ceil(lengthMs / MOST_SLICES));
    const slices = Array.from({ length: Math.floor(lengthMs / sliceMs) + 1 }, () => ({
      sent: {} as Partial<Record<Operation, number>>,
      slowestMs: 0,
      troubled: 0,
    }));
    for (const { startedAt, operation, status, ms, isDeferred } of entries) {
      const slice = slices[Math.floor((startedAt - start) / sliceMs)];
      if (slice === undefined) continue;
      slice.sent[operation] = (slice.sent[operation] ?? 0) + 1;
      slice.slowestMs = Math.max(slice.slowestMs, Math.round(ms));
      if (!isDeferred && (status === 0 || status >= 500)) slice.troubled++;
    }
    return {
      sliceMs,
      slices,
      pauses: pausesIn(entries, start),
      slowest: entries
        .toSorted((one, other) => other.ms - one.ms)
        .slice(0, MOST_SLOW)
        .map(({ number, operation, status, startedAt, ms }) => ({
          number,
          operation,
          status,
          fromMs: Math.round(startedAt - start),
          ms: Math.round(ms * 10) / 10,
        })),
    };
  }
}

/** The pauses after deferred requests. Requests that were deferred together share one. */
function pausesIn(entries: readonly Entry[], start: number): Pause[] {
  const pauses: Pause[] = [];
  let until = 0;
  for (const { startedAt, ms, status, isDeferred } of entries) {
    const from = startedAt + ms;
    if (!isDeferred || from < until || pauses.length === MOST_PAUSES) continue;
    const next = entries.find((one) => one.startedAt >= from)?.startedAt;
    if (next === undefined) continue;
    until = next;
    pauses.push({ fromMs: Math.round(from - start), ms: Math.round(next - from), status });
  }
  return pauses;
}
