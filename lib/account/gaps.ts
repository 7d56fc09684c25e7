import type { TagRecord } from './tag-record.ts';

/**
 * Whether a create that was sent then was given the tag_id of a deleted tag, and a tag with a higher one was there before.
 *
 * @param former the tag that had the tag_id.
 * @param sentAt by `performance.now()`.
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

/** Whether a tag_id that counts up, in whatever digits, comes after another one. */
const isHigher = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;
