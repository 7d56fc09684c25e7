import { Permits } from '../permits.ts';
import { Room } from './room.ts';

/** Tags set aside for requirements `throughout`. */
const LASTING_TAGS = 2;

/** The most tags set aside for shared work, because a check that waits for it may hold tags itself. */
const SHARED_TAGS = 8;

/** The number of permits for creates. Every create holds one; work during which no tag_id may be issued holds all. */
const CREATES = 1_000;

function roomFor(tags: number): [ofChecks: number, shared: number] {
  const shared = Math.min(SHARED_TAGS, Math.floor(tags / 2));
  return [tags - shared, shared];
}

/**
 * The shares of the room for tags that checks and shared work may use up while it is not known whether deletes have an
 * effect. Checks get less if it is known from the start that they have none. The rest is kept for shared work, which many
 * checks need, and for the checks that come last.
 */
const SHARES = { checks: 0.7, checksWhereDeletesFail: 0.3, sharedWork: 0.92 };

/** How much of the room a work may use up, from 0 to 1. */
export function shareOf(
  { isLast, isShared }: { readonly isLast: boolean; readonly isShared: boolean },
  { deletesWork, deletesFail }: { readonly deletesWork: boolean; readonly deletesFail: boolean },
): number {
  if (isLast || deletesWork) return 1;
  if (isShared) return SHARES.sharedWork;
  return deletesFail ? SHARES.checksWhereDeletesFail : SHARES.checks;
}

/** The limits of what may exist or happen at the same time in a run. */
export class Slots {
  /** The most tags that one check can have while no other has any. */
  readonly mostTags: number;
  /** The room for the tags of checks. */
  readonly tags: Room;
  /** The room for the tags of shared work. */
  readonly sharedTags: Room;
  readonly creating = new Permits(CREATES);
  /** Held by a check that must be the only one of its kind. */
  readonly exclusive = new Permits(1);

  /** @param maxLiveTags the most tags of the run that may exist at once. */
  constructor(maxLiveTags: number) {
    this.mostTags = maxLiveTags - LASTING_TAGS;
    const [tags, shared] = roomFor(this.mostTags);
    this.tags = new Room(tags);
    this.sharedTags = new Room(shared);
  }

  /** Lowers the number of tags that may exist at once, as room becomes free. */
  shrink(liveTags: number): void {
    const [tags, shared] = roomFor(Math.min(this.mostTags, liveTags - LASTING_TAGS));
    this.tags.shrink(tags);
    this.sharedTags.shrink(shared);
  }
}
