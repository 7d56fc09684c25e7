import type { TagRecord } from '../account/tag-record.ts';
import type { Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import type { Session } from './session.ts';

/** A tag that still exists, and its last delete, if it was refused. */
interface Refusing {
  readonly name: string;
  readonly refusal?: Exchange | undefined;
}

/** Records tags that could not be deleted, not even at the end of the run. */
export function recordRefusals(session: Session, left: readonly Refusing[]): void {
  for (const { name, refusal } of left)
    if (refusal !== undefined)
      session.signs.record(
        'delete-refused',
        `the delete ${whatCame(refusal)} at the end of the run, though the tag ${JSON.stringify(name)} exists`,
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
    `a create with the name ${JSON.stringify(name)} was acknowledged, and at the end of the run no list shows the tag`,
    ...(creation === undefined ? [] : [creation]),
    ...looks,
  );
}
