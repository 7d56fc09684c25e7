import type { Exchange } from './exchange.ts';

/** How many answers at one width are compared with as many at the first one. */
const WINDOW = 24;

/** Answers that come sooner leave nothing to win: the run itself takes longer than the wait for them. */
const LEAST_MS = 20;

/** An answer takes as long as before if it takes at most this much longer. */
const TOLERANCE = 1.25;

/** How much wider a run becomes at once. */
const STEP = 1.5;

/** Finds out how many requests at a time a target answers as fast as a few. */
export class Widening {
  readonly #most: number;
  #width: number;
  #durations: number[] = [];
  /** How long an answer took at the first width, in milliseconds. */
  #usual: number | undefined;
  #hasEnded = false;

  /**
   * @param width how many requests are sent at a time at first.
   * @param most how many may be sent at a time at the most.
   */
  constructor(width: number, most: number) {
    this.#width = width;
    this.#most = most;
  }

  /** How many requests may be sent at a time. */
  get width(): number {
    return this.#width;
  }

  /** The width stays as it is: the target showed that it has enough to do. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Learns from an answer. One that came while fewer requests were under way tells nothing about more. */
  answered({ beside = 0, durationMs }: Exchange): void {
    if (this.#hasEnded || this.#width >= this.#most || beside < this.#width - 1) return;
    if (this.#durations.push(durationMs) < WINDOW) return;
    const median = this.#durations.toSorted((one, other) => one - other)[WINDOW / 2] ?? 0;
    this.#durations = [];
    this.#usual ??= median;
    if (median > this.#usual * TOLERANCE) {
      this.#width = Math.round(this.#width / STEP);
      this.end();
    } else if (median >= LEAST_MS) this.#width = Math.min(this.#most, Math.round(this.#width * STEP));
  }
}
