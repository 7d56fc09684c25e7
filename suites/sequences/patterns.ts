import { MOST_TAGS, NAME_COUNT, NEVER_MADE, type Step } from './steps.ts';

/** Adds steps to a draft. */
export type Pattern = (draft: Draft) => void;

/**
 * Sequences of steps that reveal faults of state and are rare among random steps. Each uses recently used tags and
 * names, so that patterns interact. Reordering them changes the cases of a seed.
 */
export const PATTERNS: readonly Pattern[] = [
  // A tag gets another name and then its former one. The filter follows immediately, because a later step may hide the
  // fault.
  (draft) => {
    const { tag, name } = draft.anyTag();
    draft.rename(tag, draft.nameOtherThan(name));
    draft.rename(tag, name);
    draft.filter(name);
  },
  // Two tags exchange their names, and both have the same name for a moment.
  (draft) => {
    const [one, other] = draft.twoTags();
    draft.rename(one.tag, other.name);
    draft.rename(other.tag, one.name);
  },
  // Two tags exchange their names by way of a third name, which also works if names are unique.
  (draft) => {
    const [one, other] = draft.twoTags();
    draft.rename(one.tag, draft.freeName());
    draft.rename(other.tag, one.name);
    draft.rename(one.tag, other.name);
  },
  // A new tag gets the updated name of a deleted tag. In SQLite it also gets its id.
  (draft) => {
    const { tag, name } = draft.newestTag();
    const given = draft.nameOtherThan(name);
    draft.rename(tag, given);
    draft.delete(tag);
    draft.create(given);
  },
  // An update gives a tag the name of a deleted one.
  (draft) => {
    const [one, other] = draft.twoTags();
    draft.delete(one.tag);
    draft.rename(other.tag, one.name);
  },
  // A new tag gets the former name of another one, which is then deleted.
  (draft) => {
    const { tag, name } = draft.anyTag();
    draft.rename(tag, draft.nameOtherThan(name));
    draft.create(name);
    draft.delete(tag);
  },
  // A tag that is deleted or never existed is updated or deleted.
  (draft) => {
    const [one] = draft.twoTags();
    draft.delete(one.tag);
    draft.oneOf(
      () => draft.delete(one.tag),
      () => draft.rename(one.tag, draft.freeName()),
      () => draft.rename(NEVER_MADE, draft.freeName()),
      () => draft.delete(NEVER_MADE),
    );
  },
];

interface NamedTag {
  readonly tag: number;
  readonly name: number;
}

/** A case under construction, with the tags that exist after its steps if the target accepts all of them. */
export class Draft {
  readonly steps: Step[] = [];
  readonly #pick: (count: number) => number;
  /** The existing tags, the last used one first. */
  #tags: readonly NamedTag[] = [];
  /** All names, the last used one first. */
  #names: readonly number[] = Array.from({ length: NAME_COUNT }, (_, at) => at);
  #made = 0;

  /** @param pick returns a number from 0 to `count` - 1. */
  constructor(pick: (count: number) => number) {
    this.#pick = pick;
  }

  /** An existing tag, or a new one if there is none. */
  anyTag(): NamedTag {
    const first = this.#tags[0] ?? this.#add(this.freeName());
    return this.#tags[this.#pick(this.#tags.length)] ?? first;
  }

  newestTag(): NamedTag {
    const any = this.anyTag();
    return this.#tags.reduce((newest, one) => (one.tag > newest.tag ? one : newest), any);
  }

  /** Two existing tags with different names, the older one first. Makes them if there are none. */
  twoTags(): readonly [NamedTag, NamedTag] {
    const one = this.anyTag();
    let other = this.#tags.find((tag) => tag.name !== one.name);
    if (other === undefined) {
      if (this.#tags.length === MOST_TAGS) this.delete(this.#tags.find((tag) => tag !== one)?.tag ?? 0);
      other = this.#add(this.freeName());
    }
    return one.tag < other.tag ? [one, other] : [other, one];
  }

  /** A name that no tag has, or any name if all are in use. */
  freeName(): number {
    const free = this.#names.filter((name) => this.#tags.every((tag) => tag.name !== name));
    return (free.length === 0 ? this.#names : free)[this.#pick(Math.max(1, free.length))] ?? 0;
  }

  nameOtherThan(name: number): number {
    const others = this.#names.filter((other) => other !== name);
    return others[this.#pick(others.length)] ?? 0;
  }

  /** Calls one of these functions. */
  oneOf(...alternatives: readonly (() => void)[]): void {
    alternatives[this.#pick(alternatives.length)]?.();
  }

  /** Creates a tag, unless there are too many. */
  create(name: number): void {
    if (this.#tags.length < MOST_TAGS) this.#add(name);
  }

  rename(tag: number, name: number): void {
    this.steps.push({ do: 'rename', tag, name });
    if (this.#tags.some((one) => one.tag === tag)) this.#use({ tag, name });
  }

  delete(tag: number): void {
    this.steps.push({ do: 'delete', tag });
    this.#useName(this.#tags.find((one) => one.tag === tag)?.name ?? 0);
    this.#tags = this.#tags.filter((one) => one.tag !== tag);
  }

  /** Adds a list, mostly filtered by a recently used name, unless the last step is such a filter. */
  look(): void {
    if (this.steps.at(-1)?.do === 'filter') return;
    const [last = 0, beforeLast = 0] = this.#names;
    const number = this.#pick(10);
    if (number < 2) this.steps.push({ do: 'list' });
    else this.filter(number < 8 ? last : beforeLast);
  }

  filter(name: number): void {
    this.steps.push({ do: 'filter', name });
  }

  #add(name: number): NamedTag {
    this.steps.push({ do: 'create', name });
    return this.#use({ tag: this.#made++, name });
  }

  #use(used: NamedTag): NamedTag {
    this.#tags = [used, ...this.#tags.filter((one) => one.tag !== used.tag)];
    this.#useName(used.name);
    return used;
  }

  #useName(name: number): void {
    this.#names = [name, ...this.#names.filter((one) => one !== name)];
  }
}
