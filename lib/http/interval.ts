/** The first interval, and the longest one, in milliseconds. */
const INTERVAL_MS = { first: 20, most: 250 };

/** A deferral that comes after fewer answers than this shows that the rate is still too high. */
const TOO_SOON = 25;

/**
 * Learns how far apart requests have to be for a target that defers them and does not say for how long: it limits their
 * rate, so that fewer at a time do not help.
 */
export class Interval {
  /** The least time between the starts of two requests, in milliseconds. */
  ms = 0;
  #answers = 0;

  /** A request was deferred for the first time, though it was alone. */
  deferred(): void {
    if (this.#answers < TOO_SOON)
      this.ms = Math.min(Math.max(2 * this.ms, INTERVAL_MS.first), INTERVAL_MS.most);
    this.#answers = 0;
  }

  /** A request was answered. After many answers without a deferral, the rate is tried to be raised. */
  answered(): void {
    if (++this.#answers % (4 * TOO_SOON) === 0) this.ms = Math.floor(0.8 * this.ms);
  }
}
