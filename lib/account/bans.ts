import type { Client } from '../http/client.ts';
import { WAITS } from '../http/waits.ts';

/**
 * A target, or a firewall in front of it, may refuse everything from an address for a while because of the refused requests
 * before. A ban is over when the token that worked before works again.
 */
export class Bans {
  readonly #client: Pick<Client, 'budget' | 'pace' | 'patience'>;
  /** Whether the current ban ended in time; undefined while no caller waits for one. */
  current: Promise<boolean> | undefined;
  #left: number = WAITS.banned.times;

  constructor(client: Pick<Client, 'budget' | 'pace' | 'patience'>) {
    this.#client = client;
  }

  /**
   * Waits until a ban ends.
   *
   * @param works whether the token works.
   * @param refused how many logins with the right credentials were refused because of it so far.
   * @returns whether it ended in time. Callers that wait at the same time share one wait.
   */
  async outlast(works: () => Promise<boolean>, refused: number): Promise<boolean> {
    if (this.#client.patience.ms === 0) return false;
    if (this.current === undefined && this.#left-- <= 0) return false;
    this.current ??= this.#wait(works, refused).finally(() => (this.current = undefined));
    return this.current;
  }

  async #wait(works: () => Promise<boolean>, refused: number): Promise<boolean> {
    const { budget, pace } = this.#client;
    const failedBefore = budget.traffic.failedLogins - refused;
    for (const pauseMs of WAITS.banned.pausesMs) {
      await pace.wait(pauseMs);
      if (!(await works())) continue;
      // Logins that a ban refuses were not carried out.
      budget.forgiveFailedLogins(failedBefore);
      return true;
    }
    // A longer refusal is not a ban, or it outlasts the run.
    this.#left = 0;
    return false;
  }
}
