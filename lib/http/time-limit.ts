import type { Exchange } from './exchange.ts';

/** After so many time-outs, some requests are most likely never answered. */
const MOST_TIMED_OUT = 5;

/** Then an answer counts as missing after so many times the longest time that one took, and after this time at the earliest. */
const TIMES_SLOWEST = 20;
const LEAST_MS = 2_000;

/** How long the run waits for an answer. Once many have not come, it waits less, because it often sends one request at a time. */
export class TimeLimit {
  readonly #mostMs: number;
  #timedOut = 0;
  #slowestMs = 0;

  /** @param mostMs the limit at first. */
  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  note({ answer, failure, durationMs }: Exchange): void {
    if (answer !== undefined) this.#slowestMs = Math.max(this.#slowestMs, durationMs);
    if (failure?.kind === 'timeout') this.#timedOut++;
  }

  get ms(): number {
    const isShort = this.#timedOut >= MOST_TIMED_OUT;
    return isShort
      ? Math.min(this.#mostMs, Math.max(LEAST_MS, TIMES_SLOWEST * this.#slowestMs))
      : this.#mostMs;
  }
}
