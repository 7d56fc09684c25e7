import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../account/account.ts';
import { ifDecided } from '../outcome.ts';
import { listedIn } from '../spec/reading.ts';

/** How long tidying up waits for a lock on an account to end, each time, in milliseconds. */
const PAUSES_MS: readonly number[] = [5_000, 10_000];

const listsNow = async (account: Account): Promise<boolean> => {
  const list = await ifDecided(() => account.list());
  return list !== undefined && listedIn(list) !== undefined;
};

/** Whether a list can be read, where need be once a lock that wrong logins set on the account has ended. */
export async function canList(account: Account, pausesMs = PAUSES_MS): Promise<boolean> {
  if (await listsNow(account)) return true;
  for (const pauseMs of pausesMs) {
    if (!account.logins.isLockedOut) return false;
    await sleep(pauseMs);
    const token = await ifDecided(() => account.logins.token(undefined, true));
    if (token !== undefined) return listsNow(account);
  }
  return false;
}
