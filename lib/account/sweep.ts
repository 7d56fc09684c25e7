import { Undecided } from '../outcome.ts';
import type { Listed } from '../spec/reading.ts';
import type { Account } from './account.ts';
import type { Leftover } from './leftovers.ts';
import { isRunName, type Names } from './names.ts';
import type { Settling } from './settling.ts';
import type { TagRecord } from './tags.ts';

/** What became of a leftover: removed now, gone already, or still there or unknown, and why. */
export type Swept =
  | { readonly leftover: Leftover; readonly fate: 'removed' | 'gone' }
  | { readonly leftover: Leftover; readonly fate: 'left'; readonly why: string };

/**
 * Removes what a run left behind. A tag is removed only where the lists show it under the tag_id and one of the names
 * in the ledger. Where the run did not learn the tag_id, a name that only runs of this suite give is enough.
 */
export function sweep(
  account: Account,
  leftovers: readonly Leftover[],
  run: { readonly names: Names; readonly settling: Settling },
): Promise<Swept[]> {
  const known = leftovers.map((leftover) => ({ leftover, record: recall(account, run.names, leftover) }));
  return Promise.all(known.map(({ leftover, record }) => sweepOne(account, leftover, record, run.settling)));
}

/** Treats a tag of the earlier run as one of this run, as far as the ledger proves it to be. */
function recall({ tags }: Account, given: Names, { tagId, names }: Leftover): TagRecord {
  const record = tags.intend(...names);
  if (tagId !== undefined) tags.made(record, tagId);
  else for (const name of names) if (isRunName(name)) given.recall(name);
  return record;
}

async function sweepOne(
  account: Account,
  leftover: Leftover,
  record: TagRecord,
  settling: Settling,
): Promise<Swept> {
  try {
    await account.remove(record);
    if (!record.isSeen) return { leftover, fate: 'gone' };
    const { good } = await settling.until(
      async () => ({ there: await find(account, leftover), exchanges: [] }),
      (look) => look.there.length === 0,
    );
    if (good) return { leftover, fate: 'removed' };
    return { leftover, fate: 'left', why: 'it was asked to be deleted, and is still listed' };
  } catch (error) {
    if (error instanceof Undecided) return { leftover, fate: 'left', why: error.message };
    throw error;
  }
}

/** The tags of a leftover that the lists show. Without a known tag_id there may be several of the name. */
async function find(account: Account, { tagId, names }: Leftover): Promise<readonly Listed[]> {
  const { entries } = await account.lookUp(tagId, ...names);
  return entries.filter(({ tagId: id, name }) => {
    if (typeof name !== 'string' || !names.has(name)) return false;
    return tagId === undefined ? isRunName(name) : id === tagId;
  });
}
