import type { Colors } from 'picocolors/types.js';
import { harmless } from '../http/wording.ts';
import { sectionName } from '../spec/sections.ts';
import { caseLine, inBrief } from './brief.ts';
import { intermittence } from './steadiness.ts';
import type { ReportedRequirement } from './schema.ts';
import { MARK, painted } from './verdict-words.ts';
import { wrapped } from './wrapping.ts';

/** How wide the terminal is, and in which colours it shows text. */
export interface Page {
  /** The most characters of a line. */
  readonly columns: number;
  readonly colors: Colors;
}

const INDENT = '   ';

/** The most characters of a body on the terminal. The report holds more. */
const MOST_BODY = 110;

/** Lines under a heading, each wrapped on its own. */
export const paragraph = (text: string, { columns }: Page, first = INDENT, next = INDENT): string[] =>
  wrapped(harmless(text), columns, first, next);

/** A finding: its requirement, both sides, the exchange that decides, the usual cause. */
export function findingLines(one: ReportedRequirement, page: Page): string[] {
  const { colors } = page;
  const { id, section, level, verdict, reason, cause, example, expected } = one;
  const name = `${painted(verdict, MARK[verdict], colors)} ${colors.bold(id)}`;
  const place = `(${sectionName(section)}, ${level})`;
  const fits = `${MARK[verdict]} ${id} ${place}`.length <= page.columns;
  const flaky = intermittence(one);
  return [
    ...(fits ? [`${name} ${colors.dim(place)}`] : [name, ...paragraph(place, page).map(colors.dim)]),
    ...paragraph(sentenceOf(reason), page).map((line) => painted(verdict, line, colors)),
    ...(example === undefined ? [] : caseLines(example, page)),
    ...(flaky === undefined ? [] : paragraph(flaky, page).map((line) => painted('warn', line, colors))),
    ...exchangeLines(one, page),
    ...(expected === undefined ? [] : paragraph(`Expected: ${expected}`, page)),
    ...paragraph(ruleOf(one), page).map(colors.dim),
    ...(cause === undefined ? [] : paragraph(`Usually: ${cause}`, page)),
  ];
}

/** The smallest case. The lines of a timeline keep their blanks, if they fit. */
function caseLines(example: NonNullable<ReportedRequirement['example']>, page: Page): string[] {
  const [first = '', ...timeline] = caseLine(example).split('\n');
  return [
    ...paragraph(first, page),
    ...timeline.flatMap((line) => {
      const whole = `${INDENT}  ${harmless(line)}`;
      return whole.length <= page.columns ? [whole] : paragraph(line, page, `${INDENT}  `, `${INDENT}    `);
    }),
  ];
}

/** The request at fault, and the exchange that decides, which is marked with a star. */
function exchangeLines({ exchanges }: ReportedRequirement, page: Page): string[] {
  const decisive = exchanges.find(({ decides }) => decides === true);
  if (decisive === undefined) return [];
  const write = exchanges.find(({ request }) => request.method !== 'GET');
  // If a list decides, it shows the effect of an earlier request.
  const first = decisive.request.method === 'GET' && write !== decisive ? write : undefined;
  return [...(first === undefined ? [] : [first]), decisive].flatMap((exchange) => {
    const mark = exchange === decisive ? '*' : ' ';
    const [sent, came] = inBrief(exchange, MOST_BODY).map((line) => line.replace('  ', ' '));
    return [
      ...paragraph((sent ?? '').replace(/^(\w+) \w+:\/\/[^/]*/, '$1 '), page, `  ${mark}> `, '     '),
      // JSON is the expected media type, so it is not shown.
      ...paragraph((came ?? '').replace(' application/json ', ' '), page, `  ${mark}< `, '     '),
    ].map(page.colors.dim);
  });
}

/** The sentence of the specification with its section, or the requirement itself if it follows from several. */
const ruleOf = ({ level, text, specification }: ReportedRequirement): string =>
  level === 'required' && specification !== undefined
    ? `Specification ${specification.section}: ${specification.says}`
    : `Rule: ${text}`;

/** A clause as a sentence. A name such as `filter.match` at its start stays as it is. */
export const sentenceOf = (clause: string): string =>
  clause === ''
    ? ''
    : `${clause.replace(/^[a-z](?=[a-z]*([ ,]|$))/, (letter) => letter.toUpperCase())}${/[.!?]$/.test(clause) ? '' : '.'}`;

/** The first ids, and how many more there are. */
export function idsIn(ids: readonly string[], most = 3): string {
  const more = ids.length - most;
  return more > 0 ? `${ids.slice(0, most).join(', ')} and ${more} more` : ids.join(', ');
}
