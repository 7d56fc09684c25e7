import type { Colors } from 'picocolors/types.js';
import { cut, harmless } from '../http/wording.ts';
import type { Evidence } from '../judging/evidence.ts';
import { sectionName } from '../spec/sections.ts';
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
const MOST_BODY = 160;

/** Lines under a heading, each wrapped on its own. */
export const paragraph = (text: string, { columns }: Page, first = INDENT, next = INDENT): string[] =>
  wrapped(harmless(text), columns, first, next);

/** A finding: its requirement, both sides, the exchange that decides, the usual cause. */
export function findingLines(one: ReportedRequirement, page: Page): string[] {
  const { colors } = page;
  const { id, section, level, verdict, reason, cause, example, steadiness } = one;
  const heading = `${painted(verdict, MARK[verdict], colors)} ${colors.bold(id)} ${colors.dim(`(${sectionName(section)}, ${level})`)}`;
  const isIntermittent = steadiness !== undefined && steadiness.failed < steadiness.asked;
  return [
    heading,
    ...paragraph(sentenceOf(reason), page).map((line) => painted(verdict, line, colors)),
    ...(example === undefined
      ? []
      : paragraph(`The smallest case found: ${example.told.replaceAll('\n', '; ')}`, page)),
    ...(isIntermittent
      ? paragraph(
          `Intermittent: checked ${steadiness.asked} times, it failed ${steadiness.failed} times.`,
          page,
        ).map((line) => painted('warn', line, colors))
      : []),
    ...paragraph(`Rule: ${one.text}`, page).map(colors.dim),
    ...exchangeLines(one, page),
    ...(cause === undefined ? [] : paragraph(`Usually: ${cause}`, page)),
  ];
}

/** The exchange that decides. */
function exchangeLines({ exchanges }: ReportedRequirement, page: Page): string[] {
  const decisive = exchanges.find(({ decides }) => decides === true);
  if (decisive === undefined) return [];
  const { request } = decisive;
  const path = request.url.replace(/^\w+:\/\/[^/]*/, '');
  const sent = `${request.method} ${path}${request.body === undefined ? '' : `  ${cut(request.body, MOST_BODY)}`}`;
  return [
    ...paragraph(sent, page, '   > ', '     '),
    ...paragraph(cameIn(decisive), page, '   < ', '     '),
  ].map(page.colors.dim);
}

function cameIn({ answer, failure, came }: Evidence): string {
  if (answer === undefined) return `${failure ?? ''}${came === undefined ? '' : `  ${came}`}`;
  const type = answer.headers
    .find((text) => text.startsWith('content-type: '))
    ?.slice('content-type: '.length);
  return `${answer.status}${type === undefined ? '' : ` ${type}`}  ${cut(answer.body, MOST_BODY)}`;
}

/** A clause as a sentence. */
export const sentenceOf = (clause: string): string =>
  clause === ''
    ? ''
    : `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${/[.!?]$/.test(clause) ? '' : '.'}`;

/** The first ids, and how many more there are. */
export function idsIn(ids: readonly string[], most = 3): string {
  const more = ids.length - most;
  return more > 0 ? `${ids.slice(0, most).join(', ')} and ${more} more` : ids.join(', ');
}
