import { Permits } from '../permits.ts';

/** Tags set aside for checks that last the whole run. */
const LASTING_TAGS = 2;

/** The most tags set aside for shared work: a check that waits for it may hold tags itself. */
const SHARED_TAGS = 8;

/** Every create holds one permit; work during which the target must issue no tag_id holds all of them. */
const CREATES = 1_000;

function roomFor(tags: number): [ofChecks: number, shared: number] {
  const shared = Math.min(SHARED_TAGS, Math.floor(tags / 2));
  return [tags - shared, shared];
}

/** What may exist or happen at once in a run. */
export class Slots {
  /** The most tags that can exist while nothing else goes on. */
  readonly mostTags: number;
  /** Tags of checks. */
  readonly tags: Permits;
  /** Tags of shared work. */
  readonly sharedTags: Permits;
  readonly creating = new Permits(CREATES);
  /** Held by a check that must be the only one of its kind. */
  readonly exclusive = new Permits(1);

  /** @param maxLiveTags the most tags of the run that may exist at once. */
  constructor(maxLiveTags: number) {
    this.mostTags = maxLiveTags - LASTING_TAGS;
    const [tags, shared] = roomFor(this.mostTags);
    this.tags = new Permits(tags);
    this.sharedTags = new Permits(shared);
  }

  /** From now on at most this many tags may exist at once, as soon as others have made room. */
  shrink(liveTags: number): void {
    const [tags, shared] = roomFor(Math.min(this.mostTags, liveTags - LASTING_TAGS));
    this.tags.shrink(tags);
    this.sharedTags.shrink(shared);
  }
}

/** Room for the tags of one check, among those that may exist at once. */
export class Slot {
  readonly #tags: Permits | undefined;
  readonly #count: number;
  #held: Promise<() => void> | undefined;

  /** @param tags undefined: the tags are set aside for the check from the start. */
  constructor(count: number, tags?: Permits) {
    this.#count = count;
    this.#tags = tags;
  }

  /** Waits until the check may make tags; at once if it may already. */
  async enter(): Promise<void> {
    await (this.#held ??= this.#tags?.hold(this.#count));
  }

  /** Gives the room to others. */
  async leave(): Promise<void> {
    const giveBack = this.#held;
    this.#held = undefined;
    (await giveBack)?.();
  }
}
