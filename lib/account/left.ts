import type { TagRecord } from './tag-record.ts';

const count = (records: readonly TagRecord[], isCounted: (record: TagRecord) => boolean): number =>
  records.filter(isCounted).length;

/**
 * How many tags may be left on the target.
 *
 * @param deletesWork whether lists have shown that deleted tags are gone, and stay so: else all that were made may be left.
 */
export function mayBeLeft(records: readonly TagRecord[], deletesWork: boolean): number {
  if (!deletesWork) return count(records, ({ state }) => state !== 'refused');
  return toTidy(records).made + count(records, isUnnamed);
}

/** Whether the create was acknowledged, and no list shows which tag it made. */
const isUnnamed = ({ state, isAcknowledged, mayBeRefused, shownAs }: TagRecord): boolean =>
  state === 'intended' && ((isAcknowledged && !mayBeRefused) || shownAs !== undefined);

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
