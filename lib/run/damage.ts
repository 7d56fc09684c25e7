import { whatCame } from '../http/wording.ts';
import { statusOf } from '../http/exchange.ts';
import { listedIn } from '../spec/reading.ts';
import type { Session } from './session.ts';

/** How often a list that cannot be read is requested again. */
export const ASKED_AGAIN = 3;

/**
 * Records a sign if lists can no longer be read after a check that may break the target.
 *
 * @param cause the id of the requirement.
 */
export async function noteDamage(
  { first, before, signs }: Pick<Session, 'first' | 'before' | 'signs'>,
  cause: string,
): Promise<void> {
  // Such checks use the first account.
  let list = await first.list();
  // A server error may be temporary.
  for (let time = 0; time < ASKED_AGAIN && statusOf(list) >= 500; time++) list = await first.list();
  if (before === undefined || listedIn(list) !== undefined || list.answer === undefined) return;
  signs.record(
    'list-broken',
    `the list ${whatCame(list)} since the check of ${cause}, and cannot be read`,
    list,
  );
}
