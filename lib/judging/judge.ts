import type { Lack, Outcome } from '../outcome.ts';
import type { Level } from '../requirement.ts';
import { agrees } from './claim.ts';

export const VERDICTS = ['pass', 'fail', 'warn', 'observed', 'inapplicable', 'skipped', 'error'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Why a requirement is skipped: the tester left it out or did not give what it needs, or the budget was used up. */
export const SKIP_REASONS = ['tester', 'budget'] as const satisfies readonly Lack[];
type SkipReason = (typeof SKIP_REASONS)[number];

/** The answer to an open question that the implementer declared. */
export interface Claim {
  readonly declared: unknown;
}

/**
 * Turns a level, an outcome and the claim, if there is one, into a verdict. Nothing else does.
 *
 * @throws Error if the outcome does not fit the level, which is a fault of the suite.
 */
export function judge(level: Level, outcome: Outcome, claim?: Claim): Verdict {
  switch (outcome.kind) {
    case 'holds':
      return outcome.warning === undefined ? 'pass' : 'warn';
    case 'broken':
      if (level === 'open')
        throw new Error('a check of level open returned a finding, but an open question has no wrong answer');
      return level === 'advisory' ? 'warn' : 'fail';
    case 'observed':
      if (level !== 'open')
        throw new Error(`a check of level ${level} returned an observation, but has to return a decision`);
      if (claim === undefined) return 'observed';
      return agrees(claim.declared, outcome.answer) ? 'pass' : 'fail';
    case 'undecided':
      if (outcome.because === 'tester' || outcome.because === 'budget') return 'skipped';
      // A declared answer that could not be observed is not confirmed.
      return outcome.because === 'choice' && claim === undefined ? 'inapplicable' : 'error';
  }
}

/** The verdict on a whole run. */
export interface Standing {
  readonly verdict: 'conforming' | 'non-conforming' | 'inconclusive';
  /** Whether a requirement that counts was skipped. */
  readonly partial: boolean;
  /** How many requirements that count were skipped. */
  readonly untested: number;
  /** The ids of those among them that the budget of the run left out. */
  readonly overBudget: readonly string[];
}

interface Judged {
  readonly id: string;
  readonly level: Level;
  readonly verdict: Verdict;
  /** Why it was skipped, if it was. */
  readonly skippedFor?: SkipReason | undefined;
  /** The declared answer, if there is one. */
  readonly declared?: unknown;
}

/** Whether a requirement counts for the verdict on the run. */
export const counts = ({ level, declared }: Pick<Judged, 'level' | 'declared'>): boolean =>
  level === 'required' || level === 'derived' || declared !== undefined;

/** If the budget leaves out more requirements than this, the run has not tested enough to conform. */
export const MOST_OVER_BUDGET = 3;

/**
 * Turns verdicts into the verdict on a run. Nothing else does. One failure makes it non-conforming. Without a failure, it
 * is inconclusive if the run was cut short, tested nothing, left tags behind, could not decide a requirement that
 * counts, or had no budget for many of them.
 *
 * @param run.isWhole whether the run reached its end.
 * @param run.residue how many tags of the run are left on the target, or may be.
 */
export function standing(
  judged: readonly Judged[],
  run: { readonly isWhole: boolean; readonly residue: number },
): Standing {
  const skipped = judged.filter((one) => counts(one) && one.verdict === 'skipped');
  const overBudget = skipped.flatMap(({ id, skippedFor }) => (skippedFor === 'budget' ? id : []));
  const found = { partial: skipped.length > 0, untested: skipped.length, overBudget };
  if (judged.some(({ verdict }) => verdict === 'fail')) return { verdict: 'non-conforming', ...found };
  const tested = judged.some(
    (one) => one.verdict === 'pass' || one.verdict === 'warn' || one.verdict === 'observed',
  );
  const undecided = judged.some((one) => counts(one) && one.verdict === 'error');
  const isEnough = tested && !undecided && overBudget.length <= MOST_OVER_BUDGET;
  const conforms = run.isWhole && run.residue === 0 && isEnough;
  return { verdict: conforms ? 'conforming' : 'inconclusive', ...found };
}

export const EXIT = {
  conforming: 0,
  nonConforming: 1,
  usage: 2,
  inconclusive: 3,
  fault: 70,
  interrupted: 130,
} as const;

/** The exit code of a run whose reports could not be written. A run without its evidence does not conform. */
export const withoutReports = (code: number): number => (code === EXIT.conforming ? EXIT.usage : code);

/**
 * Turns a run into an exit code. Nothing else does. A fault of the suite takes precedence over an interruption, which takes
 * precedence over the verdict.
 */
export function exitCode(run: {
  readonly standing: Standing;
  readonly ended: 'whole' | 'cut short' | 'interrupted';
  readonly faulty: boolean;
  readonly requireWhole: boolean;
  /** How many entries of the list of known failures are wrong. */
  readonly listProblems?: number;
}): number {
  if (run.faulty) return EXIT.fault;
  if (run.ended === 'interrupted') return EXIT.interrupted;
  if ((run.listProblems ?? 0) > 0) return EXIT.nonConforming;
  switch (run.standing.verdict) {
    case 'non-conforming':
      return EXIT.nonConforming;
    case 'inconclusive':
      return EXIT.inconclusive;
    case 'conforming':
      return run.standing.partial && run.requireWhole ? EXIT.inconclusive : EXIT.conforming;
  }
}
