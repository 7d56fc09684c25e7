import type { Permits } from '../permits.ts';

/** Room for the tags of one check among those of all. */
export interface Room {
  /**
   * Waits until the check may have its tags alive, unless it may already.
   *
   * @param urgent whether it comes before those that wait already.
   */
  enter(urgent?: boolean): Promise<void>;
  /** Others may have theirs instead. */
  leave(): Promise<void>;
}

/** Where tags are set aside for the check. */
export const ENOUGH_ROOM: Room = { enter: () => Promise.resolve(), leave: () => Promise.resolve() };

/** Room for so many of the tags that there may be. */
export function roomIn(tags: Permits, count: number): Room {
  let held: Promise<() => void> | undefined;
  return {
    enter: async (urgent) => void (await (held ??= tags.hold(count, urgent))),
    leave: async () => {
      const giveBack = held;
      held = undefined;
      (await giveBack)?.();
    },
  };
}
