import type { Pace } from '../http/pace.ts';

/** The pauses before the looks whether a ban has ended, in milliseconds. */
const PAUSES_MS: readonly number[] = [1_000, 3_000, 6_000];

/** After so many bans, a run waits for no other. */
const MOST_BANS = 10;

/**
 * A target, or a firewall in front of it, may refuse everything from an address for a while because of the refused requests
 * before. A ban is over when the token that worked before works again.
 */
export class Bans {
  readonly #pace: Pick<Pace, 'wait'>;
  /** Whether the current ban ended in time; undefined while no caller waits for one. */
  current: Promise<boolean> | undefined;
  #left = MOST_BANS;

  constructor(pace: Pick<Pace, 'wait'>) {
    this.#pace = pace;
  }

  /**
   * Waits until a ban ends.
   *
   * @param works whether the token works.
   * @returns whether it ended in time. Callers that wait at the same time share one wait.
   */
  async outlast(works: () => Promise<boolean>): Promise<boolean> {
    if (this.current === undefined && this.#left-- <= 0) return false;
    this.current ??= this.#wait(works).finally(() => (this.current = undefined));
    return this.current;
  }

  async #wait(works: () => Promise<boolean>): Promise<boolean> {
    for (const pauseMs of PAUSES_MS) {
      await this.#pace.wait(pauseMs);
      if (await works()) return true;
    }
    // A longer refusal is not a ban, or it outlasts the run.
    this.#left = 0;
    return false;
  }
}
