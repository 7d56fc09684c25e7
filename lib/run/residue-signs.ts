import type { Account } from '../account/account.ts';
import type { TagRecord } from '../account/tag-record.ts';
import { slim, type Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import { ifDecided } from '../outcome.ts';
import { listedIn } from '../spec/reading.ts';
import { ifUnclaimed, type Remaining } from './remaining.ts';
import type { Session } from './session.ts';

/** The least number of tags under other names that are a finding: a single one may have met a stranger's tag by chance. */
const FEWEST_UNCLAIMED = 2;

/** Records tags of ordinary creates that lists show with other names. */
export async function recordMangled(account: Account, { signs }: Session): Promise<void> {
  const unclaimed = account.tags.records.flatMap((record) => {
    const told = ifUnclaimed(account, record);
    const { creation, given } = record;
    return told !== undefined && creation !== undefined && isOrdinary(creation, told.name)
      ? { ...told, creation, given }
      : [];
  });
  if (unclaimed.length < FEWEST_UNCLAIMED) return;
  const list = await ifDecided(() => account.list());
  const listed = new Set((list === undefined ? [] : (listedIn(list) ?? [])).map(({ tagId }) => tagId));
  for (const { name, why, creation, given } of unclaimed)
    signs.record(
      'create-lost',
      `a create with the name ${quote(name)} was acknowledged, and at the end of the run ${why}`,
      creation,
      ...(list !== undefined && listed.has(given?.tagId ?? '') ? [slim(list)] : []),
    );
}

/** Whether a create gave this name in the form of section 4.2. */
function isOrdinary({ ask: { regular, body } }: Exchange, name: string): boolean {
  return regular && name.trim() !== '' && body === JSON.stringify({ name });
}

/** Records tags that could not be deleted, not even at the end of the run. */
export function recordRefusals(session: Session, left: readonly Remaining[]): void {
  for (const { name, refusal } of left)
    if (refusal !== undefined)
      session.signs.record(
        'delete-refused',
        `the delete ${whatCame(refusal)} at the end of the run, though the tag ${quote(name)} exists`,
        refusal,
      );
}

/** Records a tag of an acknowledged create that no list has ever shown. Pages may hide a tag, so they do not count. */
export function recordLoss(
  session: Session,
  { state, isSeen, mayBeGone, isContended, names, creation }: TagRecord,
  looks: readonly Exchange[],
): void {
  if (state !== 'alive' || isSeen || mayBeGone || isContended || session.pageSize !== undefined) return;
  const [name = ''] = names;
  session.signs.record(
    'create-lost',
    `a create with the name ${quote(name)} was acknowledged, and at the end of the run no list shows the tag`,
    ...(creation === undefined ? [] : [creation]),
    ...looks,
  );
}
