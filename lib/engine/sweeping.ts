import { statusOf } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import type { Leftover } from './leftovers.ts';
import type { Listed } from './listing.ts';
import { isRunName } from './names.ts';
import type { Session } from './session.ts';

/** What became of a leftover: removed now, gone already, or still there or unknown, and why. */
export type Swept =
  | { readonly leftover: Leftover; readonly fate: 'removed' | 'gone' }
  | { readonly leftover: Leftover; readonly fate: 'left'; readonly why: string };

/**
 * Removes what a run left behind. A tag is removed only where the lists show it under the id and under one of the names
 * that the ledger holds; where the run did not learn the id, only under a name that no other run and nobody else gives.
 */
export function sweep(session: Session, leftovers: readonly Leftover[]): Promise<Swept[]> {
  for (const leftover of leftovers) recall(session, leftover);
  return Promise.all(leftovers.map((leftover) => sweepOne(session, leftover)));
}

/** The tags of the earlier run count as the session's own, as far as the ledger proves them to be. */
function recall({ ledger, names: given }: Session, { tagId, names }: Leftover): void {
  const [first = ''] = names;
  const record = ledger.intend(first);
  for (const name of names) {
    record.names.add(name);
    if (tagId === undefined && isRunName(name)) given.recall(name);
  }
  if (tagId !== undefined) ledger.made(record, tagId);
}

async function sweepOne(session: Session, leftover: Leftover): Promise<Swept> {
  try {
    const there = await find(session, leftover);
    const [exchange, ...others] = await Promise.all(there.map(({ tagId }) => session.delete(tagId)));
    if (exchange === undefined) return { leftover, fate: 'gone' };
    const { good } = await session.settling.until(
      async () => ({ there: await find(session, leftover), exchanges: [] }),
      (look) => look.there.length === 0,
    );
    const isGone = [exchange, ...others].every((one) => statusOf(one) === 404);
    if (good) return { leftover, fate: isGone ? 'gone' : 'removed' };
    return { leftover, fate: 'left', why: `the delete ${whatCame(exchange)}, and the tag is still listed` };
  } catch (error) {
    if (error instanceof Undecided) return { leftover, fate: 'left', why: error.message };
    throw error;
  }
}

/**
 * The tag as the lists show it now; nothing where it is not there, or no longer the one in the ledger. Where the run did
 * not learn the id, it may have given the name to others as well: all of them are its own.
 */
async function find(session: Session, { tagId, names }: Leftover): Promise<readonly Listed[]> {
  const { entries } = await session.look(tagId, ...names);
  return entries.filter(({ tagId: id, name }) => {
    if (typeof name !== 'string' || !names.has(name)) return false;
    return tagId === undefined ? isRunName(name) : id === tagId;
  });
}
