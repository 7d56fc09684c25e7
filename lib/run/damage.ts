import type { Account } from '../account/account.ts';
import { whatCame } from '../http/wording.ts';
import { statusOf, type Exchange } from '../http/exchange.ts';
import { listedIn } from '../spec/reading.ts';
import type { Session } from './session.ts';

/** A list that cannot be read is asked again this often. */
export const ASKED_AGAIN = 3;

/**
 * Notes where lists cannot be read any more after a question that may break the target.
 *
 * @param cause the id of the question.
 */
export async function noteDamage({ accounts, before, signs }: Session, cause: string): Promise<void> {
  const look = async (account: Account): Promise<Exchange> => {
    let list = await account.list();
    // A server error may pass.
    for (let time = 0; time < ASKED_AGAIN && statusOf(list) >= 500; time++) list = await account.list();
    return list;
  };
  for (const list of await Promise.all(accounts.map(look))) {
    if (before === undefined || listedIn(list) !== undefined || list.answer === undefined) continue;
    signs.record(
      'list-broken',
      `the list ${whatCame(list)} since the run asked ${cause}, and cannot be read`,
      list,
    );
  }
}
