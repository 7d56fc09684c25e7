/**
 * When a requirement is asked.
 * - `throughout`: from the start until all others have ended;
 * - `first`: before the others, because its logins may end the token that they use;
 * - `main`: with most others;
 * - `calm`: alone, with as many tags as the run may have, because how many there are or their order is the question;
 * - `counted`: after these, together, because it is known from then on whether lists show all tags;
 * - `generated`: after these, because its cases may use all of the budget that is left;
 * - `names`: after these, because kinds of names have the most cases by far;
 * - `logins`: after these, because wrong logins may end tokens, lock the account or throttle the address;
 * - `perilous`: last of all, one by one, because it may break the target for good.
 */
export type When =
  'throughout' | 'first' | 'main' | 'calm' | 'counted' | 'generated' | 'names' | 'logins' | 'perilous';

/** Requests kept for the phase `perilous` while broken requirements are asked again. */
export const RESERVED_FOR_THE_END = 113;

/** Requests kept for the phase of wrong logins and for later, while kinds of names use what they get. */
const RESERVED_FOR_LOGINS = RESERVED_FOR_THE_END + 55;

/** Requests kept for these phases and for kinds of names, while other generated cases use what they get. */
const RESERVED_FOR_NAMES = RESERVED_FOR_LOGINS + 70;

export interface Phase {
  readonly when: When;
  /** Its requirements are asked at the same time, or one after another. */
  readonly order: 'together' | 'one by one';
  /** Requests kept for later. */
  readonly reserved: number;
}

/**
 * The phases of a run, in their order. Requirements `throughout` run beside them, and `perilous` ones come when everything
 * else has ended.
 */
export const PHASES: readonly Phase[] = [
  { when: 'first', order: 'together', reserved: 0 },
  { when: 'main', order: 'together', reserved: 0 },
  { when: 'calm', order: 'one by one', reserved: 0 },
  { when: 'counted', order: 'together', reserved: 0 },
  { when: 'generated', order: 'together', reserved: RESERVED_FOR_NAMES },
  { when: 'names', order: 'together', reserved: RESERVED_FOR_LOGINS },
  { when: 'logins', order: 'together', reserved: 0 },
];

export const PERILOUS: Phase = { when: 'perilous', order: 'one by one', reserved: 0 };

/** Phases whose broken requirements are asked again: their checks disturb nobody and take no logins. */
export const REPEATABLE: ReadonlySet<When> = new Set(['main', 'calm', 'counted', 'generated', 'names']);

/** At most this many requirements that could not be decided are asked again when nothing else is under way. */
export const MOST_SPOILT = 10;

/** A broken requirement is asked this often again, to tell a steady fault from an intermittent one. */
export const REPETITIONS = 3;

/** How many are asked again at once; fewer where answers are large, because each answer is held for a while. */
export const REPEATED_AT_ONCE = { small: 16, large: 4 };
