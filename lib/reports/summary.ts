import { entryText } from '../known-failures/telling.ts';
import { sectionName } from '../spec/sections.ts';
import { inBrief } from './brief.ts';
import { certainty, counted, verdictSentence } from './certainty.ts';
import { compare, sideOf, type Difference, type Side } from './comparing.ts';
import { idsIn, sentenceOf } from './finding-lines.ts';
import { block, code, linkTo, plain } from './markdown.ts';
import { unlistedCauses } from './known.ts';
import { seconds } from './moment.ts';
import { repetitionOf } from './repetition.ts';
import type { Cause, Report } from './schema.ts';

/** The most causes with their exchanges; the others have a line each. A comment on GitHub has at most 65 536 characters. */
const MOST_DETAILED = 8;
const MOST_CAUSES = 40;
const MOST_BODY = 400;
const MOST_DIFFERENCES = 30;
const MOST_LISTED = 12;
const MOST_IDS = 10;

const MARKS = { conforming: '✅', 'non-conforming': '❌', inconclusive: '⚠️' } as const;

/**
 * The report as Markdown, for a comment on a pull request or the summary of a job: the verdict, the causes, what changed and
 * what was not tested. Text of the target stays text.
 *
 * @param file the report as JSON, which commands name.
 * @param since an earlier run, to compare with.
 */
export function summary(report: Report, file: string, since?: Side): string {
  return [
    `## ${MARKS[report.verdict]} ${plain(verdictSentence(report))}`,
    '',
    ...certainty(report).map(plain),
    '',
    ...causeLines(report, file),
    ...knownLines(report),
    ...(since === undefined ? [] : changeLines(report, since)),
    ...untestedLines(report),
    ...listLines(
      'Warnings',
      report.requirements.flatMap(({ id, verdict, reason }) =>
        verdict === 'warn' ? [`${code(id)}: ${plain(sentenceOf(reason))}`] : [],
      ),
    ),
    `${report.traffic.requests} requests in ${seconds(report.durationMs)}, effort ${report.effort}, seed ${code(report.seed)}, ${plain(`${report.suite.name} ${report.suite.version}`)}. The page ${code('index.html')} beside this summary has everything.`,
    '',
  ].join('\n');
}

function causeLines(report: Report, file: string): string[] {
  const { fault } = report;
  const causes = unlistedCauses(report);
  const more = causes.length - MOST_CAUSES;
  return [
    ...(fault === undefined
      ? []
      : ['### A fault of the suite', '', ...block(fault.split('\n').slice(0, 12)), '']),
    ...(causes.length === 0 ? [] : ['### Causes', '']),
    ...causes.slice(0, MOST_CAUSES).flatMap((cause, at) => causeOf(cause, at, report, file)),
    ...(more > 0 ? [`… and ${more} more.`] : []),
    ...(causes.length === 0 ? [] : ['']),
  ];
}

/** The failures that a list accepts, and the problems of the list. */
function knownLines({ knownFailures, requirements }: Report): string[] {
  const known = requirements.flatMap(({ id, known: entry }) =>
    entry === undefined
      ? []
      : [
          `${code(id)}: ${plain(sentenceOf(entryText(entry)))}${entry.link === undefined ? '' : ` ${linkTo(entry.link)}`}`,
        ],
  );
  const problems = (knownFailures?.problems ?? []).map(({ sentence }) => plain(sentence));
  return [
    ...listLines('Known failures', known),
    ...listLines('Mistakes in the list of known failures', problems),
  ];
}

/** One cause as an item of a list: the finding, what follows from it, both sides and how to see it again. */
function causeOf({ id, explains, waiting }: Cause, at: number, report: Report, file: string): string[] {
  const one = report.requirements.find((candidate) => candidate.id === id);
  if (one === undefined) return [];
  const decisive = one.exchanges.find(({ decides }) => decides === true);
  const number = `${at + 1}.`;
  const indent = ' '.repeat(number.length + 1);
  const following = [
    ...(explains.length === 0 ? [] : [`It explains ${idsIn(explains.map(code), 3)}.`]),
    ...(waiting.length === 0 ? [] : [`Because of it ${waiting.length} more could not be decided.`]),
  ];
  const details = [
    ...(decisive === undefined
      ? []
      : [
          '',
          ...block(inBrief(decisive, MOST_BODY).map((line, side) => `${side === 0 ? '>' : '<'} ${line}`)),
        ]),
    ...(one.expected === undefined ? [] : ['', `Expected: ${code(one.expected)}`]),
    ...(one.cause === undefined ? [] : ['', `Usually: ${plain(one.cause)}`]),
    '',
    ...block([repetitionOf(one, report.target, { file }).command], 'sh'),
    '',
  ];
  return [
    `${number} **${code(id)}** (${plain(`${sectionName(one.section)}, ${one.level}`)}): ${[plain(sentenceOf(one.reason)), ...following].join(' ')}`,
    ...(at < MOST_DETAILED ? details.map((line) => (line === '' ? '' : indent + line)) : []),
  ];
}

/** What differs from an earlier run: verdicts that got worse, other verdicts, answers to open questions. */
function changeLines(report: Report, since: Side): string[] {
  const now = sideOf('this run', report);
  const differences = compare(since, now);
  const title = `Changed since ${since.name}`;
  if (differences.length === 0) return [`### ${plain(title)}`, '', 'No verdict and no answer changed.', ''];
  const [verdicts, answers] = [true, false].map((isVerdict) =>
    differences.filter(({ what }) => now.verdicts.has(what) === isVerdict),
  ) as [Difference[], Difference[]];
  const worse = verdicts.filter(({ isWorse }) => isWorse).length;
  const pairs = [...new Set(verdicts.map(changeOf))].toSorted(
    (one, other) => Number(other.startsWith('now fail')) - Number(one.startsWith('now fail')),
  );
  return listLines(
    title,
    [
      ...pairs.map((pair) => {
        const members = verdicts.filter((one) => changeOf(one) === pair);
        const mark = members.some(({ isWorse }) => isWorse) ? '**worse**: ' : '';
        return `${mark}${pair}: ${idsIn(
          members.map(({ what }) => code(what)),
          MOST_IDS,
        )}`;
      }),
      ...answers.map(({ what, was, now: is }) => `${code(what)}: ${plain(is)}, was ${plain(was)}`),
    ],
    `${counted(worse, 'verdict', 'verdicts')} got worse, ${verdicts.length - worse} changed otherwise, and ${counted(answers.length, 'answer', 'answers')} to open questions changed.`,
    MOST_DIFFERENCES,
  );
}

const changeOf = ({ was, now }: Difference): string => `now ${now}, was ${was}`;

/** What was not tested or not decided, once for each reason. */
function untestedLines({ requirements, causes }: Report): string[] {
  const waiting = new Set(causes.flatMap((cause) => cause.waiting));
  const untested = requirements.filter(
    ({ verdict, id }) => verdict === 'skipped' || (verdict === 'error' && !waiting.has(id)),
  );
  const reasons = [...new Set(untested.map(({ reason }) => reason))];
  return listLines(
    'Not tested or not decided',
    reasons.map((reason) => {
      const ids = untested.filter((one) => one.reason === reason).map(({ id }) => code(id));
      return `${idsIn(ids, 4)}: ${plain(sentenceOf(reason))}`;
    }),
  );
}

function listLines(title: string, items: readonly string[], intro?: string, most = MOST_LISTED): string[] {
  if (items.length === 0) return [];
  const more = items.length - most;
  return [
    `### ${plain(title)}`,
    '',
    ...(intro === undefined ? [] : [intro, '']),
    ...items.slice(0, most).map((item) => `- ${item}`),
    ...(more > 0 ? [`- … and ${more} more`] : []),
    '',
  ];
}
