import type { Outcome } from '../outcome.ts';
import type { Level } from '../requirement.ts';
import { agrees } from './claim.ts';

export const VERDICTS = ['pass', 'fail', 'warn', 'observed', 'inapplicable', 'skipped', 'error'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What the implementer declared the answer to an open question to be. */
export interface Claim {
  readonly declared: unknown;
}

/** The one place where a level, an outcome, and a claim where there is one, become a verdict. */
export function judge(level: Level, outcome: Outcome, claim?: Claim): Verdict {
  switch (outcome.kind) {
    case 'holds':
      return outcome.warning === undefined ? 'pass' : 'warn';
    case 'broken':
      if (level === 'open')
        throw new Error('a check of level open came to a finding: there is nothing that it could break');
      return level === 'advisory' ? 'warn' : 'fail';
    case 'observed':
      if (level !== 'open') throw new Error(`a check of level ${level} only observed: it has to decide`);
      if (claim === undefined) return 'observed';
      return agrees(claim.declared, outcome.answer) ? 'pass' : 'fail';
    case 'undecided':
      if (outcome.because === 'tester') return 'skipped';
      // Something is claimed, and could not be seen: that is no reason to believe it.
      return outcome.because === 'choice' && claim === undefined ? 'inapplicable' : 'error';
  }
}

/** How the whole run stands. */
export interface Standing {
  readonly verdict: 'conforming' | 'non-conforming' | 'inconclusive';
  /** Something of the catalogue was left out by the tester's choice or for lack of something. */
  readonly partial: boolean;
  /** How many required and derived requirements were not tested for that reason. */
  readonly untested: number;
}

interface Judged {
  readonly level: Level;
  readonly verdict: Verdict;
  /** There where an answer was declared, which then has to hold. */
  readonly declared?: unknown;
}

const weighs = ({ level, declared }: Judged): boolean =>
  level === 'required' || level === 'derived' || declared !== undefined;

/**
 * The one place where verdicts become the verdict of a run. A failure once decided stays one; without a failure, a run
 * that was cut short, tested nothing, or could not decide something that weighs is inconclusive.
 *
 * @param whole whether the run came to its end.
 */
export function standing(judged: readonly Judged[], whole: boolean): Standing {
  const untested = judged.filter((one) => weighs(one) && one.verdict === 'skipped').length;
  const partial = untested > 0;
  if (judged.some(({ verdict }) => verdict === 'fail'))
    return { verdict: 'non-conforming', partial, untested };
  const tested = judged.some(
    (one) => one.verdict === 'pass' || one.verdict === 'warn' || one.verdict === 'observed',
  );
  const undecided = judged.some((one) => weighs(one) && one.verdict === 'error');
  return { verdict: whole && tested && !undecided ? 'conforming' : 'inconclusive', partial, untested };
}

export const EXIT = {
  conforming: 0,
  nonConforming: 1,
  usage: 2,
  inconclusive: 3,
  fault: 70,
  interrupted: 130,
} as const;

/**
 * The one place where a run becomes an exit code. In doubt a fault of the suite comes first, then an interruption,
 * then a failure, then what is inconclusive.
 */
export function exitCode(run: {
  readonly standing: Standing;
  readonly ended: 'whole' | 'cut short' | 'interrupted';
  readonly faulty: boolean;
  readonly requireWhole: boolean;
}): number {
  if (run.faulty) return EXIT.fault;
  if (run.ended === 'interrupted') return EXIT.interrupted;
  switch (run.standing.verdict) {
    case 'non-conforming':
      return EXIT.nonConforming;
    case 'inconclusive':
      return EXIT.inconclusive;
    case 'conforming':
      return run.standing.partial && run.requireWhole ? EXIT.inconclusive : EXIT.conforming;
  }
}
