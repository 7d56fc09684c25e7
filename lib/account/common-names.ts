import type { Exchange } from '../http/exchange.ts';
import { listedIn, type Listed } from '../spec/reading.ts';
import type { Names } from './names.ts';
import { isFoldedNameOf } from './ownership.ts';

/** What common names are looked for with. */
interface Lookout {
  /** Lists the tags with that name. */
  readonly list: (name: string) => Promise<Exchange>;
  /** How many tags the longest list without a filter has shown. */
  readonly longest: () => number;
  /** Whether the run deleted a tag with that tag_id and name: a list that is late may still show it. */
  readonly wasDeleted: (tagId: string, name: string) => boolean;
  /** Called once for each tag that was listed with a common name before the run gave it. */
  readonly noteStrange: (tagId: string) => void;
}

/** A tag that a list showed, or a create answered, with a common name that the run gave. */
interface Shown {
  readonly tagId: string;
  readonly name: string;
  /** When the list was requested or the create answered, by `performance.now()`. */
  readonly at: number;
}

/**
 * Names that strangers may have given as well, such as `true`: they hold nothing random of this run. A target may answer
 * a create of such a name with the stranger's tag that has it.
 */
export class CommonNames {
  readonly #names: Names;
  readonly #lookout: Lookout;
  readonly #lookedFor = new Set<string>();
  /** Names that a list as long as a page was filtered by: it may leave out strangers' tags that have them. */
  readonly #onPages = new Set<string>();
  /**
   * The common names of tags that were listed before a create of that name, by tag_id. A tag whose name is blank, or no
   * string, may have any name.
   */
  readonly #taken = new Map<string, Set<string>>();
  /** The common names of listed or answered tags, by tag_id, from the create of that name on. */
  readonly #shown = new Map<string, Shown>();

  constructor(names: Names, lookout: Lookout) {
    this.#names = names;
    this.#lookout = lookout;
  }

  /** To be called before a create is sent: lists show which tags have its common names already, as sent or as kept. */
  async lookFor(names: readonly string[]): Promise<void> {
    const all = [...new Set(names.flatMap((name) => [name, ...this.#forms(name)]))];
    const unknown = all.filter((name) => this.#isCommon(name) && !this.#lookedFor.has(name));
    for (const name of unknown) this.#lookedFor.add(name);
    const { list, longest, wasDeleted } = this.#lookout;
    const lists = await Promise.all(unknown.map(async (name) => listedIn(await list(name)) ?? []));
    const given = { names: new Set(unknown) };
    for (const [at, listed] of lists.entries())
      if (listed.length > 1 && listed.length >= longest()) this.#onPages.add(unknown[at] ?? '');
    // A filter also lets names through that contain the one asked for: their tags are not taken for it.
    for (const { tagId, name } of lists.flat())
      if (typeof name !== 'string' || name.trim() === '') this.#take(tagId, '');
      else if (isFoldedNameOf(name, given) && !wasDeleted(tagId, name)) this.#take(tagId, name);
  }

  /**
   * Whether a new tag of these names could neither be found nor be told from strangers' tags, because the names of so many
   * of these are or contain one of them.
   */
  wouldHide(names: readonly string[]): boolean {
    return names.length > 0 && names.every((name) => this.#names.isCommon(name) && this.#onPages.has(name));
  }

  /**
   * Whether the tag in the answer to a create may be a stranger's: it was listed before, or nobody has looked for its
   * common name.
   *
   * @param names every name that the create may have given.
   */
  mayBeStrangers(names: readonly string[], { tagId, name }: Listed): boolean {
    if (!names.every((given) => this.#names.isCommon(given))) return false;
    const isUnknown = typeof name === 'string' && this.#isCommon(name) && !this.#lookedFor.has(name);
    return isUnknown || this.#isTaken(tagId, new Set(names));
  }

  /** Learns from a list, requested at that time, which tags have a common name that the run gave. */
  learn(listed: readonly Listed[], at: number): void {
    for (const { tagId, name } of listed)
      if (typeof name === 'string' && this.#lookedFor.has(name)) this.#shown.set(tagId, { tagId, name, at });
  }

  /** Learns that a create of a common name answered this tag_id, under a name that nobody has looked for. */
  learnAnswer(names: readonly string[], tagId: string): void {
    const at = performance.now();
    for (const name of names) this.#shown.set(tagId, { tagId, name, at });
  }

  /** The tags that lists or creates have shown with one of these names, and lists did not before the run gave it. */
  newOf(names: ReadonlySet<string>): Shown[] {
    return [...this.#shown.values()].filter(
      ({ tagId, name }) => names.has(name) && !this.#isTaken(tagId, names),
    );
  }

  #take(tagId: string, name: string): void {
    if (!this.#taken.has(tagId)) this.#lookout.noteStrange(tagId);
    this.#taken.set(tagId, (this.#taken.get(tagId) ?? new Set()).add(name));
  }

  #isTaken(tagId: string, names: ReadonlySet<string>): boolean {
    const taken = [...(this.#taken.get(tagId) ?? [])];
    return taken.some((name) => name === '' || isFoldedNameOf(name, { names }));
  }

  /** Forms in which a target may keep a name, and answer the tag that has it. */
  #forms(name: string): string[] {
    return [
      ...this.#names.inKeptCase(name),
      name.toLowerCase(),
      name.normalize('NFD'),
      name.normalize('NFKC'),
    ];
  }

  /** An empty name filters by nothing. */
  #isCommon(name: string): boolean {
    return name !== '' && this.#names.isCommon(name);
  }
}
