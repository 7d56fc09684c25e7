import type { Child } from 'hono/jsx';
import { idsIn } from '../../reports/finding-lines.ts';
import type { Report, ReportedRequirement } from '../../reports/schema.ts';

const TONES = { conforming: 'good', 'non-conforming': 'bad', inconclusive: 'doubt' } as const;
const WORDS = {
  conforming: 'conforms',
  'non-conforming': 'does not conform',
  inconclusive: 'could not be decided',
} as const;

/** Whether the target conforms, how sure that is, of what it is said, and when it was found. */
export const Headline = ({ report }: { report: Report }): Child => (
  <header>
    <p class="eyebrow">Conformance to the Account Mutation API</p>
    <div class={`headline ${TONES[report.verdict]}`}>
      <h1>
        {report.verdict === 'inconclusive'
          ? `Inconclusive: whether ${report.target} conforms could not be decided`
          : `${report.target} ${WORDS[report.verdict]}`}
        {report.partial ? ' (partial)' : ''}
      </h1>
      {certainty(report).map((sentence) => (
        <p>{sentence}</p>
      ))}
    </div>
    <dl class="facts">
      <dt>Checked</dt>
      <dd>
        <time datetime={report.startedAt}>{moment(report.startedAt)}</time>, in {seconds(report.durationMs)}
      </dd>
      <dt>By</dt>
      <dd>
        {report.suite.name} {report.suite.version}, effort {report.effort}, seed {report.seed}
      </dd>
      <dt>Sent</dt>
      <dd>
        {report.traffic.requests} requests, {report.traffic.logins} of them logins
      </dd>
    </dl>
  </header>
);

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A moment such as `2026-03-01 09:30:00 UTC`. */
export const moment = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** Whether a requirement counts for the verdict. */
export const counts = ({ level, declared }: ReportedRequirement): boolean =>
  level === 'required' || level === 'derived' || declared !== undefined;

/** How sure the verdict is, in sentences. */
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
  const flaky = requirements.filter(
    ({ verdict, steadiness }) =>
      verdict === 'fail' && steadiness !== undefined && steadiness.failed < steadiness.asked,
  );
  const left = residue.length;
  return [
    ...(fault === undefined
      ? []
      : ['A fault of the suite itself was met: no verdict of this run can be trusted.']),
    ...(obstacle === undefined
      ? []
      : [`The run could not ${obstacle.step}, which everything else needs: ${obstacle.why}.`]),
    `Of ${counting.length} requirements that count (required, derived or declared), ${[
      `${held} hold`,
      ...(failed === 0 ? [] : [`${failed} fail`]),
      ...(idle === 0 ? [] : [`${idle} do not apply to this target`]),
      ...(open === 0 ? [] : [`${open} could not be decided`]),
      ...(skipped === 0 ? [] : [`${skipped} were not tested`]),
    ].join(', ')}.`,
    ...(causes.length === 0
      ? []
      : [
          `The failures come from ${causes.length === 1 ? 'one cause' : `${causes.length} causes`}: ${idsIn(
            causes.map(({ id }) => id),
            5,
          )}.`,
        ]),
    ...(flaky.length === 0
      ? []
      : [`${idsIn(flaky.map(({ id }) => id))} failed only sometimes; that is a failure all the same.`]),
    ...(ended === 'whole' ? [] : [`The run was ${ended}, so that not everything was asked.`]),
    ...(left === 0
      ? []
      : [
          `${left} ${left === 1 ? 'tag of this run is' : 'tags of this run are'} or may be left on the target.`,
        ]),
    ...(report.verdict === 'conforming' && !report.partial
      ? ['Nothing that counts was left out.']
      : report.partial
        ? ['The run is partial: what was not tested may fail.']
        : []),
  ];
}
