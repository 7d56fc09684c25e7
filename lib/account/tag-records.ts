import type { TagRecord } from './tag-record.ts';

/**
 * The tag with these letters in its name whose create has no clear answer. A create under way does not count: until it is
 * answered, a listed tag of that name may also be somebody's copy.
 */
export const unconfirmedOf = (records: readonly TagRecord[], letters: string): TagRecord | undefined =>
  records.find(
    ({ state, names, isUnderWay }) =>
      !isUnderWay &&
      (state === 'intended' || state === 'refused') &&
      [...names].some((name) => name.toLowerCase().includes(letters)),
  );

/** The tag whose create was answered with this tag_id, as long as no list has confirmed it. */
export const unclaimedOf = (records: readonly TagRecord[], tagId: string): TagRecord | undefined =>
  records.findLast(({ state, given }) => state === 'intended' && given?.tagId === tagId);

/** Whether a deleted tag of this name had the tag_id. Another tag may have it by now. */
export const hadId = (records: readonly TagRecord[], tagId: string | undefined, name: string): boolean =>
  records.some((former) => former.state === 'removed' && former.tagId === tagId && former.names.has(name));

const count = (records: readonly TagRecord[], isCounted: (record: TagRecord) => boolean): number =>
  records.filter(isCounted).length;

/**
 * How many tags may be left on the target.
 *
 * @param deletesWork whether lists have shown that deletes have a lasting effect. If not, all tags may be left.
 */
export function mayBeLeft(records: readonly TagRecord[], deletesWork: boolean): number {
  if (!deletesWork) return count(records, ({ state }) => state !== 'refused');
  return toTidy(records).made + count(records, isUnnamed);
}

/** Whether the create was acknowledged but lists do not show which tag it made. */
const isUnnamed = ({ state, isAcknowledged, mayBeRefused, shownAs }: TagRecord): boolean =>
  state === 'intended' && ((isAcknowledged && !mayBeRefused) || shownAs !== undefined);

/** The number of tags to remove, and the number of creates that may have made another tag. */
export const toTidy = (
  records: readonly TagRecord[],
): { readonly made: number; readonly unclear: number } => ({
  made: count(
    records,
    ({ state, outlivedDelete }) => state === 'alive' || state === 'deleting' || outlivedDelete,
  ),
  unclear: count(records, ({ state }) => state === 'intended'),
});

/**
 * Whether a new tag was given the tag_id of a deleted tag although a tag with a higher tag_id existed.
 *
 * @param former the tag that had the tag_id.
 * @param sentAt when the create was sent, by `performance.now()`.
 */
export const isGap = (
  records: readonly TagRecord[],
  former: TagRecord | undefined,
  sentAt: number,
): boolean =>
  former?.state === 'removed' &&
  records.some(
    (other) =>
      other.state === 'alive' &&
      !other.mayBeGone &&
      isHigher(other.tagId ?? '', former.tagId ?? '') &&
      (other.madeAt ?? Infinity) < sentAt,
  );

/** Whether a tag_id is higher than another one, if tag_ids count up in any base. */
const isHigher = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;
