import {
  allOf,
  generated,
  ifDecided,
  learn,
  type Outcome,
  type Target,
  undecided,
  Undecided,
} from '../../lib/check.ts';
import { longestAccepted } from '../open/name-length.ts';
import { refusedNames } from '../open/names.ts';
import { checkLifecycle, type LifecycleResult } from './lifecycle.ts';
import { variedLetters } from './sizes.ts';
import { halves, packed } from './pieces.ts';

/** The most parts of a refused pack that are tried, so that one refused piece does not hide faults of the others. */
const MOST_PARTS = { quick: 0, standard: 2, thorough: 40 } as const;

/** How many shorter names are tried if the target refuses the pack because it is too long. */
const MOST_FITTING = { quick: 0, standard: 2, thorough: 40 } as const;

/**
 * Creates, updates and deletes a tag with a name made of several pieces (a pack). If the name is refused, tries names
 * made of some of the pieces.
 *
 * @param nameOf makes a new name of these pieces at each call; `attempt` counts from 0.
 * @param isAboutLength whether the requirement is about the length of names. Then a finding is compared with a short
 *   plain name, not with one of the same length.
 * @param arePlain whether the names consist of letters and digits only. Then a finding is not compared with plain names.
 * @param oftenRefused pieces that many targets refuse. After a refusal, the pieces without these are tried first.
 * @param mostParts the most parts of a refused name that are tried.
 */
export async function checkPack(
  target: Target,
  pieces: readonly string[],
  nameOf: (pieces: readonly string[], attempt: number) => string,
  {
    isAboutLength = false,
    arePlain = false,
    oftenRefused = [],
    mostParts: wantedParts = Infinity,
  }: {
    readonly isAboutLength?: boolean;
    readonly arePlain?: boolean;
    readonly oftenRefused?: readonly string[];
    readonly mostParts?: number;
  } = {},
): Promise<Outcome> {
  const mostParts = Math.min(wantedParts, MOST_PARTS[target.settings.effort]);
  // The requirement about length checks whether the refused create of a long name makes a tag with a shortened name.
  const isTooLong = async (name: string): Promise<boolean> =>
    !isAboutLength && name.length > ((await longestAccepted(target)) ?? Infinity);
  const outcomes: Outcome[] = [];
  const queue: (readonly string[])[] = [pieces];
  for (let left = 1 + mostParts; left > 0; left--) {
    const part = queue.shift();
    if (part === undefined) break;
    if (target.facts.room === 0) {
      const why = 'a tag could not be removed, which leaves no room for another';
      if (outcomes.length === 0) outcomes.push(undecided('failure', why));
      break;
    }
    let attempt = 0;
    const { outcome, isRefused } = await checkLifecycle(
      target,
      () => nameOf(part, attempt++),
      (name) => mostParts === 0 || part !== pieces || isTooLong(name),
    );
    if (outcome.kind === 'broken') {
      if (arePlain) return outcome;
      const length = generated.plainLetters + (isAboutLength ? 0 : part.join('').length);
      return unlessCutOff(outcome, () => unlessPlainNamesFail(target, outcome, length));
    }
    outcomes.push(outcome);
    if (isRefused && part.length > 1) queue.push(...(await partsOf(target, part, oftenRefused)));
    await target.removeTags();
  }
  return allOf(...outcomes);
}

/**
 * Divides a refused pack: into parts of an accepted length if it is too long; otherwise into the pieces that are often
 * refused and the others; or else into halves.
 */
async function partsOf(
  target: Target,
  pieces: readonly string[],
  oftenRefused: readonly string[],
): Promise<string[][]> {
  const longest = await longestAccepted(target);
  const room = longest === undefined ? undefined : Math.max(longest - generated.plainLetters, 1);
  if (room !== undefined && pieces.join('').length > room) {
    const fitting = packed(pieces, room);
    if (fitting.length > 1) return fitting.slice(0, MOST_FITTING[target.settings.effort]);
  }
  const others = pieces.filter((piece) => !oftenRefused.includes(piece));
  const isMixed = others.length > 0 && others.length < pieces.length;
  return isMixed ? [others, pieces.filter((piece) => oftenRefused.includes(piece))] : halves(pieces);
}

/** Judges a finding. If the budget ends before, nobody knows whether it counts, so that the run cannot conform. */
async function unlessCutOff(finding: Outcome, judge: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof Undecided) || error.outcome.because !== 'budget' || finding.kind !== 'broken')
      throw error;
    return undecided('failure', error.message, ...finding.exchanges);
  }
}

/** Keeps a finding only if a plain name of the same length has no fault; otherwise the characters are not the cause. */
async function unlessPlainNamesFail(target: Target, finding: Outcome, length: number): Promise<Outcome> {
  const plain = await plainOfLength(target, length);
  if (plain.outcome.kind === 'holds' && !plain.isRefused) return finding;
  return undecided(
    'failure',
    'tags with plain names of that length do not work, either',
    ...(plain.outcome.kind === 'holds' ? [] : plain.outcome.exchanges),
  );
}

/** A tag with a plain name of at least this length, or a short one if that is lawfully refused, which proves nothing. */
async function plainOfLength(target: Target, length: number): Promise<LifecycleResult> {
  const long = await plainLifecycle(target, Math.ceil(length / LENGTH_STEP) * LENGTH_STEP);
  const isLawfullyRefused = long.isRefused && long.outcome.kind !== 'broken';
  return isLawfullyRefused ? plainLifecycle(target, generated.plainLetters) : long;
}

/** The length of the plain name is rounded up to a multiple of this, so that many findings share one comparison. */
const LENGTH_STEP = 32;

/** Creates, updates and deletes a tag with a plain name of this length, once in a run. */
const plainLifecycle = (target: Target, length: number): Promise<LifecycleResult> =>
  target.shared(`the trip of a plain name of ${length}`, 1, (shared) =>
    checkLifecycle(
      shared,
      () => shared.names.endingIn(variedLetters(length - generated.plainLetters)),
      () => true,
      { isShared: true },
    ),
  );

/** Checks packs one after another, until one is broken. */
export async function untilBroken(
  packs: readonly (readonly string[])[],
  check: (pack: readonly string[]) => Promise<Outcome>,
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const pack of packs) {
    outcomes.push(await check(pack));
    if (outcomes.at(-1)?.kind === 'broken') break;
  }
  return allOf(...outcomes);
}

/** Whether the target is known to refuse names of a kind. Kinds are those of the open question `names.refused`. */
export async function refusesKind(target: Target, kind: string): Promise<boolean> {
  const refused = await ifDecided(() => learn(target, refusedNames));
  return refused?.some((one) => one === kind) === true && target.settings.effort !== 'thorough';
}
