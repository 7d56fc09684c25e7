import { ifDecided } from '../outcome.ts';
import { listedIn } from '../spec/reading.ts';
import type { Session } from './session.ts';

/** Other people's tags of the first account, in the list before and after the run. */
export interface Inventory {
  readonly before: number;
  readonly after: number;
  /** Listed before, and no longer. Other people may have removed them. What another page may show is not counted. */
  readonly gone: number;
  /** Listed before under another name. Other people may have renamed them. */
  readonly changed: number;
  /** Listed before, and named in the path of an update or a delete of this run. There should be none. */
  readonly addressed: number;
  /** Tags with names of this run that no create had answered. They were removed, as what its creates had made. */
  readonly copies: number;
}

/** Compares the list after the run with the one before it; undefined if either cannot be read. */
export async function inventory({
  first,
  before,
  pageSize = Infinity,
}: Session): Promise<Inventory | undefined> {
  const list = before === undefined ? undefined : await ifDecided(() => first.list());
  const after = list === undefined ? undefined : listedIn(list);
  if (before === undefined || after === undefined) return undefined;
  const now = new Map(after.map(({ tagId, name }) => [tagId, JSON.stringify(name)]));
  return {
    before: before.length,
    after: after.filter(({ tagId }) => first.tags.withId(tagId) === undefined).length,
    gone: after.length < pageSize ? before.filter(({ tagId }) => !now.has(tagId)).length : 0,
    changed: before.filter(({ tagId, name }) => now.has(tagId) && now.get(tagId) !== JSON.stringify(name))
      .length,
    addressed: before.filter(({ tagId }) => first.addressed.has(tagId)).length,
    copies: first.tags.records.reduce((sum, { copies }) => sum + copies.length, 0),
  };
}
