import { ifDecided, Undecided } from '../outcome.ts';
import type { Lookup } from './lookup.ts';
import type { Settling } from './settling.ts';
import type { Tags } from './tags.ts';

/** What the room for tags depends on. It is counted for all accounts together. */
export interface RoomLimits {
  /** How many tags of the run may be left on the target. */
  readonly mayBeLeft: () => number;
  /** If deletes have no effect, the run makes no more tags once this many are left. */
  readonly mostLeft: number;
  readonly settling: Settling;
}

type LookUp = (tagId: string | undefined, ...names: readonly string[]) => Promise<Lookup>;

/** Decides whether more tags may be made, so that a target that keeps deleted tags is not filled up. */
export class Room {
  readonly #tags: Tags;
  readonly #limits: RoomLimits;
  readonly #lookUp: LookUp;
  #lookForDeleted: Promise<unknown> | undefined;

  constructor(tags: Tags, limits: RoomLimits, lookUp: LookUp) {
    this.#tags = tags;
    this.#limits = limits;
    this.#lookUp = lookUp;
  }

  /** @param share the share of the room that may be used, from 0 to 1. */
  isFull(share: number): boolean {
    return this.#limits.mayBeLeft() >= this.#limits.mostLeft * share;
  }

  /** @throws Undecided if so many tags of the run may be left on the target that no more may be made. */
  refuseIfFull(share: number): void {
    if (!this.isFull(share)) return;
    throw new Undecided(
      'failure',
      `${this.#limits.mayBeLeft()} tags of this run may be left on the target, because deletes do not remove them or lists do not show which they are: the run makes no more`,
    );
  }

  /**
   * If lists are pages or lag, no list may have shown yet that a deleted tag is gone. Looks for one until it is gone, at
   * most for the settle time, and once in a run.
   */
  lookWhetherDeletesWork(): Promise<unknown> {
    const { deleted, records } = this.#tags;
    const tag = deleted.notSeenToGo(records);
    if (tag === undefined || deleted.hasSeenToGo) return Promise.resolve();
    // A list that cannot be read decides nothing.
    this.#lookForDeleted ??= ifDecided(() =>
      this.#limits.settling.until(
        () => this.#lookUp(tag.tagId, ...tag.names),
        () => deleted.hasSeenToGo,
        { late: 'ignored' },
      ),
    );
    return this.#lookForDeleted;
  }
}
