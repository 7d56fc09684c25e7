import { standing } from '../judging/judge.ts';
import { idsIn } from '../reports/finding-lines.ts';
import type { Report, ReportedRequirement } from '../reports/schema.ts';

const counts = ({ level }: ReportedRequirement): boolean => level === 'required' || level === 'derived';

/**
 * Why a run may not be certified: it was not whole, or its target does not conform. One sentence for each reason; empty
 * if it may.
 */
export function lacksOf(report: Report): string[] {
  const { requirements, ended, obstacle, fault, residue, knownFailures, effort, target, verdict } = report;
  const failed = requirements.filter((one) => one.verdict === 'fail').map(({ id }) => id);
  const undecided = requirements.filter((one) => counts(one) && one.verdict === 'error').map(({ id }) => id);
  const unasked = requirements.filter((one) => counts(one) && one.verdict === 'skipped');
  const why = [...new Set(unasked.map(({ reason }) => reason))];
  const follows = standing(requirements, { isWhole: ended === 'whole', residue: residue.length }).verdict;
  const reasons = [
    ...(fault === undefined
      ? []
      : ['The run had a fault of the suite itself, so no verdict of it can be trusted.']),
    ...(ended === 'cut short' ? ['The run was cut short, so not everything was checked.'] : []),
    ...(ended === 'interrupted' ? ['The run was interrupted, so not everything was checked.'] : []),
    ...(obstacle === undefined ? [] : [`The preflight could not ${obstacle.step}.`]),
    ...(effort === 'thorough' ? [] : [`The run had the effort ${effort}, and a certificate needs thorough.`]),
    ...(target.startsWith('https:') ? [] : ['The run was not over https, which a certificate needs.']),
    ...(failed.length === 0 ? [] : [`The target does not conform: it fails ${idsIn(failed)}.`]),
    ...(undecided.length === 0
      ? []
      : [`Required or derived requirements could not be decided: ${idsIn(undecided)}.`]),
    ...(unasked.length === 0
      ? []
      : [
          `Required or derived requirements were not checked: ${idsIn(unasked.map(({ id }) => id))} (${why.join('; ')}).`,
        ]),
    ...(residue.length === 0 ? [] : ['Tags of the run are left on the target, or may be.']),
    ...(knownFailures === undefined
      ? []
      : ['The run had a list of known failures, which a certificate does not allow.']),
    ...(verdict === follows
      ? []
      : [`The report says ${verdict}, but the verdict that follows from its requirements is ${follows}.`]),
  ];
  return reasons.length > 0 || verdict === 'conforming'
    ? reasons
    : [`The verdict on the target is ${verdict}, and only a conforming one is certified.`];
}
