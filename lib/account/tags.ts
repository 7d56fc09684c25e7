import { isClientError, slim, type Exchange } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import type { Listed } from '../spec/reading.ts';
import type { Look } from './look.ts';
import { Deleted } from './deleted.ts';
import type { AccountLabel, Entry, Ledger } from './ledger.ts';
import type { Signs } from './signs.ts';
import { howGone, OwnedTag, type Mark, type TagRecord } from './tag-record.ts';

/** The tags that the run made in one account. Only this class changes their state and writes it to the ledger. */
export class Tags {
  readonly #records: OwnedTag[] = [];
  readonly #byName = new Map<string, OwnedTag>();
  readonly #byId = new Map<string, OwnedTag>();
  readonly deleted = new Deleted();
  readonly #write: (entry: Entry) => void;
  readonly #signs: Signs;
  /** How long a delete may take to show in a list, in milliseconds. */
  readonly settleMs: number;

  constructor(ledger: Ledger, label: AccountLabel, signs: Signs, settleMs: number) {
    this.#write = (entry) => ledger.write(entry, label);
    this.#signs = signs;
    this.settleMs = settleMs;
  }

  get records(): readonly TagRecord[] {
    return this.#records;
  }

  /** The tag that has this name, had it, or was to have it. */
  named(name: string): TagRecord | undefined {
    return this.#byName.get(name);
  }

  /** The tag that has this tag_id, or had it. */
  withId(tagId: string): TagRecord | undefined {
    return this.#byId.get(tagId);
  }

  /** The living tag with this tag_id. */
  living(tagId: string): TagRecord | undefined {
    const record = this.#byId.get(tagId);
    return record?.state === 'alive' ? record : undefined;
  }

  /** Whether the run deleted the tag with this tag_id and name, or is deleting it. `isForm`: whether it is a form of a name. */
  wasDeleted(tagId: string, name: string, isForm?: (record: TagRecord) => boolean): boolean {
    const record = this.#byId.get(tagId);
    if (record?.state !== 'removed' && record?.state !== 'deleting') return false;
    return record.names.has(name) || isForm?.(record) === true;
  }

  /**
   * Call this before a create is sent, with every name that the tag may get.
   *
   * @throws Undecided if the ledger cannot store the intent.
   */
  intend(...names: readonly string[]): TagRecord {
    const record = new OwnedTag(this.#records.length, names);
    for (const name of names) this.#write({ event: 'intent', key: record.key, name });
    this.#records.push(record);
    for (const name of names) this.#byName.set(name, record);
    return record;
  }

  /** Call this before an update of an unknown tag_id is sent, because it may make a tag with that name. */
  intendUpdate(name: string, tagId: string): TagRecord {
    return Object.assign(this.#own(this.intend(name)), { updatedId: tagId });
  }

  /**
   * Sends the create of the tag. It counts as under way until its answer is read: a tag that is neither under way nor known
   * would leave room for one more.
   */
  async making(
    tag: TagRecord,
    send: () => Promise<Exchange>,
    conclude: (exchange: Exchange) => void,
  ): Promise<Exchange> {
    const record = this.#own(tag);
    record.isUnderWay = true;
    let exchange: Exchange | undefined;
    try {
      exchange = await send();
      conclude(exchange);
      return exchange;
    } finally {
      record.isUnderWay = false;
      if (exchange === undefined || exchange.failure?.kind === 'timeout')
        record.givenUpAt = performance.now();
    }
  }

  /**
   * The create was acknowledged.
   *
   * @param given the tag in the answer, which may be a stranger's; undefined if the answer shows none.
   * @param mayBeRefusal whether the answer may be a refusal of the token.
   */
  acknowledged(tag: TagRecord, creation: Exchange, given: Listed | undefined, mayBeRefusal = false): void {
    const record = this.#own(tag);
    record.creation = slim(creation);
    record.given = given;
    record.mayBeRefused = mayBeRefusal;
  }

  /** The target keeps the name in this form. Used while the tag_id is not known. */
  keptAs(tag: TagRecord, name: string): void {
    const record = this.#own(tag);
    this.#write({ event: 'intent', key: record.key, name });
    record.names.add(name);
    record.name = name;
    this.#byName.set(name, record);
  }

  /** An answer or a list showed the tag_id of the tag. */
  made(tag: TagRecord, tagId: string): void {
    const record = this.#own(tag);
    if (record.tagId === tagId && record.state === 'alive') return;
    if (!record.isOfUpdate) this.deleted.idGiven(this.#byId.get(tagId), this.#records, record.intendedAt);
    this.#write({ event: 'made', key: record.key, tag_id: tagId });
    record.hasOtherId ||= ![undefined, tagId].includes(record.tagId);
    record.tagId = tagId;
    record.madeAt = performance.now();
    record.firstMadeAt ??= record.madeAt;
    record.state = 'alive';
    this.#byId.set(tagId, record);
  }

  /** Notes what a request or a list has shown of the tag. */
  mark(tag: TagRecord, ...marks: readonly Mark[]): void {
    const record = this.#own(tag);
    for (const mark of marks) record[mark] = true;
  }

  /** A stranger's tag has a name that the run is about to use. */
  strange(tagId: string): void {
    this.#write({ event: 'strange', tag_id: tagId });
  }

  /** The target gave this tag_id to a tag of somebody else. */
  gaveId(tagId: string): void {
    this.deleted.idGiven(this.#byId.get(tagId));
  }

  /** A list showed the tag with this name of the run, or with a form of it. */
  seenAs(tag: TagRecord, name: string, askedAt: number): void {
    const record = this.#own(tag);
    if (!record.names.has(name) && record.tagId !== undefined) this.renaming(record.tagId, name);
    record.isSeen = true;
    record.shownAt = Math.max(record.shownAt, askedAt);
    const order = [...record.names];
    // A list that lags shows an earlier name.
    if (order.indexOf(name) > order.indexOf(record.name)) record.name = name;
  }

  /** The create made a second tag of the same name. */
  copied(tag: TagRecord, name: string): TagRecord {
    const copy = this.intend(name);
    this.#own(tag).copies.push(this.#own(copy));
    return copy;
  }

  /** The tag_id in the create's answer is a stranger's: a list shows it with this name. */
  disown(tag: TagRecord, shownAs: string): void {
    const record = this.#own(tag);
    if (record.tagId !== undefined) this.#byId.delete(record.tagId);
    record.tagId = undefined;
    record.state = 'intended';
    record.shownAs = shownAs;
  }

  /** The create made no tag. `refusal`: the create, if its answer is clear. */
  refused(tag: TagRecord, refusal?: Exchange): void {
    const record = this.#own(tag);
    if (record.state !== 'intended') return;
    this.#write({ event: 'refused', key: record.key });
    record.state = 'refused';
    if (refusal === undefined) return;
    record.refusal = slim(refusal);
    record.refusedAt = performance.now();
  }

  /** Call this before an update is sent. */
  renaming(tagId: string, name: string): void {
    this.#write({ event: 'renaming', tag_id: tagId, name });
    const record = this.#byId.get(tagId);
    record?.names.add(name);
    if (record !== undefined) this.#byName.set(name, record);
  }

  /** The target acknowledged an update. */
  updated(tagId: string, name: string, exchange: Exchange): void {
    const record = this.#byId.get(tagId);
    if (record === undefined) return;
    record.updates.push({ name, sentAt: exchange.startedAt, exchange: slim(exchange) });
    record.name = name;
  }

  /** Sends an update or a delete of the tag with this tag_id, and notes whether another write overlaps it. */
  async writing(
    tagId: string,
    operation: 'rename' | 'delete',
    write: () => Promise<Exchange>,
  ): Promise<Exchange> {
    const record = this.#byId.get(tagId);
    if (record === undefined) return write();
    record.writes++;
    if (record.writes > 1) record.isContended = true;
    const wasRemoved = record.state === 'removed';
    let exchange: Exchange | undefined;
    try {
      exchange = await write();
      return exchange;
    } finally {
      // A request without an answer may be carried out at any time. After the removal, deletes and refused requests do not
      // matter.
      const isRefused = exchange !== undefined && isClientError(exchange);
      if (wasRemoved ? operation !== 'delete' && !isRefused : exchange?.answer === undefined)
        record.isContended = true;
      record.writes--;
      record.writtenAt = performance.now();
    }
  }

  /** Deletes a living tag. While the delete is under way, the tag_id may pass to another tag. */
  async deleting<T>(tag: TagRecord, remove: () => Promise<T>): Promise<T> {
    const record = this.#own(tag);
    record.state = 'deleting';
    const deletion = remove();
    record.deletion = deletion;
    try {
      return await deletion;
    } catch (error) {
      if (error instanceof Undecided && error.wasSent) record.mayBeGone = true;
      throw error;
    } finally {
      if (record.state === 'deleting') {
        record.state = 'alive';
        record.withstoodDelete = true;
      }
      record.deletion = undefined;
    }
  }

  /**
   * The tag was deleted, or found to be gone. The ledger records that only when lists no longer show the tag.
   *
   * @param removal the delete that was answered.
   */
  removed(tag: TagRecord, removal?: Exchange): void {
    const record = this.#own(tag);
    record.removedAt ??= performance.now();
    if (removal !== undefined) record.removal ??= slim(removal);
    record.state = 'removed';
    this.deleted.add(record);
  }

  /** A list no longer shows deleted tags: see `Deleted.absent`. */
  absent(...look: Parameters<Deleted['absent']>): void {
    for (const { tagId, key } of this.deleted.absent(...look))
      if (tagId !== undefined) this.#write({ event: 'removed', key, tag_id: tagId });
  }

  /** A list shows the deleted tag with this tag_id. It still exists if the time that its delete may take has passed. */
  outlives(tagId: string): void {
    const record = this.#byId.get(tagId);
    if (record?.state !== 'removed' || performance.now() <= (record.removedAt ?? 0) + this.settleMs) return;
    record.outlivedDelete = true;
    this.deleted.shown(record);
  }

  /**
   * A list shows the deleted tag with this tag_id. That is a sign if the list was requested after the settle time.
   *
   * @param isNarrow whether it was requested with another token than the run's, which may see the tag for longer.
   */
  showsDeleted(tagId: string, { exchange: list, askedAt }: Look, isNarrow = false): void {
    const record = this.#byId.get(tagId);
    if (record?.state !== 'removed' || record.outlivedDelete || record.isContended) return;
    if (record.removedAt === undefined || askedAt <= record.removedAt + this.settleMs) return;
    if (!isNarrow) this.outlives(tagId);
    this.#signs.record(
      'delete-without-effect',
      `${howGone(record)}, yet a list that was requested later shows the tag`,
      ...(record.removal === undefined ? [] : [record.removal]),
      list,
    );
  }

  #own({ key }: TagRecord): OwnedTag {
    const record = this.#records[key];
    if (record === undefined) throw new Error(`there is no tag ${key} in this account`);
    return record;
  }
}
