import { textOfName, type Listed } from '../spec/reading.ts';
import type { OwnedTag, TagRecord } from './tag-record.ts';

/** A single wrong list may show one or two deleted tags again. If this many reappear, deletes do not last. */
const MANY = 3;

/** The deleted tags of one account: which of them lists have shown to be gone, and whether the target reuses their tag_ids. */
export class Deleted {
  readonly #unconfirmed = new Set<OwnedTag>();
  /** A list has shown that a deleted tag is gone. */
  hasSeenDeletesWork = false;
  readonly #back = new Set<OwnedTag>();
  /** The target has given the tag_id of a deleted tag to another tag. */
  givesIdsAgain = false;
  /** It did so while a higher tag_id was in use. */
  fillsGaps = false;

  add(record: OwnedTag): void {
    this.#unconfirmed.add(record);
  }

  /** Lists left out deleted tags, and later lists showed them again. */
  get deletedReappear(): boolean {
    return this.#back.size >= MANY;
  }

  /**
   * A tag was given a tag_id.
   *
   * @param former the tag of the run that had the tag_id before, if any.
   * @param records all tags of the account; none if the new tag is not the run's.
   * @param sentAt when the create of the new tag was sent, by `performance.now()`.
   */
  idGiven(former: TagRecord | undefined, records: readonly TagRecord[] = [], sentAt = 0): void {
    this.givesIdsAgain ||= former?.state === 'removed';
    this.fillsGaps ||= isGap(records, former, sentAt);
  }

  /** A list shows a deleted tag after the time that its delete may take. */
  shown(record: OwnedTag): void {
    if (!this.#unconfirmed.has(record)) this.#back.add(record);
  }

  /**
   * A deleted tag that no list has shown to be gone yet, and whose names no other existing tag has.
   *
   * @param records all tags of the account.
   */
  unconfirmedDeleted(records: readonly TagRecord[]): TagRecord | undefined {
    const existing = records.filter(({ state }) => state !== 'removed' && state !== 'refused');
    const taken = new Set(existing.flatMap(({ names }) => [...names]));
    return [...this.#unconfirmed].find(({ names }) => ![...names].some((name) => taken.has(name)));
  }

  /**
   * Learns from a list which deleted tags are gone. An updated tag may have any of its names: it is gone once lists for all
   * of them have left it out.
   *
   * @param shows whether the list shows the tag.
   * @param covers the names under which the list would show the tag if it existed.
   * @returns the tags that are known to be gone now.
   */
  absent(shows: (tag: TagRecord) => boolean, covers: (tag: TagRecord) => readonly string[]): OwnedTag[] {
    return [...this.#unconfirmed].filter((record) => {
      const { state, tagId } = record;
      if (state !== 'removed' || tagId === undefined || shows(record)) return false;
      for (const name of covers(record)) record.notShownAs.add(name);
      // No list can be filtered by an empty name.
      if ([...record.names].some((name) => name !== '' && !record.notShownAs.has(name))) return false;
      this.#unconfirmed.delete(record);
      this.hasSeenDeletesWork = true;
      return true;
    });
  }
}

/**
 * Whether a deleted tag of this name had the tag_id. Another tag may have it by now.
 *
 * @param since tags whose delete ended before this moment do not count, by `performance.now()`.
 */
export const hadId = (
  records: readonly TagRecord[],
  { tagId, name }: Listed,
  since = Number.NEGATIVE_INFINITY,
): boolean =>
  records.some(
    (former) =>
      former.state === 'removed' &&
      former.tagId === tagId &&
      former.names.has(textOfName(name)) &&
      (former.removedAt ?? Infinity) >= since,
  );

/**
 * Whether a new tag was given the tag_id of a deleted tag although a tag with a higher tag_id existed.
 *
 * @param former the tag that had the tag_id.
 * @param sentAt when the create was sent, by `performance.now()`.
 */
const isGap = (records: readonly TagRecord[], former: TagRecord | undefined, sentAt: number): boolean =>
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
