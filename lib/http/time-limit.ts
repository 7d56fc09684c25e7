import type { Exchange } from './exchange.ts';
import { WAITS } from './waits.ts';

const { many, timesSlowest, leastMs } = WAITS.unanswered;

/** The weight of the last answer among those before it. */
const LAST_WEIGHT = 1 / 8;

/** How long the run waits for an answer. After many time-outs it waits less, because it often sends one request at a time. */
export class TimeLimit {
  readonly mostMs: number;
  #timedOut = 0;
  #slowestMs = 0;
  /** How long a request usually takes, also without an answer, in milliseconds. */
  usualMs = 0;

  /** @param mostMs the limit at first. */
  constructor(mostMs: number) {
    this.mostMs = mostMs;
  }

  note({ answer, failure, durationMs }: Exchange): void {
    this.usualMs += (durationMs - this.usualMs) * (this.usualMs === 0 ? 1 : LAST_WEIGHT);
    if (answer !== undefined) this.#slowestMs = Math.max(this.#slowestMs, durationMs);
    if (failure?.kind === 'timeout') this.#timedOut++;
  }

  get ms(): number {
    if (this.#timedOut < many) return this.mostMs;
    return Math.min(this.mostMs, Math.max(leastMs, Math.ceil(timesSlowest * this.#slowestMs)));
  }
}
