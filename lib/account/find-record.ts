import type { TagRecord } from './tag-record.ts';

/**
 * A tag of which no answer tells whether it was made, and whose name holds these letters. As long as the answer may come,
 * a tag that is listed with such a name may as well be a copy that somebody else made.
 */
export const unconfirmedOf = (records: readonly TagRecord[], letters: string): TagRecord | undefined =>
  records.find(
    ({ state, names, isUnderWay }) =>
      !isUnderWay &&
      (state === 'intended' || state === 'refused') &&
      [...names].some((name) => name.toLowerCase().includes(letters)),
  );

/** The tag whose create answered that tag_id, where nothing tells yet that it has it. */
export const unclaimedOf = (records: readonly TagRecord[], tagId: string): TagRecord | undefined =>
  records.findLast(({ state, given }) => state === 'intended' && given?.tagId === tagId);

/** Whether a deleted tag of this name had that tag_id, which may be another tag's by now. */
export const hadId = (records: readonly TagRecord[], tagId: string | undefined, name: string): boolean =>
  records.some((former) => former.state === 'removed' && former.tagId === tagId && former.names.has(name));
