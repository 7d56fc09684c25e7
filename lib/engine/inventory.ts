import { Undecided } from '../outcome.ts';
import { listedIn, type Listed } from './listing.ts';
import type { Session } from './session.ts';

/** Other people's tags in the list, before and after the run: how many, and what became of them meanwhile. */
export interface Inventory {
  readonly before: number;
  readonly after: number;
  /** Of those before: no longer listed, or under another name. Other people may have done that. */
  readonly gone: number;
  readonly changed: number;
  /** Updates and deletes of this run whose path names one of them. There should be none. */
  readonly addressed: number;
}

/**
 * Compares the list after a run with the one before it.
 *
 * @param before what the list held before the run made anything; undefined where it could not be read.
 */
export async function inventory(
  session: Session,
  before: readonly Listed[] | undefined,
): Promise<Inventory | undefined> {
  if (before === undefined) return undefined;
  try {
    const after = listedIn(await session.list());
    if (after === undefined) return undefined;
    const now = new Map(after.map(({ tagId, name }) => [tagId, JSON.stringify(name)]));
    const others = after.filter(({ tagId }) => session.ledger.holder(tagId) === undefined);
    return {
      before: before.length,
      after: others.length,
      gone: before.filter(({ tagId }) => !now.has(tagId)).length,
      changed: before.filter(({ tagId, name }) => now.has(tagId) && now.get(tagId) !== JSON.stringify(name))
        .length,
      addressed: before.filter(({ tagId }) => session.addressed.has(tagId)).length,
    };
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}
