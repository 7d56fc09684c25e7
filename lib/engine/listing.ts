import { accepted, jsonOf, type Exchange } from '../http/exchange.ts';
import type { Ledger, Record } from './ledger.ts';
import type { Names } from './names.ts';

/** A tag as a list shows it, read leniently: what drives the run is not what is judged. */
export interface Listed {
  readonly tagId: string;
  readonly name: unknown;
}

/** The tags in the answer to a list, or undefined where it cannot be read as one. */
export function listedIn(exchange: Exchange): Listed[] | undefined {
  const body = jsonOf(exchange);
  if (!accepted(exchange) || typeof body !== 'object' || body === null) return undefined;
  const tagging = (body as { tagging?: unknown }).tagging;
  return Array.isArray(tagging) ? tagging.flatMap((item) => tagIn(item) ?? []) : undefined;
}

/** The names in the answer to a list, also those of entries without a tag_id that could be worked with. */
export function namesIn(exchange: Exchange): string[] {
  const body = jsonOf(exchange);
  if (!accepted(exchange) || typeof body !== 'object' || body === null) return [];
  const tagging = (body as { tagging?: unknown }).tagging;
  if (!Array.isArray(tagging)) return [];
  return tagging.flatMap((item: unknown) => {
    const name: unknown = (item as { name?: unknown } | null)?.name;
    return typeof name === 'string' ? name : [];
  });
}

/** The tag in the answer to a create, as far as it says one. */
export function createdIn(exchange: Exchange): Listed | undefined {
  const body = jsonOf(exchange);
  if (!accepted(exchange) || typeof body !== 'object' || body === null) return undefined;
  return tagIn((body as { tagging?: unknown }).tagging);
}

/** What is longer fits into no path. */
const MOST_ID = 4_096;

function tagIn(item: unknown): Listed | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { tag_id: id, name } = item as { tag_id?: unknown; name?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return id === '' || String(id).length > MOST_ID ? undefined : { tagId: String(id), name };
}

/**
 * Tells the run's tags from those of strangers. An id that was seen under a name which is not the run's is a
 * stranger's and is never touched, whatever the target says of it later.
 */
export class Ownership {
  readonly #strangers = new Set<string>();
  readonly #ledger: Ledger;
  readonly #names: Names;

  constructor(ledger: Ledger, names: Names) {
    this.#ledger = ledger;
    this.#names = names;
  }

  isStranger(tagId: string): boolean {
    return this.#strangers.has(tagId);
  }

  /**
   * Learns from a list: tags with a name that only this run can have given are its own.
   *
   * @param asked when the list was asked for, and how long effects may take to show in one.
   */
  learn(listed: readonly Listed[], asked?: { readonly at: number; readonly settleMs: number }): void {
    // Before the run has made anything, whatever a list shows is somebody else's, under whichever name.
    if (this.#ledger.records.length === 0) for (const { tagId } of listed) this.#strangers.add(tagId);
    const here = new Map(listed.map((tag) => [tag.tagId, tag]));
    for (const { tagId, name } of listed) {
      if (this.#strangers.has(tagId)) continue;
      const living = this.#ledger.living(tagId);
      if (living !== undefined) {
        if (typeof name === 'string' && living.names.has(name)) living.seen = true;
        if (living.seen) continue;
        this.#ledger.disowned(living, String(name));
      }
      // A list that was asked before a delete may arrive after it.
      if (typeof name === 'string' && this.#ledger.wasDeleted(tagId, name)) {
        if (asked !== undefined) this.#ledger.showsDeleted(tagId, asked.at, asked.settleMs);
        continue;
      }
      const record = typeof name === 'string' ? this.#recordOf(name) : undefined;
      if (record !== undefined) this.#recognise(record, tagId, String(name), here);
      // A body may give a name that no create was said to give: whose it is its answer tells.
      else if (typeof name !== 'string' || !this.#names.isOwn(name)) this.#strangers.add(tagId);
    }
  }

  /** The tag of the run that is listed under that name. */
  #recordOf(name: string): Record | undefined {
    const letters = folded(name).slice(0, OWN_LETTERS);
    const hasLetters = this.#names.isOwn(letters);
    // In capitals it is the run's as well, if the run gave it so.
    const known = hasLetters || this.#names.isOwn(name) ? this.#ledger.named(name) : undefined;
    if (known !== undefined) return known;
    // A create whose answer was lost may have made a tag whose name is kept in another form.
    return hasLetters ? this.#ledger.unanswered(letters) : undefined;
  }

  #recognise(record: Record, tagId: string, name: string, here: ReadonlyMap<string, Listed>): void {
    if (record.state === 'removing' || record.state === 'removed') return;
    // The same name twice in one list: the target made a second tag, and the run has to remove that one too.
    const second = record.state === 'alive' && record.tagId !== undefined && here.has(record.tagId);
    const owner = second ? this.#ledger.intend(name) : record;
    if (owner !== record) record.copies.push(owner);
    this.#ledger.made(owner, tagId);
    if (!owner.names.has(name)) this.#ledger.renaming(tagId, name);
    owner.seen = true;
  }

  /** Learns from the answer to a create. An id that somebody's tag has already is not believed. */
  adopt(record: Record, created: Listed): void {
    if (this.#strangers.has(created.tagId)) return;
    // A form in which the name is kept, as some targets do; anything else could be the name of somebody's tag.
    const { name } = created;
    const isForm = typeof name === 'string' && !record.names.has(name) && isFormOf(name, record);
    this.#ledger.made(record, created.tagId);
    if (isForm) this.#ledger.renaming(created.tagId, name);
  }
}

/** Folds what targets fold that keep names in a form of their own: letter case, accents, blanks, format characters. */
const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}]/gu, '')
    .toLowerCase();

/** The letters of a plain name, which nobody else's name begins with. */
const OWN_LETTERS = 16;

const isFormOf = (name: string, { names }: Record): boolean =>
  [...names].some(
    (given) =>
      given !== '' &&
      (folded(given) === folded(name) ||
        (given.length >= OWN_LETTERS && name.startsWith(given.slice(0, OWN_LETTERS)))),
  );
