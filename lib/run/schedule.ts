/**
 * When a requirement is checked.
 * - `throughout`: from the start until all others have ended;
 * - `first`: before the others, because its logins may end the token that they use;
 * - `full`: before most others, with as many tags as the run may have; afterwards it is known whether lists show all tags;
 * - `main`: with most others;
 * - `counted`: with these, once it is known whether lists show all tags;
 * - `calm`: alone, because tags and requests of other checks would interfere;
 * - `generated`: later, because its cases may use up the budget;
 * - `names`: after that, because kinds of names have the most cases by far;
 * - `logins`: after that, because wrong logins may end tokens, lock the account or throttle the address;
 * - `perilous`: last, one by one, because it may break the target for good.
 */
export type When =
  | 'throughout'
  | 'first'
  | 'full'
  | 'main'
  | 'counted'
  | 'calm'
  | 'generated'
  | 'names'
  | 'logins'
  | 'perilous';

/** Requests kept for the phase `perilous` while broken requirements are checked again. */
export const RESERVED_FOR_THE_END = 113;

/** Requests kept for the phase `logins` and later ones, while kinds of names use up the rest. */
const RESERVED_FOR_LOGINS = RESERVED_FOR_THE_END + 55;

/**
 * Requests kept for the phase `names` and later ones, while other generated cases use up the rest. Where lists are pages, each
 * name takes a look of its own.
 */
const RESERVED_FOR_NAMES = { whole: RESERVED_FOR_LOGINS + 70, paged: RESERVED_FOR_LOGINS + 95 };

export interface Phase {
  /** The requirements that are checked in it. */
  readonly members: readonly When[];
  /** Whether they are checked at the same time or one after another. */
  readonly order: 'together' | 'one by one';
  /** Requests kept for later phases, where lists are whole and where they are pages. */
  readonly reserved: { readonly whole: number; readonly paged: number };
}

const together = (members: readonly When[], reserved = evenly(0)): Phase => ({
  members,
  order: 'together',
  reserved,
});
const oneByOne = (members: readonly When[]): Phase => ({
  members,
  order: 'one by one',
  reserved: evenly(0),
});

function evenly(requests: number): Phase['reserved'] {
  return { whole: requests, paged: requests };
}

/**
 * The phases of a run, in their order. Requirements `throughout` are checked beside them, and `perilous` ones at the end.
 *
 * @param options.fillsAccount whether there is a requirement `full`. If not, those that are `counted` fill the account
 * themselves, and are checked alone.
 * @param options.deletesFail whether deletes fail. Then tags of one phase take up the room of the next, so the account is
 * filled late.
 */
export function phasesOf({
  fillsAccount,
  deletesFail,
}: {
  readonly fillsAccount: boolean;
  readonly deletesFail: boolean;
}): readonly Phase[] {
  const most =
    fillsAccount && !deletesFail
      ? [oneByOne(['full']), together(['main', 'counted']), oneByOne(['calm'])]
      : [together(['main']), oneByOne(['calm', 'full']), oneByOne(['counted'])];
  return [
    together(['first']),
    ...most,
    together(['generated'], RESERVED_FOR_NAMES),
    together(['names'], evenly(RESERVED_FOR_LOGINS)),
    together(['logins']),
  ];
}

export const PERILOUS: Phase = oneByOne(['perilous']);

/** Phases whose requirements can be checked again: their checks disturb no others and take no logins. */
export const REPEATABLE: ReadonlySet<When> = new Set([
  'full',
  'main',
  'counted',
  'calm',
  'generated',
  'names',
]);

/** If more requirements could not be decided, none of them is checked again. */
export const MOST_UNDECIDED = 10;

/** How often a finding that rests on a refused create is checked again. */
export const MOST_RECHECKS = 2;

/** How often a broken requirement is checked again, to tell a steady fault from an intermittent one. */
export const REPETITIONS = 3;

/** How many are checked again at the same time; fewer if answers are large, because each is kept in memory for a while. */
export const REPEATED_AT_ONCE = { small: 16, large: 4 };
