import type { Account } from '../account/account.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import type { Session } from './session.ts';

/**
 * The kind of a create. `plain`: nothing is wrong with its name. `odd`: it has another token than the run's, or none, so
 * its refusal may have any reason.
 */
export type Kind = 'plain' | 'well-formed' | 'odd';

/** Sends the creates of one check, and notes whether they may have been refused for the number of tags. */
export class Crowding {
  readonly #session: Pick<Session, 'quota' | 'slots'>;
  readonly #account: Account;
  #metQuota = false;
  #metDeleted = false;

  constructor(session: Pick<Session, 'quota' | 'slots'>, account: Account) {
    this.#session = session;
    this.#account = account;
  }

  /** Forgets refused creates. */
  begin(): void {
    this.#metQuota = false;
    this.#metDeleted = false;
  }

  /** Takes over the result of a part that has ended. */
  takeOver(part: { readonly metQuota: boolean }): void {
    this.#metQuota ||= part.metQuota;
  }

  /** Whether a create may have been refused for the number of tags. */
  get metQuota(): boolean {
    return this.#metQuota || (this.#metDeleted && this.#session.quota.countsDeleted);
  }

  /**
   * Sends a create. If a plain one was refused and deleted tags may still count, it is sent again when they should no
   * longer count.
   */
  async send(kind: Kind, create: () => Promise<Exchange>): Promise<Exchange> {
    const { quota, slots } = this.#session;
    const isOdd = kind === 'odd';
    for (let waitedMs: number | undefined; ; waitedMs = await quota.untilForgotten()) {
      const admission = await quota.admit(this.#account);
      try {
        const exchange = await create();
        if (accepted(exchange) && !isOdd) quota.accepted(this.#account);
        const refusal = quota.refused(this.#account, exchange, admission, kind === 'plain');
        if (refusal === 'for their number' && !isOdd) this.#metQuota = true;
        if (refusal === 'for deleted ones' || (refusal === 'for their number' && isOdd))
          this.#metDeleted = true;
        if (quota.limit !== undefined) slots.shrink(quota.limit);
        if (waitedMs !== undefined) quota.sentAgain(accepted(exchange) ? 'accepted' : refusal, waitedMs);
        const isForDeleted = refusal === 'for deleted ones' && kind === 'plain';
        if (!isForDeleted || !quota.isWorthWaiting(waitedMs)) return exchange;
      } finally {
        admission.end();
      }
    }
  }
}
