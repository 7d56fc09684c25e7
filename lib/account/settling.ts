import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../http/exchange.ts';
import { isListRead, listedIn } from '../spec/reading.ts';
import type { Signs } from './signs.ts';

/** The first pause, as a share of the settle time. Each further pause is three times as long. */
const FIRST_PAUSE = 1 / 25;

/** After this many effects that never showed, one more look, at the end of the settle time, is enough. */
const IN_VAIN_MANY = 3;

/** The share of the settle time that is enough if no effect of the run has shown late, and one has not shown at all. */
const BRIEF_SHARE = 1 / 5;

/** Another token may take a little longer to become known. */
const TOKEN_MARGIN = 1.5;

export interface UntilOptions {
  /** Whether an effect that shows only in a later look is recorded as a late effect; by default it is. */
  readonly late?: 'recorded' | 'ignored';
  /** Whether the same has been waited for in vain before: then a part of the settle time is enough. */
  readonly isBrief?: boolean;
  /** Whether the settle time passes before the first look: what changes late has changed by then. */
  readonly isAfterwards?: boolean;
}

/** The last look of a wait, and whether it was good. */
export interface Settled<T> {
  readonly seen: T;
  readonly good: boolean;
}

/** Waits for effects to show, and learns how long that takes on this target. */
export class Settling {
  /** How long an effect may take to show, in milliseconds. */
  readonly mostMs: number;
  readonly #signs: Signs;
  readonly #pageSize: () => number | undefined;
  #inVain = 0;
  /** Effects that never showed, if a list could not be read whole. */
  #unread = 0;
  /** The longest that an effect has taken to show so far, in milliseconds. */
  #lagMs = 0;
  #tokenLagMs = 0;

  /** @param pageSize how many tags a list shows at most; undefined: all. */
  constructor(mostMs: number, signs: Signs, pageSize: () => number | undefined) {
    this.mostMs = mostMs;
    this.#signs = signs;
    this.#pageSize = pageSize;
  }

  /** How old a token has to be before it is known everywhere, in milliseconds. */
  get tokenLagMs(): number {
    return this.#tokenLagMs;
  }

  /** A new token was refused at first, and accepted at this age. */
  noteTokenLag(ageMs: number): void {
    this.#tokenLagMs = Math.min(this.mostMs, Math.max(this.#tokenLagMs, ageMs * TOKEN_MARGIN));
  }

  /**
   * Looks again and again until the effect shows, at most for the settle time and at least twice.
   *
   * @returns the last look, and whether it was good.
   */
  async until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    isGood: (seen: T) => boolean,
    { late = 'recorded', isBrief = false, isAfterwards = false }: UntilOptions = {},
  ): Promise<Settled<T>> {
    // If effects are known to show late, an early look would only cost a request.
    const firstPause = isAfterwards ? this.mostMs : this.#lagMs;
    if (firstPause > 0) await sleep(firstPause);
    const started = performance.now();
    const deadline = started + this.mostMs * (isBrief && this.#lagMs === 0 ? BRIEF_SHARE : 1);
    let missed: readonly Exchange[] | undefined;
    const isPatient = this.#inVain >= IN_VAIN_MANY && this.#lagMs === 0;
    let pause = Math.max(1, this.mostMs * FIRST_PAUSE);
    for (let looks = 1; ; looks++) {
      const lookedAt = performance.now();
      const seen = await look();
      if (isGood(seen)) {
        if (missed !== undefined && late === 'recorded')
          this.#recordLate(missed, performance.now() - started);
        return { seen, good: true };
      }
      missed ??= seen.exchanges;
      const left = deadline - performance.now();
      // The part of such a list that cannot be read may hold what is missing. No later list has ever shown more.
      const isUnread = !seen.exchanges.every(isListRead);
      const isHopeless = isUnread && this.#unread >= IN_VAIN_MANY && this.#lagMs === 0;
      // A look of several requests may take long: the last one begins when the settle time is over.
      if (looks > 1 && (lookedAt >= deadline || isHopeless)) {
        this.#inVain++;
        if (isUnread) this.#unread++;
        return { seen, good: false };
      }
      await sleep(Math.max(1, Math.ceil(isPatient && !isHopeless ? left : Math.min(pause, left))));
      pause *= 3;
    }
  }

  #recordLate(missed: readonly Exchange[], tookMs: number): void {
    // A full page leaves out tags until others are gone.
    const most = this.#pageSize() ?? Number.POSITIVE_INFINITY;
    if (missed.every((list) => (listedIn(list)?.length ?? 0) >= most)) return;
    // A list that cannot be read whole may have shown the change.
    if (!missed.every(isListRead)) return;
    const why = 'a change did not show in the next list, but did later';
    this.#signs.record('late-effect', why, ...missed.slice(-1));
    this.#lagMs = Math.min(this.mostMs, this.#lagMs + tookMs);
  }
}
