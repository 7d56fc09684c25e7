import fc from 'fast-check';
import { NAMES, NEVER, renamed, TAGS, without, type Step } from './steps.ts';

/**
 * What faults of state are made of: patterns that are rare among random steps. Each is played with tags and names
 * that were used lately, so that patterns meet.
 */
const PATTERNS = {
  /** To another name and back. */
  'there and back': (play) => {
    const { tag, name } = play.tag();
    play.rename(tag, play.otherThan(name));
    play.rename(tag, name);
  },
  /** Two tags change names, for a moment with the same one. */
  swap: (play) => {
    const [one, other] = play.twoTags();
    play.rename(one.tag, other.name);
    play.rename(other.tag, one.name);
  },
  /** The same where names are unique: by way of a third name. */
  rotation: (play) => {
    const [one, other] = play.twoTags();
    play.rename(one.tag, play.free());
    play.rename(other.tag, one.name);
    play.rename(one.tag, other.name);
  },
  /** A name passes on from a tag that was given it, and is gone, to a new one; which has its tag_id, too, in SQLite. */
  'made again': (play) => {
    const { tag, name } = play.newest();
    const given = play.otherThan(name);
    play.rename(tag, given);
    play.delete(tag);
    play.create(given);
  },
  /** A name passes on from a tag that is gone to another one. */
  inheritance: (play) => {
    const [one, other] = play.twoTags();
    play.delete(one.tag);
    play.rename(other.tag, one.name);
  },
  /** A tag gives up its name, a new one takes it, and the first one goes. */
  succession: (play) => {
    const { tag, name } = play.tag();
    play.rename(tag, play.otherThan(name));
    play.create(name);
    play.delete(tag);
  },
  /** Tags that are gone, or never were. */
  'not there': (play) => {
    const [one] = play.twoTags();
    play.delete(one.tag);
    play.either(
      () => play.delete(one.tag),
      () => play.rename(one.tag, play.free()),
      () => play.rename(NEVER, play.free()),
      () => play.delete(NEVER),
    );
  },
} satisfies Record<string, (play: Draft) => void>;

interface Named {
  readonly tag: number;
  readonly name: number;
}

/** A case as it is drafted, with what would be there if the target accepted all that it may. */
class Draft {
  readonly steps: Step[] = [];
  readonly #pick: (count: number) => number;
  /** The tags that are there, the one used last first. */
  #there: readonly Named[] = [];
  /** All names, the one used last first. */
  #names: readonly number[] = Array.from({ length: NAMES }, (_, at) => at);
  #made = 0;

  /** @param pick one of so many, from 0. */
  constructor(pick: (count: number) => number) {
    this.#pick = pick;
  }

  /** A tag that is there; made, if none is. */
  tag(): Named {
    if (this.#there.length === 0) this.create(this.free());
    return this.#there[this.#pick(this.#there.length)] as Named;
  }

  newest(): Named {
    const { tag } = this.tag();
    return (
      this.#there.find((one) => this.#there.every((other) => other.tag <= one.tag)) ?? {
        tag,
        name: this.nameOf(tag),
      }
    );
  }

  /** Two tags that are there, with different names and the older one first, made where they are not. */
  twoTags(): readonly [Named, Named] {
    const one = this.tag();
    let other = this.#there.find((tag) => tag.name !== one.name);
    if (other === undefined) {
      if (this.#there.length === TAGS) this.delete(this.#there.find((tag) => tag !== one)?.tag ?? 0);
      this.create(this.free());
      other = this.#there[0] as Named;
    }
    return one.tag < other.tag ? [one, other] : [other, one];
  }

  nameOf(tag: number): number {
    return this.#there.find((one) => one.tag === tag)?.name ?? 0;
  }

  /** A name that no tag has, else any; of those rather the one that was used last. */
  free(): number {
    const free = this.#names.filter((name) => this.#there.every((tag) => tag.name !== name));
    return (free.length === 0 ? this.#names : free)[this.#pick(Math.max(1, free.length))] ?? 0;
  }

  otherThan(name: number): number {
    const others = this.#names.filter((other) => other !== name);
    return others[this.#pick(others.length)] ?? 0;
  }

  either(...plays: readonly (() => void)[]): void {
    plays[this.#pick(plays.length)]?.();
  }

  create(name: number): void {
    if (this.#there.length === TAGS) return;
    this.steps.push({ do: 'create', name });
    this.#use({ tag: this.#made++, name });
  }

  rename(tag: number, name: number): void {
    this.steps.push({ do: 'rename', tag, name });
    if (this.#there.some((one) => one.tag === tag)) this.#use({ tag, name });
  }

  delete(tag: number): void {
    this.steps.push({ do: 'delete', tag });
    const name = this.nameOf(tag);
    this.#names = [name, ...this.#names.filter((one) => one !== name)];
    this.#there = this.#there.filter((one) => one.tag !== tag);
  }

  look(): void {
    const [last = 0, before = 0] = this.#names;
    const look = this.#pick(10);
    if (look < 2) this.steps.push({ do: 'list' });
    else this.steps.push({ do: 'filter', name: look < 8 ? last : before });
  }

  #use({ tag, name }: Named): void {
    this.#there = [{ tag, name }, ...this.#there.filter((one) => one.tag !== tag)];
    this.#names = [name, ...this.#names.filter((one) => one !== name)];
  }
}

const PATTERN_NAMES = Object.keys(PATTERNS) as readonly (keyof typeof PATTERNS)[];

const drafted = (most: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .record({
      patterns: fc.shuffledSubarray([...PATTERN_NAMES], { minLength: PATTERN_NAMES.length }),
      picks: fc.infiniteStream(fc.nat()),
    })
    .map(({ patterns, picks }) => {
      const draft = new Draft((count) => Number(picks.next().value) % count);
      for (const pattern of patterns) {
        PATTERNS[pattern](draft);
        if (draft.steps.length >= most) break;
        draft.look();
      }
      return renamed(draft.steps);
    });

/** Cases of so many steps, and as many more as the last pattern takes, which shrink to cases of fewer. */
class Cases extends fc.Arbitrary<readonly Step[]> {
  readonly #drafted: fc.Arbitrary<readonly Step[]>;

  constructor(most: number) {
    super();
    this.#drafted = drafted(most);
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Step[]> {
    return new fc.Value(this.#drafted.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is readonly Step[] {
    return Array.isArray(value);
  }

  /** Without looks, as there is one in the end; then without its second half, its first, its quarters, and so on to steps. */
  shrink(steps: readonly Step[]): fc.Stream<fc.Value<readonly Step[]>> {
    return fc.stream(smaller(steps)).map((one) => new fc.Value(one, undefined));
  }
}

function* smaller(steps: readonly Step[]): IterableIterator<readonly Step[]> {
  const writes = steps.filter((step) => step.do !== 'list' && step.do !== 'filter');
  if (writes.length < steps.length && writes.length > 0) yield renamed(writes);
  for (let count = Math.ceil(steps.length / 2); count >= 1; count = count === 1 ? 0 : Math.ceil(count / 2))
    for (let end = steps.length; end > 0; end -= count) {
      const from = Math.max(0, end - count);
      const left = without(steps, from, end - from);
      if (left.length > 0) yield left;
    }
}

export const cases = (most: number): fc.Arbitrary<readonly Step[]> => new Cases(most);
