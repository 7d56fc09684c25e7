import type { Account } from '../account/account.ts';
import { WAITS } from '../http/waits.ts';
import { ifDecided } from '../outcome.ts';
import { listedIn } from '../spec/reading.ts';

const listsNow = async (account: Account): Promise<boolean> => {
  const list = await ifDecided(() => account.list());
  return list !== undefined && listedIn(list) !== undefined;
};

/** Whether a list can be read. If wrong logins have locked the account, waits for the end of the lock first. */
export async function canList(account: Account): Promise<boolean> {
  const { logins } = account;
  if (await listsNow(account)) return true;
  if (!logins.isLockedOut) return false;
  const token = await ifDecided(() => logins.tokenAfterLock(WAITS.locked.pausesMs.tidying));
  return token !== undefined && listsNow(account);
}
