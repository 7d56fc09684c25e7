import { allOf, type Outcome, PLAIN_LETTERS, type Target, undecided } from '../../lib/check.ts';
import { halves, packed } from './pieces.ts';
import { longest } from './refusing.ts';
import { trip, type Trip } from './trip.ts';

/** How many parts of a refused pack are asked, so that the refusal of one piece hides no fault of the others. */
const MOST_PARTS = { quick: 0, standard: 6, thorough: 40 } as const;

/** Where a pack is refused because it is too long, so many parts of a length that is not. */
const MOST_SHORT = { quick: 0, standard: 2, thorough: 40 } as const;

/**
 * Sends a name that is made of several pieces on its trip; where it is refused, names of some of the pieces.
 *
 * @param nameOf makes a name of some of the pieces, another one each time; `time` counts from 0.
 * @param isLengthAsked the length is what is asked of the name, so that its twin is as short as any.
 */
export async function askPack(
  target: Target,
  pieces: readonly string[],
  nameOf: (some: readonly string[], time: number) => string,
  isLengthAsked = false,
): Promise<Outcome> {
  // Whether something is left of what is too long, those ask whose subject that is.
  const isTooLong = async (name: string): Promise<boolean> =>
    !isLengthAsked && name.length > ((await longest(target)) ?? Infinity);
  const outcomes: Outcome[] = [];
  const waiting: (readonly string[])[] = [pieces];
  for (let left = 1 + MOST_PARTS[target.settings.effort]; left > 0; left--) {
    const some = waiting.shift();
    // A tag that could not be removed takes the room of the next one.
    if (some === undefined || target.room === 0) break;
    let time = 0;
    const { outcome, isRefused } = await trip(
      target,
      () => nameOf(some, time++),
      (name) => some !== pieces || isTooLong(name),
    );
    if (outcome.kind === 'broken') {
      const length = isLengthAsked ? 0 : some.join('').length;
      return unlessPlainNamesFail(target, outcome, PLAIN_LETTERS + length);
    }
    outcomes.push(outcome);
    if (isRefused && some.length > 1) waiting.push(...(await parts(target, some)));
    await target.removeTags();
  }
  return allOf(...outcomes);
}

/** Parts of a refused pack: such as have a lawful length, where it is too long, else its halves. */
async function parts(target: Target, pieces: readonly string[]): Promise<string[][]> {
  const most = await longest(target);
  const room = most === undefined ? undefined : Math.max(most - PLAIN_LETTERS, 1);
  if (room !== undefined && pieces.join('').length > room) {
    const fitting = packed(pieces, room);
    if (fitting.length > 1) return fitting.slice(0, MOST_SHORT[target.settings.effort]);
  }
  return halves(pieces);
}

/** A plain name of the same length has to fare better, or what is in a name is not to blame. */
async function unlessPlainNamesFail(target: Target, outcome: Outcome, length: number): Promise<Outcome> {
  const long = await plainTrip(target, Math.ceil(length / STEP) * STEP);
  // A name of that length may lawfully be refused.
  const isNoTwin = long.isRefused && long.outcome.kind !== 'broken';
  const { outcome: plain, isRefused } = isNoTwin ? await plainTrip(target, PLAIN_LETTERS) : long;
  if (plain.kind === 'holds' && !isRefused) return outcome;
  return undecided(
    'failure',
    'tags with plain names of that length fare no better',
    ...(plain.kind === 'holds' ? [] : plain.exchanges),
  );
}

/** Lengths that differ by less share a twin. */
const STEP = 8;

/** The twin of all trips of names that are so long, sent once in a run. */
const plainTrip = (target: Target, length: number): Promise<Trip> =>
  target.shared(`the trip of a plain name of ${length}`, 1, (shared) =>
    trip(
      shared,
      () => shared.names.endingIn('x'.repeat(Math.max(0, length - PLAIN_LETTERS))),
      () => true,
    ),
  );
