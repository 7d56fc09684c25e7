import { harmless } from '../http/wording.ts';
import { inBrief, repeatLines } from './brief.ts';
import { paragraph, sentenceOf, type Page } from './finding-lines.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { painted } from './verdict-words.ts';

/**
 * The first step of the preflight that failed, and what is wrong; empty if none failed. Much of the rest follows from
 * it.
 *
 * @param command what starts the suite, such as `npm start --`.
 */
export function obstacleLines(report: Report, command: string, page: Page): string[] {
  const { obstacle } = report;
  // If something failed, the failure says more about the same fault.
  if (obstacle === undefined || report.causes.length > 0) return [];
  const { colors } = page;
  const { step, why, slip, exchanges } = obstacle;
  const rest = isOnlyObstacle(report) ? 'so nothing was decided' : 'and much of the rest follows from that';
  const [exchange] = exchanges;
  const [sent, came] = exchange === undefined ? [] : inBrief(exchange);
  const wrong = slip ?? sentenceOf(why);
  return [
    ...paragraph(wrong, page, '', '').map((line) => painted('error', colors.bold(line), colors)),
    ...paragraph(`The preflight could not ${step}, ${rest}.`, page),
    ...(sent === undefined || came === undefined
      ? []
      : [...paragraph(sent, page, '   > ', '     '), ...paragraph(came, page, '   < ', '     ')].map(
          colors.dim,
        )),
    // A command is not wrapped, so that it can be copied.
    ...(exchange === undefined ? [] : repeatLines(exchange).map((line) => `   ${harmless(line)}`)),
    // The text about a slip of the tester already says what to check.
    ...(slip === undefined ? paragraph(`What to do: ${command} doctor`, page) : []),
  ];
}

/**
 * Whether the run decided nothing because of its obstacle. Then its observations of the run as a whole mean nothing,
 * either.
 */
export const isOnlyObstacle = (report: Report): boolean =>
  report.obstacle !== undefined &&
  report.requirements.every(
    (one) => one.verdict === 'skipped' || one.verdict === 'observed' || isOfObstacle(one, report),
  );

/** Whether a requirement waits for the step of the preflight that failed. */
export const isOfObstacle = ({ verdict, reason }: ReportedRequirement, { obstacle }: Report): boolean =>
  verdict === 'error' &&
  obstacle !== undefined &&
  [obstacle.why, obstacle.slip].some((text) => text !== undefined && reason.includes(text));
