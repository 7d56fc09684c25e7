/** When a requirement is checked, in words. */
export const WHEN = {
  throughout: 'from the start of a run to its end, beside all others',
  first: 'before the others, because its logins may end the token that they use',
  early: 'right after these, because the tokens that it needs may end soon',
  // Afterwards it is known whether lists show all tags.
  full: 'before most others and alone, because it is about the number of tags or their order',
  main: 'together with most others',
  counted: 'together with others, once it is known how many tags a list shows',
  calm: 'alone, because requests of other checks would disturb it',
  generated: 'after the others, by generated cases',
  sequences: 'after the others, by generated sequences',
  names: 'after the others, by generated names',
  logins: 'after the others, because wrong logins may lock an account',
  perilous: 'last of all and alone, because it breaks some servers',
} as const;

export type When = keyof typeof WHEN;

/** Requests kept for the phase `perilous` while broken requirements are checked again. */
export const RESERVED_FOR_THE_END = 95;

/**
 * Requests kept for the phase `logins` and later ones, while kinds of names use up the rest. They are also for checking
 * broken requirements again. Where lists are pages, the last phase takes fewer.
 */
const RESERVED_FOR_LOGINS = { whole: RESERVED_FOR_THE_END + 87, paged: RESERVED_FOR_THE_END + 85 };

/**
 * Requests kept for the phase `names` and later ones, while other generated cases use up the rest. Where lists are pages, each
 * name takes a look of its own.
 */
const RESERVED_FOR_NAMES = { whole: RESERVED_FOR_LOGINS.whole + 72, paged: RESERVED_FOR_LOGINS.paged + 84 };

export interface Phase {
  /** The requirements that are checked in it. */
  readonly members: readonly When[];
  /** Whether they are checked at the same time or one after another. */
  readonly order: 'together' | 'one by one';
  /**
   * Those that are checked after the others where lists are pages. There the budget may not suffice, and these take the most
   * requests.
   */
  readonly lastOnPages?: When;
  /** Requests kept for later phases, where lists are whole and where they are pages. */
  readonly reserved: { readonly whole: number; readonly paged: number };
}

const phase = (
  order: Phase['order'],
  members: readonly When[],
  { whole, paged } = { whole: 0, paged: 0 },
): Phase => ({ order, members, reserved: { whole, paged } });

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
      ? [phase('one by one', ['full']), phase('together', ['main', 'counted']), phase('one by one', ['calm'])]
      : [
          phase('together', ['main']),
          phase('one by one', ['calm', 'full']),
          phase('one by one', ['counted']),
        ];
  return [
    phase('together', ['first']),
    phase('together', ['early']),
    ...most,
    { ...phase('together', ['generated', 'sequences'], RESERVED_FOR_NAMES), lastOnPages: 'sequences' },
    phase('together', ['names'], RESERVED_FOR_LOGINS),
    phase('together', ['logins']),
  ];
}

export const PERILOUS: Phase = phase('one by one', ['perilous']);

/** Phases whose requirements can be checked again: their checks disturb no others and take no logins. */
export const REPEATABLE: ReadonlySet<When> = new Set([
  'full',
  'main',
  'counted',
  'calm',
  'generated',
  'sequences',
  'names',
]);
