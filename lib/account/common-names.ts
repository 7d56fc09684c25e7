import type { Listed } from '../spec/reading.ts';
import type { Names } from './names.ts';
import { isFoldedNameOf } from './name-forms.ts';
import type { Tags } from './tags.ts';

/** A tag with a common name that the run used, in a list or in the answer to a create. */
interface Shown {
  readonly tagId: string;
  readonly name: string;
  /** When the list was requested or the create answered, by `performance.now()`. */
  readonly at: number;
}

/**
 * Names that strangers may use as well, such as `true`, because they hold nothing random of this run. A target may answer
 * a create of such a name with a stranger's tag that has the name.
 */
export class CommonNames {
  readonly #names: Names;
  readonly #tags: Tags;
  readonly #lookedFor = new Set<string>();
  /** Names whose filtered list is as long as a page: it may leave out strangers' tags with these names. */
  readonly #onPages = new Set<string>();
  /**
   * The common names of tags that were listed before a create of that name, by tag_id. The empty string stands for any name:
   * the listed name was blank or no string.
   */
  readonly #taken = new Map<string, Set<string>>();
  /** Common names whose create was answered with a tag that may be a stranger's. */
  readonly #answeredAsStrangers = new Set<string>();
  /** By tag_id: tags with a common name that a list or an answer showed after the run had created that name. */
  readonly #shown = new Map<string, Shown>();

  constructor(names: Names, tags: Tags) {
    this.#names = names;
    this.#tags = tags;
  }

  /** The common names among these, in any form that a target may keep, that were not looked for before. */
  toLookFor(names: readonly string[]): readonly string[] {
    const all = [...new Set(names.flatMap((name) => [name, ...this.#forms(name)]))];
    const unknown = all.filter((name) => this.#isCommon(name) && !this.#lookedFor.has(name));
    for (const name of unknown) this.#lookedFor.add(name);
    return unknown;
  }

  /**
   * Learns which tags have common names before a create of such a name is sent.
   *
   * @param lists the tags in the list filtered by each name.
   * @param longest the number of tags in the longest unfiltered list.
   */
  learnBefore(lists: ReadonlyMap<string, readonly Listed[]>, longest: number): void {
    const given = { names: new Set(lists.keys()) };
    for (const [name, listed] of lists)
      if (listed.length > 1 && listed.length >= longest) this.#onPages.add(name);
    // A filter may also find names that contain this one. They do not count.
    for (const { tagId, name } of [...lists.values()].flat())
      if (typeof name !== 'string' || name.trim() === '') this.#take(tagId, '');
      else if (isFoldedNameOf(name, given) && !this.#tags.wasDeleted(tagId, name)) this.#take(tagId, name);
  }

  /**
   * Whether a new tag with these names could neither be found nor be told from strangers' tags: so many of them have these names,
   * or contain them, or an earlier create was answered with a tag that may be a stranger's.
   */
  wouldHide(names: readonly string[]): boolean {
    const isHidden = (name: string): boolean =>
      this.#onPages.has(name) || this.#answeredAsStrangers.has(name);
    return names.length > 0 && names.every((name) => this.#names.isCommon(name) && isHidden(name));
  }

  /**
   * Whether the tag in the answer to a create may be a stranger's: it was listed before, or its common name was not looked
   * for.
   *
   * @param names every name that the create may give the tag.
   */
  mayBeStrangers(names: readonly string[], { tagId, name }: Listed): boolean {
    if (!names.every((given) => this.#names.isCommon(given))) return false;
    const isUnknown = typeof name === 'string' && this.#isCommon(name) && !this.#lookedFor.has(name);
    return isUnknown || this.#isTaken(tagId, new Set(names));
  }

  /** Learns from a list, requested at that time, which tags have a common name that the run used. */
  learn(listed: readonly Listed[], at: number): void {
    for (const { tagId, name } of listed)
      if (typeof name === 'string' && this.#lookedFor.has(name)) this.#shown.set(tagId, { tagId, name, at });
  }

  /** Learns that a create of a common name was answered with this tag_id, and with a name that was not looked for. */
  learnAnswer(names: readonly string[], tagId: string): void {
    const at = performance.now();
    for (const name of names) {
      this.#shown.set(tagId, { tagId, name, at });
      // Bodies without a name are sent in many forms, each of which may be answered otherwise.
      if (name !== '') this.#answeredAsStrangers.add(name);
    }
  }

  /** The tags with one of these names that appeared after the run used the name. */
  newOf(names: ReadonlySet<string>): Shown[] {
    return [...this.#shown.values()].filter(
      ({ tagId, name }) => names.has(name) && !this.#isTaken(tagId, names),
    );
  }

  #take(tagId: string, name: string): void {
    if (!this.#taken.has(tagId)) this.#tags.strange(tagId);
    this.#taken.set(tagId, (this.#taken.get(tagId) ?? new Set()).add(name));
  }

  #isTaken(tagId: string, names: ReadonlySet<string>): boolean {
    const taken = [...(this.#taken.get(tagId) ?? [])];
    return taken.some((name) => name === '' || isFoldedNameOf(name, { names }));
  }

  /** Forms in which a target may keep a name. */
  #forms(name: string): string[] {
    return [
      ...this.#names.inKeptCase(name),
      name.toLowerCase(),
      name.replace(/\s+/g, ' '),
      name.normalize('NFD'),
      name.normalize('NFKC'),
    ];
  }

  /** The empty name does not count: it cannot be filtered by. */
  #isCommon(name: string): boolean {
    return name !== '' && this.#names.isCommon(name);
  }
}
