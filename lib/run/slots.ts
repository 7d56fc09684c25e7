import { Permits } from '../permits.ts';

/** Room for the tags of one check among those that may exist at once. */
export interface Slot {
  /**
   * Waits until the check may make tags; at once where it may already.
   *
   * @param isUrgent whether it comes before others that wait.
   */
  enter(isUrgent?: boolean): Promise<void>;
  /** Gives the room to others. */
  leave(): Promise<void>;
}

/** The slot of a check whose tags are set aside from the start. */
export const RESERVED_SLOT: Slot = { enter: () => Promise.resolve(), leave: () => Promise.resolve() };

/** Tags set aside for checks that last the whole run. */
const LASTING_TAGS = 2;

/** The most tags set aside for shared work: a check that waits for it may hold tags itself. */
const SHARED_TAGS = 8;

/** Every create holds one permit; whoever must be alone with the tag_ids that the target issues holds all of them. */
const CREATES = 1_000;

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
    const shared = Math.min(SHARED_TAGS, Math.floor(this.mostTags / 2));
    this.tags = new Permits(this.mostTags - shared);
    this.sharedTags = new Permits(shared);
  }

  /** A slot for this many tags of a check. */
  slotFor(count: number): Slot {
    let held: Promise<() => void> | undefined;
    return {
      enter: async (isUrgent) => void (await (held ??= this.tags.hold(count, isUrgent))),
      leave: async () => {
        const giveBack = held;
        held = undefined;
        (await giveBack)?.();
      },
    };
  }
}
