import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../http/exchange.ts';
import type { Signs } from '../run/signs.ts';

/** Between the first look for an effect and the next, this share of the time that effects may take; then longer ones. */
const FIRST_PAUSE = 1 / 25;

/** After so many effects that never showed, a target counts as one that carries out at once or not at all. */
const IN_VAIN_MANY = 3;

export interface UntilOptions {
  /** Whether a look that succeeds only later is recorded as a late effect; by default it is. */
  readonly late?: 'recorded' | 'ignored';
}

/** Waits for effects to show, and learns on the way how long that takes with this target. */
export class Settling {
  readonly #mostMs: number;
  readonly #signs: Signs;
  /** How often an acknowledged effect was waited for that never showed. */
  #inVain = 0;
  /** The longest that an acknowledged effect took to show, as far as this run has seen. */
  #lagMs = 0;

  /** @param mostMs how long effects may take to show. */
  constructor(mostMs: number, signs: Signs) {
    this.#mostMs = mostMs;
    this.#signs = signs;
  }

  /**
   * Looks again until what was acknowledged shows, for as long as effects may take to settle.
   *
   * @returns the last look, and whether it was as it should be.
   */
  async until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    good: (seen: T) => boolean,
    { late = 'recorded' }: UntilOptions = {},
  ): Promise<{ readonly seen: T; readonly good: boolean }> {
    // Where effects are known to show late, an early look would only cost a request.
    if (this.#lagMs > 0) await sleep(this.#lagMs);
    const started = performance.now();
    const deadline = started + this.#mostMs;
    let missed: Exchange | undefined;
    let looks = 0;
    // Where waiting has been in vain before, and never helped, one look at the end of the time is enough.
    const first = this.#inVain >= IN_VAIN_MANY && this.#lagMs === 0 ? 1 : FIRST_PAUSE;
    for (let pause = Math.max(1, this.#mostMs * first); ; pause *= 3) {
      const seen = await look();
      looks++;
      if (good(seen)) {
        if (missed !== undefined && late === 'recorded') {
          this.#signs.record(
            'late-effect',
            'an acknowledged change did not show in the next list, but did later',
            missed,
          );
          this.#lagMs = Math.min(this.#mostMs, this.#lagMs + performance.now() - started);
        }
        return { seen, good: true };
      }
      missed ??= seen.exchanges.at(-1);
      const left = deadline - performance.now();
      // At least two looks, however long the first one took.
      if (left <= 0 && looks > 1) {
        this.#inVain++;
        return { seen, good: false };
      }
      await sleep(Math.max(1, Math.min(pause, left)));
    }
  }
}
