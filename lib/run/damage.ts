import type { Account } from '../account/account.ts';
import { whatCame } from '../http/wording.ts';
import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import type { Listener } from '../http/listener.ts';
import { ifDecided } from '../outcome.ts';
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

/**
 * Whether a well-formed list with the run's token may have met a broken target. Other statuses have other reasons, such as a
 * limit of requests, an outage or a token that has ended.
 */
const isBroken = (list: Exchange): boolean => list.ask.regular && (accepted(list) || statusOf(list) === 500);

/** Notices whether lists without a filter can still be read. */
export class ReadableLists implements Listener {
  /** Whether one could be read after the last create or update. What may break lists is the name of a tag, so a delete makes no difference. */
  areRead = false;
  /** The lists that could not be read since the last one that could. */
  unread: readonly Exchange[] = [];
  /** The time of the last answer to a create or an update, by `performance.now()`. */
  #writtenAt = 0;

  ended(exchange: Exchange): void {
    const { ask, startedAt } = exchange;
    if (ask.operation === 'create' || ask.operation === 'rename') {
      this.areRead = false;
      this.#writtenAt = performance.now();
    } else if (ask.path === pathOf.list()) {
      const isRead = listedIn(exchange) !== undefined;
      if (isRead && startedAt > this.#writtenAt) this.areRead = true;
      if (isRead) this.unread = [];
      else if (isBroken(exchange)) this.unread = [...this.unread, exchange];
    }
  }
}

/**
 * Records a sign if lists can no longer be read after a check that may break the target.
 *
 * @param cause the id of the requirement.
 * @param unread the lists that could not be read since the last one that could. They count if the budget has no lists left.
 */
export async function noteDamage(
  { first, before, signs }: Pick<Session, 'first' | 'before' | 'signs'>,
  cause: string,
  unread: readonly Exchange[] = [],
): Promise<void> {
  // Such checks use the first account. A server error may be temporary.
  const again = await ifDecided(async () =>
    listWhile(first, (list) => statusOf(list) >= 500, await first.list()),
  );
  const list = again ?? (unread.length > ASKED_AGAIN ? unread.at(-1) : undefined);
  if (before === undefined || list?.answer === undefined || listedIn(list) !== undefined) return;
  // Without a token that works, no list can be read.
  if (!first.logins.isRenewable) return;
  signs.record(
    'list-broken',
    `the list ${whatCame(list)} since the check of ${cause}, and cannot be read`,
    list,
  );
}
