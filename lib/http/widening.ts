import type { Exchange } from './exchange.ts';

/** The number of answers whose median time is compared. */
const WINDOW = 24;

/** With faster answers a higher concurrency gains nothing: the run spends more time on its own work. */
const LEAST_MS = 20;

/** Answers count as equally fast if they take at most this many times as long. */
const TOLERANCE = 1.25;

/** The factor of each step. */
const STEP = 1.5;

/** How often answers may become slower before the width stays. The client, or the target, may have been busy for a moment. */
const MOST_SLOWER = 3;

/**
 * Raises the concurrency step by step, as long as answers do not become slower. If they do, goes back a step and tries it again
 * after a longer while.
 */
export class Widening {
  readonly #least: number;
  readonly #most: number;
  /** The concurrency that is allowed now. */
  width: number;
  #durations: number[] = [];
  /** The median time of an answer at the first width, in milliseconds. */
  #usual: number | undefined;
  /** How often answers became slower. */
  #slower = 0;
  /** The number of answers to let pass before the next ones are compared. */
  #unheeded = 0;
  #hasEnded = false;

  /**
   * @param width the concurrency at the start.
   * @param most the highest concurrency.
   */
  constructor(width: number, most: number) {
    this.#least = width;
    this.#most = most;
    this.width = width;
  }

  /** Keeps the width from now on: the target showed that it is busy. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Learns from an answer, unless fewer requests were under way than the width allows. */
  answered({ beside = 0, durationMs }: Exchange): void {
    if (this.#hasEnded || this.width >= this.#most || beside < this.width - 1) return;
    if (this.#unheeded > 0) {
      this.#unheeded--;
      return;
    }
    if (this.#durations.push(durationMs) < WINDOW) return;
    const median = this.#durations.toSorted((one, other) => one - other)[WINDOW / 2] ?? 0;
    this.#durations = [];
    this.#usual ??= median;
    if (median > this.#usual * TOLERANCE) {
      this.width = Math.max(this.#least, Math.round(this.width / STEP));
      this.#slower++;
      this.#unheeded = WINDOW * 2 ** this.#slower;
      if (this.#slower === MOST_SLOWER) this.end();
    } else if (median >= LEAST_MS) this.width = Math.min(this.#most, Math.round(this.width * STEP));
  }
}
