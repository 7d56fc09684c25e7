import { ifDecided } from '../outcome.ts';
import { listedIn, textOfName, type Listed } from '../spec/reading.ts';
import type { Session } from './session.ts';

/** Strangers' tags of the first account, in the lists before and after the run. */
export interface Inventory {
  readonly before: number;
  readonly after: number;
  /** Tags that are no longer listed. Other people may have removed them. They are not counted if lists are pages. */
  readonly gone: number;
  /** Tags that are listed with another name. Other people may have renamed them. */
  readonly changed: number;
  /** Tags whose tag_id was in the path of an update or a delete of this run. There should be none. */
  readonly addressed: number;
  /** Further tags in the list after the run that the report names nowhere. Other people may have made them. */
  readonly appeared: number;
  /** Further tags that a create made. They have names of this run, and were removed. */
  readonly copies: number;
}

/**
 * Compares the list after the run with the list before it. Undefined if one of them cannot be read.
 *
 * @param told the names of the tags of the run that are left, or may be.
 */
export async function inventory(
  { first, before, pageSize = Infinity }: Session,
  told: readonly string[] = [],
): Promise<Inventory | undefined> {
  const list =
    before === undefined
      ? undefined
      : await ifDecided(() => first.list(undefined, { opensConnection: true }));
  const after = list === undefined ? undefined : listedIn(list);
  if (before === undefined || after === undefined) return undefined;
  const now = new Map(after.map(({ tagId, name }) => [tagId, JSON.stringify(name)]));
  // The run may have ended before it knew that lists are pages. A list that lacks a living tag of the run may be one, and so
  // may a list as long as any with tags of the run.
  const lacksOwn = first.tags.records.some(({ state, tagId = '' }) => state === 'alive' && !now.has(tagId));
  const isLongest = first.tags.records.length > 0 && after.length >= first.longestList;
  const mayBePage = after.length >= pageSize || lacksOwn || isLongest;
  const known = new Set(before.map(({ tagId }) => tagId));
  const isNew = ({ tagId, name }: Listed): boolean => !known.has(tagId) && !told.includes(textOfName(name));
  return {
    before: before.length,
    after: after.filter(({ tagId }) => first.tags.withId(tagId) === undefined).length,
    gone: mayBePage ? 0 : before.filter(({ tagId }) => !now.has(tagId)).length,
    changed: before.filter(({ tagId, name }) => now.has(tagId) && now.get(tagId) !== JSON.stringify(name))
      .length,
    addressed: before.filter(({ tagId }) => first.addressed.has(tagId)).length,
    appeared: mayBePage ? 0 : after.filter(isNew).length,
    copies: first.tags.records.reduce((sum, { copies }) => sum + copies.length, 0),
  };
}
