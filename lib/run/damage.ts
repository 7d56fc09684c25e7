import type { Account } from '../account/account.ts';
import { whatCame } from '../http/wording.ts';
import { statusOf, type Exchange } from '../http/exchange.ts';
import type { Listener } from '../http/listener.ts';
import { listedIn } from '../spec/reading.ts';
import { pathOf } from '../spec/requests.ts';
import type { Session } from './session.ts';

/** How often a list that cannot be read is requested again. */
const ASKED_AGAIN = 3;

/** Requests a list again, a few times, as long as the last one is wrong. Returns the last one. */
export async function listWhile(
  account: Account,
  isWrong: (list: Exchange) => boolean,
  first: Exchange,
): Promise<Exchange> {
  let list = first;
  for (let time = 0; time < ASKED_AGAIN && isWrong(list); time++) list = await account.list();
  return list;
}

/** Notices whether a list without a filter could be read after the last create or update. */
export class ListsSinceWrite implements Listener {
  /** Whether one could. What may break lists is the name of a tag, so a delete makes no difference. */
  areRead = false;
  /** The time of the last answer to a create or an update, by `performance.now()`. */
  #writtenAt = 0;

  ended(exchange: Exchange): void {
    const { ask, startedAt } = exchange;
    if (ask.operation === 'create' || ask.operation === 'rename') {
      this.areRead = false;
      this.#writtenAt = performance.now();
    } else if (ask.path === pathOf.list() && startedAt > this.#writtenAt && listedIn(exchange) !== undefined)
      this.areRead = true;
  }
}

/**
 * Records a sign if lists can no longer be read after a check that may break the target.
 *
 * @param cause the id of the requirement.
 */
export async function noteDamage(
  { first, before, signs }: Pick<Session, 'first' | 'before' | 'signs'>,
  cause: string,
): Promise<void> {
  // Such checks use the first account. A server error may be temporary.
  const list = await listWhile(first, (list) => statusOf(list) >= 500, await first.list());
  if (before === undefined || listedIn(list) !== undefined || list.answer === undefined) return;
  // Without a token that works, no list can be read.
  if (!first.logins.isRenewable) return;
  signs.record(
    'list-broken',
    `the list ${whatCame(list)} since the check of ${cause}, and cannot be read`,
    list,
  );
}
