import { counts, EXIT } from '../judging/judge.ts';
import { idsIn } from './finding-lines.ts';
import { intermittence } from './steadiness.ts';
import type { Report } from './schema.ts';

/** The verdict on a target as a sentence without a full stop. */
export function verdictSentence({ verdict, target, partial }: Report): string {
  const note = partial ? ' (partial)' : '';
  switch (verdict) {
    case 'conforming':
      return `${target} conforms${note}`;
    case 'non-conforming':
      return `${target} does not conform${note}`;
    case 'inconclusive':
      return `Inconclusive: whether ${target} conforms could not be decided${note}`;
  }
}

/** A number with a word that agrees with it. */
export const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Why a run that conforms exits with 3, as a sentence; undefined for any other run. */
export const wholenessLack = ({ verdict, exitCode, requirements }: Report): string | undefined => {
  if (verdict !== 'conforming' || exitCode !== EXIT.inconclusive) return undefined;
  const skipped = requirements.filter((one) => one.verdict === 'skipped' && counts(one)).length;
  return `The run exits with ${exitCode}, because it was to be whole (--require-whole) and ${counted(skipped, 'requirement that counts was', 'requirements that count were')} not tested.`;
};

/** How certain the verdict is, in sentences. */
export function certainty(report: Report): string[] {
  const { requirements, causes, ended, fault, residue, obstacle } = report;
  const counting = requirements.filter(counts);
  const having = (verdict: string): number => counting.filter((one) => one.verdict === verdict).length;
  const [failed, open, skipped, idle] = ['fail', 'error', 'skipped', 'inapplicable'].map(having) as [
    number,
    number,
    number,
    number,
  ];
  const held = counting.length - failed - open - skipped - idle;
  const flaky = requirements.filter((one) => one.verdict === 'fail' && intermittence(one) !== undefined);
  const known = requirements.filter((one) => one.verdict === 'fail' && one.known !== undefined).length;
  const left = residue.length;
  const lack = wholenessLack(report);
  return [
    ...(fault === undefined ? [] : ['The suite itself failed: no verdict of this run can be trusted.']),
    ...(obstacle === undefined
      ? []
      : [`The run could not ${obstacle.step}, which everything else needs: ${obstacle.why}.`]),
    `Of ${counting.length} requirements that count (required, derived or declared), ${[
      counted(held, 'holds', 'hold'),
      ...(failed === 0 ? [] : [counted(failed, 'fails', 'fail')]),
      ...(idle === 0 ? [] : [`${counted(idle, 'does', 'do')} not apply to this target`]),
      ...(open === 0 ? [] : [`${open} could not be decided`]),
      ...(skipped === 0 ? [] : [`${counted(skipped, 'was', 'were')} not tested`]),
    ].join(', ')}.`,
    ...(causes.length === 0
      ? []
      : [
          `The failures come from ${causes.length === 1 ? 'one cause' : `${causes.length} causes`}: ${idsIn(
            causes.map(({ id }) => id),
            5,
          )}.`,
        ]),
    ...(known === 0 ? [] : [`A list accepts ${known} of the failures as known.`]),
    ...(flaky.length === 0
      ? []
      : [`${idsIn(flaky.map(({ id }) => id))} failed only sometimes; that is a failure all the same.`]),
    ...(ended === 'whole' ? [] : [`The run was ${ended}, so not everything was checked.`]),
    ...(left === 0
      ? []
      : [`${counted(left, 'tag of this run is', 'tags of this run are')} or may be left on the target.`]),
    ...(report.verdict === 'conforming' && !report.partial
      ? ['Nothing that counts was left out.']
      : report.partial
        ? ['The run is partial: what was not tested may fail.']
        : []),
    ...(lack === undefined ? [] : [lack]),
  ];
}
