import type { TagRecord } from '../account/tag-record.ts';
import { Undecided } from '../outcome.ts';

/** The tags that one work has made, without those of its parts. */
export class WorkTags {
  readonly #created: TagRecord[] = [];
  /** Tags that an update may have made. They count as no room, because hardly any target makes them. */
  readonly #byUpdate: TagRecord[] = [];
  /** Tags whose create was not accepted. The target may have made them all the same. */
  readonly #unaccepted = new Set<TagRecord>();
  /** Whether tags still existed after the run had tried to remove them. */
  #wereKept = false;

  addCreated(record: TagRecord, isAccepted: boolean): void {
    this.#created.push(record);
    if (!isAccepted) this.#unaccepted.add(record);
  }

  addOfUpdate(record: TagRecord): void {
    this.#byUpdate.push(record);
  }

  get all(): readonly TagRecord[] {
    return [...this.#created, ...this.#byUpdate];
  }

  /** How many of them exist, as far as the run knows. */
  get alive(): number {
    return this.#created.filter(({ state }) => state === 'alive').length + this.#unclear.size;
  }

  /** How many of them are being deleted, and may still exist. */
  get underDelete(): number {
    return this.#created.filter(({ state }) => state === 'deleting').length;
  }

  /** Names of creates that may have made a tag. Several creates with the same name, sent with various credentials, count once. */
  get #unclear(): ReadonlySet<string> {
    const unclear = this.#created.filter(({ state, isUnfound }) => state === 'intended' && !isUnfound);
    return new Set(unclear.flatMap(({ names }) => [...names].slice(0, 1)));
  }

  /** The run has tried to remove them. */
  noteRemoval(): void {
    this.#wereKept = this.alive > 0;
  }

  /** Whether a tag of this name may be made besides the others, of which there may be so many. */
  hasRoomFor(name: string, most: number): boolean {
    return this.alive < most || this.#unclear.has(name);
  }

  /**
   * The reason why more tags may exist than the work knows of; undefined if there is none.
   *
   * @param isUnsure whether some request of the work got no answer.
   */
  excess(isUnsure: boolean): Undecided | undefined {
    const isUnclear = this.#created.some(
      (record) => record.state === 'intended' || record.mayBeGone || this.#unaccepted.has(record),
    );
    if (isUnclear || isUnsure)
      return new Undecided(
        'failure',
        'creates were answered in a way that does not tell whether they made a tag',
      );
    const isKept = this.#created.some(({ state, withstoodDelete }) => state === 'alive' && withstoodDelete);
    return this.#wereKept || isKept
      ? new Undecided('failure', 'tags of this check could not be removed')
      : undefined;
  }
}
