/**
 * When a requirement is asked.
 * - `throughout`: from the start until all others have ended;
 * - `first`: before the others, because its logins may end the token that they use;
 * - `full`: before most others, with as many tags as the run may have: from then on it is known whether lists show all tags;
 * - `main`: with most others;
 * - `counted`: with these, once it is known whether lists show all tags;
 * - `calm`: alone, because what others make and send would be in the way;
 * - `generated`: after these, because its cases may use all of the budget that is left;
 * - `names`: after these, because kinds of names have the most cases by far;
 * - `logins`: after these, because wrong logins may end tokens, lock the account or throttle the address;
 * - `perilous`: last of all, one by one, because it may break the target for good.
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

/** Requests kept for the phase `perilous` while broken requirements are asked again. */
export const RESERVED_FOR_THE_END = 113;

/** Requests kept for the phase of wrong logins and for later, while kinds of names use what they get. */
const RESERVED_FOR_LOGINS = RESERVED_FOR_THE_END + 55;

/** Requests kept for these phases and for kinds of names, while other generated cases use what they get. */
const RESERVED_FOR_NAMES = RESERVED_FOR_LOGINS + 70;

export interface Phase {
  /** Requirements of these are asked in it. */
  readonly members: readonly When[];
  /** They are asked at the same time, or one after another. */
  readonly order: 'together' | 'one by one';
  /** Requests kept for later. */
  readonly reserved: number;
}

const together = (members: readonly When[], reserved = 0): Phase => ({
  members,
  order: 'together',
  reserved,
});
const oneByOne = (members: readonly When[]): Phase => ({ members, order: 'one by one', reserved: 0 });

/**
 * The phases of a run, in their order. Requirements `throughout` run beside them, and `perilous` ones come when everything
 * else has ended.
 *
 * @param options.fillsAccount whether a requirement `full` is asked. If not, those that are `counted` fill the account
 * themselves, and have to be alone.
 * @param options.deletesFail then the tags of one phase take the room of the next ones, and a full account comes late.
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
    together(['names'], RESERVED_FOR_LOGINS),
    together(['logins']),
  ];
}

export const PERILOUS: Phase = oneByOne(['perilous']);

/** Phases whose broken requirements are asked again: their checks disturb nobody and take no logins. */
export const REPEATABLE: ReadonlySet<When> = new Set([
  'full',
  'main',
  'counted',
  'calm',
  'generated',
  'names',
]);

/** At most this many requirements that could not be decided are asked again when nothing else is under way. */
export const MOST_SPOILT = 10;

/** What rests on a create that was refused is asked this often again. */
export const DOUBTED_AGAIN = 2;

/** A broken requirement is asked this often again, to tell a steady fault from an intermittent one. */
export const REPETITIONS = 3;

/** How many are asked again at once; fewer if answers are large, because each answer is held for a while. */
export const REPEATED_AT_ONCE = { small: 16, large: 4 };
