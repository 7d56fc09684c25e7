import type { TagRecord } from './tag-record.ts';

const count = (records: readonly TagRecord[], isCounted: (record: TagRecord) => boolean): number =>
  records.filter(isCounted).length;

/**
 * How many tags may be left on the target.
 *
 * @param isAnySeenToGo whether a tag of any account has been seen to go: until then, all that were made may be left.
 */
export function mayBeLeft(records: readonly TagRecord[], isAnySeenToGo: boolean): number {
  if (!isAnySeenToGo) return count(records, ({ state }) => state !== 'refused');
  return count(
    records,
    ({ state, isSeen, outlivedDelete }) =>
      (isSeen && (state === 'alive' || state === 'deleting')) || outlivedDelete,
  );
}

/** How many tags are to be removed, and of how many more no answer tells whether they were made. */
export const toTidy = (
  records: readonly TagRecord[],
): { readonly made: number; readonly unclear: number } => ({
  made: count(
    records,
    ({ state, outlivedDelete }) => state === 'alive' || state === 'deleting' || outlivedDelete,
  ),
  unclear: count(records, ({ state }) => state === 'intended'),
});
