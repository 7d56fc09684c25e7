import type { Account } from '../account/account.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import type { Session } from './session.ts';

/**
 * What a create is but for its answer. `plain`: its name has nothing wrong with it. `odd`: it has another
 * token than the run, or none, so that its refusal may have any reason.
 */
export type Kind = 'plain' | 'well-formed' | 'odd';

/** Sends the creates of one piece of work, and notes whether the number of tags kept them from being accepted. */
export class Crowding {
  readonly #session: Pick<Session, 'quota' | 'slots'>;
  readonly #account: Account;
  #metQuota = false;
  #metDeleted = false;

  constructor(session: Pick<Session, 'quota' | 'slots'>, account: Account) {
    this.#session = session;
    this.#account = account;
  }

  /** Forgets what was refused. */
  begin(): void {
    this.#metQuota = false;
    this.#metDeleted = false;
  }

  /** Notes what a part of the work met that has ended. */
  takeOver(part: { readonly metQuota: boolean }): void {
    this.#metQuota ||= part.metQuota;
  }

  /** Whether a create was refused that the number of tags may be the reason for. */
  get metQuota(): boolean {
    return this.#metQuota || (this.#metDeleted && this.#session.quota.countsDeleted);
  }

  /**
   * Sends a create. One with a plain name that was refused, perhaps because deleted tags still count, is sent again when
   * they no longer do.
   */
  async send(kind: Kind, create: () => Promise<Exchange>): Promise<Exchange> {
    const { quota, slots } = this.#session;
    const isOdd = kind === 'odd';
    for (let isAgain = false; ; isAgain = true) {
      const admission = await quota.admit(this.#account);
      try {
        const exchange = await create();
        if (accepted(exchange) && !isOdd) quota.accepted(this.#account);
        const refusal = quota.refused(this.#account, exchange, admission, kind === 'plain');
        if (refusal === 'for their number' && !isOdd) this.#metQuota = true;
        if (refusal === 'for deleted ones' || (refusal === 'for their number' && isOdd))
          this.#metDeleted = true;
        if (quota.limit !== undefined) slots.shrink(quota.limit);
        if (isAgain) quota.sentAgain(accepted(exchange) ? 'accepted' : refusal);
        if (isAgain || refusal !== 'for deleted ones' || kind !== 'plain') return exchange;
      } finally {
        admission.end();
      }
      await quota.untilForgotten();
    }
  }
}
