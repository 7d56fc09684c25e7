import type { TagRecord } from '../account/tag-record.ts';
import type { Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import type { Session } from './session.ts';

/** A tag that is still there, and the answer to the last delete, if it was refused. */
interface Refusing {
  readonly name: string;
  readonly refusal?: Exchange | undefined;
}

/** Notes that tags could not be deleted though they were asked about again. */
export function recordRefusals(session: Session, left: readonly Refusing[]): void {
  for (const { name, refusal } of left)
    if (refusal !== undefined)
      session.signs.record(
        'delete-refused',
        `the delete ${whatCame(refusal)} at the end of the run, though the tag ${JSON.stringify(name)} exists`,
        refusal,
      );
}

/** Notes that a create was answered with a tag that no list has ever shown. On pages, a tag may be hidden. */
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
