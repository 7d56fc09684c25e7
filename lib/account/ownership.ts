import type { Exchange } from '../http/exchange.ts';
import { listedIn, type Listed } from '../spec/reading.ts';
import { PLAIN_LETTERS, type Names } from './names.ts';
import type { TagRecord, Tags } from './tags.ts';

/**
 * Tells the run's tags from those of strangers. A tag_id that a list showed under a name that is not the run's is a
 * stranger's. It is never touched, whatever the target says of it later.
 */
export class Ownership {
  readonly #strangers = new Set<string>();
  readonly #tags: Tags;
  readonly #names: Names;

  constructor(tags: Tags, names: Names) {
    this.#tags = tags;
    this.#names = names;
  }

  isStranger(tagId: string): boolean {
    return this.#strangers.has(tagId);
  }

  /**
   * Learns from a list whose tags are whose.
   *
   * @param askedAt when the list was requested, by `performance.now()`.
   * @param settleMs how long an effect may take to show in a list.
   */
  learn(list: Exchange, askedAt = 0, settleMs = Number.POSITIVE_INFINITY): void {
    const listed = listedIn(list) ?? [];
    // Before the run has made anything, every listed tag is somebody else's, under whichever name.
    if (this.#tags.records.length === 0) for (const { tagId } of listed) this.#strangers.add(tagId);
    const ids = new Set(listed.map(({ tagId }) => tagId));
    for (const tag of listed) {
      if (this.#strangers.has(tag.tagId)) continue;
      const living = this.#tags.living(tag.tagId);
      if (living !== undefined && this.#isConfirmed(living, tag)) continue;
      // A list that was requested before a delete may arrive after it.
      if (typeof tag.name === 'string' && this.#tags.wasDeleted(tag.tagId, tag.name))
        this.#tags.showsDeleted(tag.tagId, list, askedAt, settleMs);
      else this.#identify(tag, ids);
    }
  }

  /** Learns from the answer to a create, unless the tag_id is known to be a stranger's. */
  adopt(record: TagRecord, { tagId, name }: Listed): void {
    if (this.#strangers.has(tagId)) return;
    this.#tags.made(record, tagId);
    // Some targets keep a name in a form of their own. Any other name could be that of somebody's tag.
    if (typeof name === 'string' && !record.names.has(name) && isFormOf(name, record))
      this.#tags.renaming(tagId, name);
  }

  /** Whether a living tag of the run is what the list shows; else the create had answered a stranger's tag_id. */
  #isConfirmed(living: TagRecord, { name }: Listed): boolean {
    if (typeof name === 'string' && living.names.has(name)) this.#tags.seenAs(living, name);
    if (living.isSeen) return true;
    this.#tags.disown(living, String(name));
    return false;
  }

  #identify({ tagId, name }: Listed, ids: ReadonlySet<string>): void {
    const record = typeof name === 'string' ? this.#recordOf(name) : undefined;
    if (record !== undefined) this.#recognise(record, tagId, String(name), ids);
    // A body may give a name of the run that no create was recorded with: the answer to it tells whose the tag is.
    else if (typeof name !== 'string' || !this.#names.isOwn(name)) this.#strangers.add(tagId);
  }

  /** The tag of the run that is listed under that name. */
  #recordOf(name: string): TagRecord | undefined {
    const letters = folded(name).slice(0, PLAIN_LETTERS);
    const hasOwnLetters = this.#names.isOwn(letters);
    // The run may have given the name in capitals.
    const known = hasOwnLetters || this.#names.isOwn(name) ? this.#tags.named(name) : undefined;
    if (known !== undefined) return known;
    // A create whose answer was lost may have made a tag whose name is kept in another form.
    return hasOwnLetters ? this.#tags.unconfirmed(letters) : undefined;
  }

  #recognise(record: TagRecord, tagId: string, name: string, ids: ReadonlySet<string>): void {
    if (record.state === 'deleting' || record.state === 'removed') return;
    // One list shows the name twice: the create made a second tag, which the run has to remove as well.
    const isSecond = record.state === 'alive' && record.tagId !== undefined && ids.has(record.tagId);
    const tag = isSecond ? this.#tags.copied(record, name) : record;
    this.#tags.made(tag, tagId);
    this.#tags.seenAs(tag, name);
  }
}

/** Folds what targets fold that keep names in a form of their own: letter case, accents, blanks, format characters. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}]/gu, '')
    .toLowerCase();

const isFormOf = (name: string, { names }: TagRecord): boolean =>
  [...names].some(
    (given) =>
      given !== '' &&
      (folded(given) === folded(name) ||
        (given.length >= PLAIN_LETTERS && name.startsWith(given.slice(0, PLAIN_LETTERS)))),
  );
