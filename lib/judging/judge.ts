import type { Outcome } from '../outcome.ts';
import type { Level } from '../requirement.ts';

export const VERDICTS = ['pass', 'fail', 'warn', 'observed', 'inapplicable', 'skipped', 'error'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The one place where a level and an outcome become a verdict. */
export function judge(level: Level, outcome: Outcome): Verdict {
  switch (outcome.kind) {
    case 'holds':
      return outcome.warning === undefined ? 'pass' : 'warn';
    case 'broken':
      if (level === 'open')
        throw new Error('a check of level open came to a finding: there is nothing that it could break');
      return level === 'advisory' ? 'warn' : 'fail';
    case 'observed':
      if (level !== 'open') throw new Error(`a check of level ${level} only observed: it has to decide`);
      return 'observed';
    case 'undecided':
      return outcome.because === 'choice'
        ? 'inapplicable'
        : outcome.because === 'tester'
          ? 'skipped'
          : 'error';
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
}

const weighs = ({ level }: Judged): boolean => level === 'required' || level === 'derived';

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
