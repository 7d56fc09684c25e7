import { type Target, Undecided } from '../lib/check.ts';

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
