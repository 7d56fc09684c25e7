import { setTimeout as sleep } from 'node:timers/promises';
import type { Remaining } from './remaining.ts';

/** The pauses between deletes that are sent one at a time, as shares of the settle time. */
const PAUSES = [0, 1 / 50, 1 / 20, 1 / 10, 1 / 5, 2 / 5, 1];

/**
 * Deletes tags one at a time, with longer pauses as long as that removes none: some targets lose deletes that overlap, or that
 * come fast one after another.
 *
 * @param removeListed lists the tags that are left, deletes the chosen ones, and returns all that were listed.
 * @param settleMs how long an effect may take to show in a list.
 */
export async function removeInTurn(
  removeListed: (isChosen: (tag: Remaining) => boolean) => Promise<readonly Remaining[]>,
  settleMs: number,
): Promise<void> {
  const tried = new Set<string>();
  let before = Infinity;
  let at = 0;
  while (at < PAUSES.length) {
    let chosen: string | undefined;
    // A tag that cannot be deleted must not hold up the others.
    const isChosen = ({ tagId }: Remaining): boolean => {
      if (chosen !== undefined || tagId === undefined || tried.has(tagId)) return false;
      chosen = tagId;
      return true;
    };
    const { length } = await removeListed(isChosen);
    if (length === 0) return;
    if (length >= before) at++;
    before = length;
    if (chosen === undefined) tried.clear();
    else tried.add(chosen);
    await sleep(settleMs * (PAUSES[at] ?? 0));
  }
}
