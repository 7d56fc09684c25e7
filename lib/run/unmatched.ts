import type { Account } from '../account/account.ts';
import { ifDecided } from '../outcome.ts';
import { listedIn, namesInList } from '../spec/reading.ts';
import { mayBeLeft } from './remaining.ts';
import { residue, type Residue } from './residue.ts';
import type { Session } from './session.ts';

const UNMATCHED =
  'bytes came to no request, so the answers of this target may be those to other requests than they came to';

/**
 * The tags that may be left where answers cannot be matched to requests: all, unless a certain list shows none of them.
 * Then a refused create may have made a tag, and an acknowledged delete may have had no effect.
 *
 * @param told the tags that are told anyway.
 */
export async function unmatchedTags(
  account: Account,
  session: Session,
  told: readonly Residue[],
): Promise<readonly Residue[]> {
  const records = account.tags.records.filter(({ isUnsent }) => !isUnsent);
  if (session.client.transport.hasStrayBytes !== true || records.length === 0) return [];
  if (await ifDecided(() => showsNone(account, session))) return [];
  const isTold = (name: string): boolean => told.some((one) => one.name === name);
  return records
    .map((record) => residue(session, mayBeLeft(record, UNMATCHED)))
    .filter(({ name }) => !isTold(name));
}

/** Whether a list shows no tag of the run. By now each request has a connection of its own, so the answer is that to it. */
async function showsNone(account: Account, { pageSize }: Session): Promise<boolean> {
  if (pageSize !== undefined) return false;
  const list = await account.list();
  return listedIn(list) !== undefined && !namesInList(list).some((name) => account.ownership.isOwn(name));
}
