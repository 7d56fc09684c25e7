import { accepted, type Exchange, statusOf, type Target, Undecided, whatCame } from '../lib/check.ts';
import { acceptedCreate } from './create/refused-together.ts';

/** The second account if there is one, otherwise the first. It spreads wrong passwords over both usernames. */
export function spareAccount(target: Target): Target {
  try {
    // The getter throws if there is no second account.
    return target.second.credentials.username === '' ? target : target.second;
  } catch (error) {
    if (error instanceof Undecided) return target;
    throw error;
  }
}

/** Statuses of a create in an account that has too many tags, or may only read. */
const OF_ACCOUNT: readonly number[] = [400, 402, 403, 409, 422, 507];

/** Why a create in the second account made no tag. If that is due to the account, only the tester can help. */
const lackAfter = (create: Exchange): Undecided =>
  OF_ACCOUNT.includes(statusOf(create))
    ? new Undecided(
        'tester',
        `no tag can be made in the second account, which may be full or only read: create ${whatCame(create)}`,
        create,
      )
    : new Undecided(
        'failure',
        `no tag could be made in the second account: create ${whatCame(create)}`,
        create,
      );

/** Why no tag can be made in the second account, or undefined if one can be. Not for use within shared work that makes tags. */
export async function lackOfTags({ second }: Target): Promise<Undecided | undefined> {
  const create = await acceptedCreate(second);
  return accepted(create) ? undefined : lackAfter(create);
}

/** The second account if there is one, unless it may be full or only read; otherwise the first. */
export async function accountForTags(target: Target): Promise<Target> {
  const account = spareAccount(target);
  return account !== target && (await lackOfTags(target))?.outcome.because === 'tester' ? target : account;
}
