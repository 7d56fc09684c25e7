/** The first interval, and the longest one, in milliseconds. */
const INTERVAL_MS = { first: 20, most: 250 };

/** A deferral after fewer answers than this means that the rate is still too high. */
const TOO_SOON = 25;

/**
 * If the longest interval does not prevent deferrals, and so many answers come before each of them, their reason is not the rate: the
 * target defers every so many requests, or all that are too many in a minute.
 */
const NOT_SOON = 10;

/** How often that happens before requests follow one another without an interval. */
const IN_VAIN = 2;

/**
 * Learns the interval between requests for a target that defers them without `Retry-After`. It limits their rate, so a
 * lower concurrency does not help.
 */
export class Interval {
  /** The least time between the starts of two requests, in milliseconds. */
  ms = 0;
  #answers = 0;
  #inVain = 0;

  /** A request was deferred although no other was under way. */
  deferred(): void {
    if (this.ms === INTERVAL_MS.most && this.#answers >= NOT_SOON && this.#answers < TOO_SOON) this.#inVain++;
    if (this.#inVain === IN_VAIN) this.ms = 0;
    else if (this.#answers < TOO_SOON)
      this.ms = Math.min(Math.max(2 * this.ms, INTERVAL_MS.first), INTERVAL_MS.most);
    this.#answers = 0;
  }

  /** A request was answered. After many answers without a deferral, the interval becomes shorter. */
  answered(): void {
    if (++this.#answers % (4 * TOO_SOON) === 0) this.ms = Math.floor(0.8 * this.ms);
  }
}
