import { whatCame } from '../http/wording.ts';
import { statusOf } from '../http/exchange.ts';
import { listedIn } from '../spec/reading.ts';
import type { Session } from './session.ts';

/** A list that cannot be read is asked again this often. */
export const ASKED_AGAIN = 3;

/**
 * Records a sign if lists cannot be read any more after a question that may break the target.
 *
 * @param cause the id of the question.
 */
export async function noteDamage(
  { first, before, signs }: Pick<Session, 'first' | 'before' | 'signs'>,
  cause: string,
): Promise<void> {
  // Such questions are asked with this account.
  let list = await first.list();
  // A server error may pass.
  for (let time = 0; time < ASKED_AGAIN && statusOf(list) >= 500; time++) list = await first.list();
  if (before === undefined || listedIn(list) !== undefined || list.answer === undefined) return;
  signs.record(
    'list-broken',
    `the list ${whatCame(list)} since the run asked ${cause}, and cannot be read`,
    list,
  );
}
