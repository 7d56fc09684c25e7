import { whatCame } from '../http/wording.ts';
import { listedIn } from '../spec/reading.ts';
import type { Session } from './session.ts';

/**
 * Notes where lists cannot be read any more after a question that may break the target.
 *
 * @param cause the id of the question.
 */
export async function noteDamage({ accounts, before, signs }: Session, cause: string): Promise<void> {
  for (const list of await Promise.all(accounts.map((account) => account.list()))) {
    if (before === undefined || listedIn(list) !== undefined || list.answer === undefined) continue;
    signs.record(
      'list-broken',
      `the list ${whatCame(list)} since the run asked ${cause}, and cannot be read`,
      list,
    );
  }
}
