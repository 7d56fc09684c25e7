import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { entryLine } from '../known-failures/telling.ts';
import { inBrief, repeatLines } from './brief.ts';
import { sentenceOf } from './finding-lines.ts';
import { repetitionOf } from './repetition.ts';
import type { Report, ReportedRequirement } from './schema.ts';

/**
 * The report as JUnit XML in the form that the schemas of both Jenkins (junit-10) and Apache Ant (as Windy Road wrote it down)
 * permit. `fail` becomes a failure, `error` an error, `skipped` and `inapplicable` a skipped test. A known failure is skipped,
 * with its reason; what is wrong with the list of them fails. A test case has no other content there: what is observed or a
 * warning stands in the output of its suite.
 */
export function junit(report: Report): string {
  const { requirements, knownFailures } = report;
  const problems = knownFailures?.problems ?? [];
  const topics = [...new Set(requirements.map(topicOf))];
  const document = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' });
  // Ant's schema gives this element no attributes.
  const root = document.ele('testsuites');
  for (const [at, topic] of topics.entries()) {
    const members = requirements.filter((one) => topicOf(one) === topic);
    const suite = addSuite(root, report, {
      name: topic,
      id: at,
      ...counts(members),
      time: seconds(sum(members)),
    });
    for (const one of members) addCase(suite, one, report);
    suite.ele('system-out').txt(escaped(members.flatMap(outputOf).join('\n')));
    suite.ele('system-err');
  }
  if (problems.length > 0) {
    const parts = {
      name: 'known failures',
      id: topics.length,
      ...counts([], problems.length),
      time: seconds(0),
    };
    const suite = addSuite(root, report, parts);
    for (const { id, kind, sentence } of problems) {
      const test = suite.ele('testcase', {
        classname: escaped(knownFailures?.file ?? ''),
        name: escaped(`${id}: ${kind}`),
        time: seconds(0),
      });
      test.ele('failure', { message: escaped(sentence), type: kind });
    }
    suite.ele('system-out');
    suite.ele('system-err');
  }
  return document.end({ prettyPrint: true });
}

function addSuite(
  root: XMLBuilder,
  report: Report,
  parts: Readonly<Record<string, string | number>>,
): XMLBuilder {
  const { name, id, ...rest } = parts;
  const suite = root.ele('testsuite', {
    name,
    package: report.suite.name,
    id,
    // The schema asks for it; reports name no machine.
    hostname: 'localhost',
    // Ant's schema permits no time zone. This is UTC.
    timestamp: report.startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
    ...rest,
  });
  const properties = suite.ele('properties');
  for (const [property, value] of propertiesOf(report))
    properties.ele('property', { name: property, value: escaped(value) });
  return suite;
}

function addCase(suite: XMLBuilder, one: ReportedRequirement, report: Report): void {
  const { id, text, verdict, level, reason } = one;
  const test = suite.ele('testcase', {
    classname: `${report.suite.name}.${topicOf(one)}`,
    name: escaped(`${id}: ${text}`),
    time: seconds(one.durationMs),
  });
  const message = escaped(reason);
  if (one.known !== undefined)
    return void test.ele('skipped', { message: escaped(`${entryLine(one.known)} (${reason})`) });
  if (verdict === 'fail') test.ele('failure', { message, type: level }).txt(escaped(detail(one, report)));
  if (verdict === 'error') test.ele('error', { message, type: level }).txt(escaped(detail(one, report)));
  if (verdict === 'skipped' || verdict === 'inapplicable') test.ele('skipped', { message });
}

const propertiesOf = ({
  suite,
  target,
  verdict,
  partial,
  effort,
  seed,
  startedAt,
}: Report): readonly (readonly [string, string])[] => [
  ['suite', `${suite.name} ${suite.version}`],
  ['target', target],
  ['verdict', partial ? `${verdict}, partial` : verdict],
  ['effort', effort],
  ['seed', seed],
  ['startedAt', startedAt],
];

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

/** A line for an answer to an open question or a warning. */
function outputOf({ id, verdict, reason, said }: ReportedRequirement): string[] {
  if (verdict === 'warn') return [`${id}: warning: ${sentenceOf(reason)}`];
  return said === undefined ? [] : [`${id}: ${said}`];
}

/** The sentence, what was expected, the exchanges, the one that decides first, and the script. */
function detail(one: ReportedRequirement, report: Report): string {
  const { exchanges, example, steadiness, reason, section, expected, cause } = one;
  const decisive = exchanges.filter(({ decides }) => decides === true);
  const others = exchanges.filter(({ decides }) => decides !== true);
  return [
    `${sentenceOf(reason)} (section ${section} of the specification)`,
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    ...(cause === undefined || one.verdict !== 'fail' ? [] : [`Usually: ${cause}`]),
    ...(example === undefined ? [] : [`${example.told}\n${example.repeat}`]),
    ...(steadiness === undefined
      ? []
      : [`checked ${steadiness.asked} times, failed ${steadiness.failed} times`]),
    ...[...decisive, ...others].map((exchange) => {
      const [sent, came] = inBrief(exchange);
      return [`> ${sent}`, `< ${came}`, ...repeatLines(exchange)].join('\n');
    }),
    ...(one.verdict === 'fail' ? scriptLines(one, report) : []),
  ].join('\n\n');
}

function scriptLines(one: ReportedRequirement, { target }: Report): string[] {
  const { script } = repetitionOf(one, target);
  return script === undefined ? [] : [`A shell script that repeats it:\n\n${script}`];
}
