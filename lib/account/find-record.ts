import type { TagRecord } from './tag-record.ts';

/**
 * The tag with these letters in its name whose create has no clear answer. Not while the answer may still come: until
 * then, a listed tag of such a name may also be somebody else's copy.
 */
export const unconfirmedOf = (records: readonly TagRecord[], letters: string): TagRecord | undefined =>
  records.find(
    ({ state, names, isUnderWay }) =>
      !isUnderWay &&
      (state === 'intended' || state === 'refused') &&
      [...names].some((name) => name.toLowerCase().includes(letters)),
  );

/** The tag whose create answered that tag_id, as long as no list has confirmed it. */
export const unclaimedOf = (records: readonly TagRecord[], tagId: string): TagRecord | undefined =>
  records.findLast(({ state, given }) => state === 'intended' && given?.tagId === tagId);

/** Whether a deleted tag of this name had that tag_id, which may be another tag's by now. */
export const hadId = (records: readonly TagRecord[], tagId: string | undefined, name: string): boolean =>
  records.some((former) => former.state === 'removed' && former.tagId === tagId && former.names.has(name));
