import { intermittence } from './steadiness.ts';
import type { Colors } from 'picocolors/types.js';
import { harmless } from '../http/wording.ts';
import type { Evidence } from '../judging/evidence.ts';
import { caseLine, inBrief, repeatLines } from './brief.ts';
import { counted } from './certainty.ts';
import { isOfObstacle } from './obstacle.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { MARK, painted } from './verdict-words.ts';

const INDENT = '     ';
const indented = (lines: readonly string[]): string[] => lines.map((line) => INDENT + line);

/** An exchange in two lines: `> ` what was sent, `< ` what came back. */
const arrows = (exchange: Evidence): string[] => {
  const [sent, came] = inBrief(exchange);
  const mark = exchange.decides === true ? '*' : '';
  return [`${mark}> ${sent}`, `${mark}< ${came}`];
};

/** The most exchanges of one finding that are shown. */
const MOST_EXCHANGES = 3;

/** Requirements under a title, each with its reason, its exchanges and the command that repeats the first of them. */
export function findingsSection(
  title: string,
  found: readonly ReportedRequirement[],
  colors: Colors,
): string[] {
  return found.length === 0 ? [] : [colors.bold(title), ...found.map((one) => finding(one, colors))];
}

function finding(one: ReportedRequirement, colors: Colors): string {
  const { id, section, level, verdict, exchanges, example } = one;
  const [first] = exchanges;
  const more = exchanges.length - MOST_EXCHANGES;
  const flaky = intermittence(one);
  const lines = [
    one.text,
    painted(verdict, harmless(one.reason), colors),
    ...(example === undefined ? [] : exampleLines(example)),
    ...(flaky === undefined ? [] : [painted('warn', flaky, colors)]),
    ...(one.derivation === undefined ? [] : [colors.dim(`Why: ${one.derivation}`)]),
    ...(one.cause === undefined ? [] : [colors.dim(`Often: ${one.cause}`)]),
    ...exchanges.slice(0, MOST_EXCHANGES).flatMap(arrows).map(colors.dim),
    ...(more > 0 ? [colors.dim(`(${more} more in report.json)`)] : []),
    ...(first === undefined ? [] : repeatLines(first)),
  ];
  const heading = `${painted(verdict, MARK[verdict], colors)} ${colors.bold(id)} ${colors.dim(`(section ${section}, ${level})`)}`;
  return [heading, ...indented(lines)].join('\n');
}

function exampleLines(example: NonNullable<ReportedRequirement['example']>): string[] {
  const [first = '', ...more] = caseLine(example).split('\n').map(harmless);
  return [first, ...more.map((line) => `  ${line}`), `Just this case: ${harmless(example.repeat)}`];
}

/** The undecided requirements, grouped by their cause so that one obstacle is one entry. */
export function undecidedSection(
  report: Report,
  errors: readonly ReportedRequirement[],
  colors: Colors,
): string[] {
  const { obstacle } = report;
  const causes = [...new Set(errors.map(({ reason }) => reason))];
  if (errors.length > 0 && errors.every((one) => isOfObstacle(one, report)))
    return [
      `${colors.bold('Not decided')}: ${counted(errors.length, 'requirement', 'requirements')}, for the reason below`,
    ];
  return [
    ...(causes.length === 0 ? [] : [colors.bold('Not decided')]),
    ...causes.map((cause) => {
      const members = errors.filter(({ reason }) => reason === cause);
      // The obstacle has its own section.
      const isObstacle = members.some((one) => isOfObstacle(one, report));
      const why = isObstacle
        ? `For the reason below: the preflight could not ${obstacle?.step}`
        : harmless(cause);
      const exchange = isObstacle ? undefined : members[0]?.exchanges[0];
      return [
        painted('error', why, colors),
        ...indented([namesOf(members)]),
        ...(exchange === undefined ? [] : indented(arrows(exchange)).map(colors.dim)),
      ].join('\n');
    }),
  ];
}

function namesOf(members: readonly ReportedRequirement[]): string {
  const ids = members.map(({ id }) => id);
  return ids.length <= 4 ? ids.join(', ') : `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more`;
}
