import { entryLine } from '../known-failures/telling.ts';
import { caseLine, inBrief, repeatLines } from './brief.ts';
import { sentenceOf } from './finding-lines.ts';
import { repetitionOf } from './repetition.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { xmlDocument, type Element } from './xml.ts';

/**
 * The report as JUnit XML in the form that the schemas of both Jenkins (junit-10) and Apache Ant (as Windy Road wrote
 * it down) permit. `fail` becomes a failure, `error` an error, `skipped` and `inapplicable` a skipped test. A known
 * failure is skipped, with its reason; a mistake in the list of known failures fails. These schemas allow no other
 * content in a test case, so observations and warnings go to the output of its suite.
 */
export function junit(report: Report): string {
  const { requirements, knownFailures } = report;
  const topics = [...new Set(requirements.map(topicOf))];
  const suites = topics.map((topic, id) => {
    const members = requirements.filter((one) => topicOf(one) === topic);
    const totals = { name: topic, id, ...counts(members), time: seconds(sum(members)) };
    const output = members.flatMap(outputOf).join('\n');
    return suiteOf(
      report,
      totals,
      members.map((one) => caseOf(one, report)),
      output,
    );
  });
  const problems = knownFailures?.problems ?? [];
  if (problems.length > 0) {
    const totals = {
      name: 'known failures',
      id: topics.length,
      ...counts([], problems.length),
      time: seconds(0),
    };
    const cases = problems.map(({ id, kind, sentence }) => ({
      name: 'testcase',
      attributes: { classname: knownFailures?.file ?? '', name: `${id}: ${kind}`, time: seconds(0) },
      content: [{ name: 'failure', attributes: { message: sentence, type: kind } }],
    }));
    suites.push(suiteOf(report, totals, cases));
  }
  // Ant's schema gives this element no attributes.
  return xmlDocument({ name: 'testsuites', content: suites });
}

function suiteOf(
  report: Report,
  { name, id, ...totals }: Readonly<Record<string, string | number>>,
  cases: readonly Element[],
  output = '',
): Element {
  return {
    name: 'testsuite',
    attributes: {
      name: name ?? '',
      package: report.suite.name,
      id: id ?? 0,
      // The schema requires it, but reports name no machine.
      hostname: 'localhost',
      // Ant's schema permits no time zone. This is UTC.
      timestamp: report.startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length),
      ...totals,
    },
    content: [
      {
        name: 'properties',
        content: propertiesOf(report).map(([property, value]) => ({
          name: 'property',
          attributes: { name: property, value },
        })),
      },
      ...cases,
      { name: 'system-out', content: output },
      { name: 'system-err' },
    ],
  };
}

const caseOf = (one: ReportedRequirement, report: Report): Element => ({
  name: 'testcase',
  attributes: {
    classname: `${report.suite.name}.${topicOf(one)}`,
    name: `${one.id}: ${one.text}`,
    time: seconds(one.durationMs),
  },
  content: [becameOf(one, report)].flatMap((became) => became ?? []),
});

/** The result element of a test case; undefined if it passed. */
function becameOf(one: ReportedRequirement, report: Report): Element | undefined {
  const { verdict, level, reason: message } = one;
  if (one.known !== undefined)
    return { name: 'skipped', attributes: { message: `${entryLine(one.known)} (${message})` } };
  if (verdict === 'fail' || verdict === 'error')
    return {
      name: verdict === 'fail' ? 'failure' : 'error',
      attributes: { message, type: level },
      content: detail(one, report),
    };
  return verdict === 'skipped' || verdict === 'inapplicable'
    ? { name: 'skipped', attributes: { message } }
    : undefined;
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

/** The sentence, the expectation, the exchanges (the deciding one first), and the script. */
function detail(one: ReportedRequirement, report: Report): string {
  const { exchanges, example, steadiness, reason, section, expected, cause } = one;
  const decisive = exchanges.filter(({ decides }) => decides === true);
  const others = exchanges.filter(({ decides }) => decides !== true);
  return [
    `${sentenceOf(reason)} (section ${section} of the specification)`,
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    ...(cause === undefined || one.verdict !== 'fail' ? [] : [`Usually: ${cause}`]),
    ...(example === undefined ? [] : [`${caseLine(example)}\n${example.repeat}`]),
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
