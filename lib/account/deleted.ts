import type { Record, TagRecord } from './tag-record.ts';
import { isGap } from './tag-records.ts';

/** One wrong list may show one or two deleted tags again. This many have come back for good. */
const MANY = 3;

/** The deleted tags of one account: which of them lists have shown to be gone, and whether their tag_ids are given again. */
export class Deleted {
  readonly #unconfirmed = new Set<Record>();
  #hasSeenToGo = false;
  readonly #back = new Set<Record>();
  #givesIdsAgain = false;
  #fillsGaps = false;

  add(record: Record): void {
    this.#unconfirmed.add(record);
  }

  /** A list has shown that a deleted tag is gone. */
  get hasSeenToGo(): boolean {
    return this.#hasSeenToGo;
  }

  /** Lists have shown deleted tags that others had shown to be gone. */
  get haveComeBack(): boolean {
    return this.#back.size >= MANY;
  }

  /** The target has given the tag_id of a deleted tag to another one. */
  get givesIdsAgain(): boolean {
    return this.#givesIdsAgain;
  }

  /** It has done so although a higher tag_id was in use. */
  get fillsGaps(): boolean {
    return this.#fillsGaps;
  }

  /**
   * A tag was given a tag_id.
   *
   * @param former the tag of the run that had the tag_id before, if any.
   * @param records all tags of the account, and when the create of the new tag was sent; none if it is not the run's.
   */
  idGiven(former: TagRecord | undefined, records: readonly TagRecord[] = [], sentAt = 0): void {
    this.#givesIdsAgain ||= former?.state === 'removed';
    this.#fillsGaps ||= isGap(records, former, sentAt);
  }

  /** A list shows a deleted tag when its delete has had the time to take effect. */
  shown(record: Record): void {
    if (!this.#unconfirmed.has(record)) this.#back.add(record);
  }

  /**
   * A deleted tag that no list has shown to be gone yet, and whose names no other tag that may exist has.
   *
   * @param records all tags of the account.
   */
  notSeenToGo(records: readonly TagRecord[]): TagRecord | undefined {
    const existing = records.filter(({ state }) => state !== 'removed' && state !== 'refused');
    const taken = new Set(existing.flatMap(({ names }) => [...names]));
    return [...this.#unconfirmed].find(({ names }) => ![...names].some((name) => taken.has(name)));
  }

  /**
   * A list no longer shows deleted tags. A tag that was updated may have one or the other name: it is gone once lists have
   * covered them all.
   *
   * @param shows whether the list shows the tag.
   * @param covers the names with which the list would show the tag if it existed.
   * @returns the tags that are gone now.
   */
  absent(shows: (tag: TagRecord) => boolean, covers: (tag: TagRecord) => readonly string[]): Record[] {
    return [...this.#unconfirmed].filter((record) => {
      const { state, tagId } = record;
      if (state !== 'removed' || tagId === undefined || shows(record)) return false;
      for (const name of covers(record)) record.notShownAs.add(name);
      // No list is filtered by an empty name.
      if ([...record.names].some((name) => name !== '' && !record.notShownAs.has(name))) return false;
      this.#unconfirmed.delete(record);
      this.#hasSeenToGo = true;
      return true;
    });
  }
}
