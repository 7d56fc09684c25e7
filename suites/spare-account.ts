import {
  accepted,
  answers,
  type Exchange,
  statusOf,
  type Target,
  Undecided,
  whatCame,
} from '../lib/check.ts';

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

/**
 * Whether a create may have been refused because the account has too many tags, or may only read: not for the token or the rate.
 */
const isOfAccount = (create: Exchange): boolean =>
  statusOf(create) === 507 || (answers.isClientError(create) && ![401, 408, 429].includes(statusOf(create)));

/** Why a create in the second account made no tag. If that is due to the account, only the tester can help. */
const lackAfter = (create: Exchange): Undecided =>
  isOfAccount(create)
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

/** The second account if there is one, unless it may be full or only read; otherwise the first. */
export async function accountForTags(target: Target): Promise<Target> {
  const account = spareAccount(target);
  return account !== target && (await lackOfTags(target))?.outcome.because === 'tester' ? target : account;
}
