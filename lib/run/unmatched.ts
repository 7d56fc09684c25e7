import type { Account } from '../account/account.ts';
import { ifDecided } from '../outcome.ts';
import { listedIn, namesInList } from '../spec/reading.ts';
import { mayBeLeft, residue, type Residue } from './residue.ts';
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
  const { records } = account.tags;
  if (session.client.transport.hasStrayBytes !== true || records.length === 0) return [];
  if (await ifDecided(() => showsNone(account, session))) return [];
  const isTold = (name: string): boolean => told.some((one) => one.name === name);
  return records
    .map((record) => residue(session, mayBeLeft(record, UNMATCHED)))
    .filter(({ name }) => !isTold(name));
}

/**
 * Whether a list shows no tag of the run that was answered after the connection was made. The first answer may be older than its
 * request, but the second one is at least that to the first request.
 */
async function showsNone(account: Account, { client, pageSize }: Session): Promise<boolean> {
  if (pageSize !== undefined) return false;
  return client.pace.oneAtATime(async () => {
    await account.list(undefined, { opensConnection: true });
    const second = await account.list();
    const isRead = listedIn(second) !== undefined && (client.transport.placeOfLast ?? 1) > 1;
    return isRead && !namesInList(second).some((name) => account.ownership.isOwn(name));
  });
}
