import { create } from 'xmlbuilder2';
import { entryLine } from '../known-failures/telling.ts';
import { inBrief, repeatLines } from './brief.ts';
import type { Report, ReportedRequirement } from './schema.ts';

/**
 * The report as JUnit XML. `fail` becomes a failure, `error` an error, `warn` and `observed` a pass with output, `skipped` and
 * `inapplicable` a skipped test. A known failure is skipped, with its reason; what is wrong with the list of them fails.
 */
export function junit(report: Report): string {
  const { requirements, knownFailures } = report;
  const problems = knownFailures?.problems ?? [];
  const topics = [...new Set(requirements.map(topicOf))];
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' });
  const root = document.ele('testsuites', {
    name: `${report.suite.name} ${report.suite.version}: ${report.verdict}`,
    ...counts(requirements, problems.length),
    time: seconds(report.durationMs),
  });
  for (const topic of topics) {
    const members = requirements.filter((one) => topicOf(one) === topic);
    const suite = root.ele('testsuite', {
      name: topic,
      timestamp: report.startedAt,
      ...counts(members),
      time: seconds(sum(members)),
    });
    for (const one of members) {
      const test = suite.ele('testcase', {
        classname: `section ${one.section}`,
        name: escaped(`${one.id}: ${one.text}`),
        time: seconds(one.durationMs),
      });
      if (one.known !== undefined)
        test.ele('skipped', { message: escaped(`${entryLine(one.known)} (${one.reason})`) });
      else if (one.verdict === 'fail')
        test.ele('failure', { message: escaped(one.reason), type: one.level }).txt(escaped(detail(one)));
      else if (one.verdict === 'error')
        test.ele('error', { message: escaped(one.reason), type: one.level }).txt(escaped(detail(one)));
      else if (one.verdict === 'skipped' || one.verdict === 'inapplicable')
        test.ele('skipped', { message: escaped(one.reason) });
      else if (one.verdict === 'observed') test.ele('system-out').txt(escaped(one.said ?? ''));
      else if (one.verdict === 'warn')
        test.ele('system-out').txt(escaped(`warning: ${one.reason}\n${detail(one)}`));
    }
  }
  if (problems.length > 0) {
    const suite = root.ele('testsuite', {
      name: 'known failures',
      timestamp: report.startedAt,
      ...counts([], problems.length),
      time: seconds(0),
    });
    for (const { id, kind, sentence } of problems) {
      const test = suite.ele('testcase', {
        classname: escaped(knownFailures?.file ?? ''),
        name: escaped(`${id}: ${kind}`),
        time: seconds(0),
      });
      test.ele('failure', { message: escaped(sentence), type: kind });
    }
  }
  return document.end({ prettyPrint: true });
}

/** Escapes ampersands, because the library writes text that looks like a reference (`&#0;`) unescaped. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;');

const topicOf = ({ id }: ReportedRequirement): string => id.split('/')[0] ?? id;
const seconds = (ms: number): string => (ms / 1_000).toFixed(3);
const sum = (members: readonly ReportedRequirement[]): number =>
  members.reduce((all, { durationMs }) => all + durationMs, 0);

/** @param problems how many entries of the list of known failures are wrong. */
function counts(members: readonly ReportedRequirement[], problems = 0): Record<string, number> {
  const of = (...verdicts: string[]): number =>
    members.filter(({ verdict, known }) => known === undefined && verdicts.includes(verdict)).length;
  const known = members.filter((one) => one.known !== undefined).length;
  return {
    tests: members.length + problems,
    failures: of('fail') + problems,
    errors: of('error'),
    skipped: of('skipped', 'inapplicable') + known,
  };
}

function detail({ exchanges, example, steadiness }: ReportedRequirement): string {
  return [
    ...(example === undefined ? [] : [`${example.told}\n${example.repeat}`]),
    ...(steadiness === undefined
      ? []
      : [`checked ${steadiness.asked} times, failed ${steadiness.failed} times`]),
    ...exchanges.map((exchange) => {
      const [sent, came] = inBrief(exchange);
      return [`> ${sent}`, `< ${came}`, ...repeatLines(exchange)].join('\n');
    }),
  ].join('\n\n');
}
