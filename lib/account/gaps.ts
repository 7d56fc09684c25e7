import type { TagRecord } from './tag-record.ts';

/**
 * Whether a create was given the tag_id of a deleted tag although a tag with a higher tag_id existed before it.
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

/** Whether a tag_id that counts up, in whatever digits, comes after another one. */
const isHigher = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;
