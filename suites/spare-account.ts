import { accepted, type Exchange, statusOf, type Target, Undecided, whatCame } from '../lib/check.ts';

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

/** The statuses with which a target may refuse a create because the account has too many tags. */
const OF_QUOTAS: ReadonlySet<number> = new Set([402, 403, 409, 413, 422, 507]);

/** Why a create in the second account made no tag. If that account may be full, only the tester can help. */
const lackAfter = (create: Exchange): Undecided =>
  OF_QUOTAS.has(statusOf(create))
    ? new Undecided(
        'tester',
        `no tag can be made in the second account, which may be full: create ${whatCame(create)}`,
        create,
      )
    : new Undecided(
        'failure',
        `no tag could be made in the second account: create ${whatCame(create)}`,
        create,
      );

/**
 * Why no tag can be made in the second account, or undefined if one can be. It is found out once in a run, and never within
 * shared work that makes tags.
 */
export const lackOfTags = (target: Target): Promise<Undecided | undefined> =>
  target.shared(
    'whether tags can be made in the second account',
    1,
    async ({ second }) => {
      if (second.facts.tags.length > 0) return undefined;
      const create = await second.create({ name: second.name() });
      return accepted(create) ? undefined : lackAfter(create);
    },
    { isKept: true },
  );

/** The second account if there is one, unless it may be full; otherwise the first. */
export async function accountForTags(target: Target): Promise<Target> {
  const account = spareAccount(target);
  return account !== target && (await lackOfTags(target))?.outcome.because === 'tester' ? target : account;
}
