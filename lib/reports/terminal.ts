import type { Colors } from 'picocolors/types.js';
import { harmless } from '../http/wording.ts';
import type { Verdict } from '../judging/judge.ts';
import { ending } from './ending.ts';
import type { Page } from './finding-lines.ts';
import { isOnlyObstacle } from './obstacle.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { findingsSection, undecidedSection } from './terminal-findings.ts';
import { countsTable, matrixLines } from './terminal-tables.ts';
import { MARK, painted } from './verdict-words.ts';

/** One line for a requirement, as soon as its verdict is known. */
export function progressLine(
  { id, verdict }: Pick<ReportedRequirement, 'id' | 'verdict'>,
  colors: Colors,
): string {
  return `${painted(verdict, MARK[verdict].padEnd(5), colors)} ${id}`;
}

/** How a report is shown. */
export interface Showing extends Page {
  /** Whether all verdicts and all observations come before the end. */
  readonly isVerbose: boolean;
  /** What starts the suite, such as `npm start --`. */
  readonly command: string;
}

/**
 * The whole report as text for people who have never seen the specification.
 *
 * @param files the paths of the reports that were written.
 */
export function terminalReport(report: Report, files: readonly string[], showing: Showing): string {
  const parts = [
    ...(showing.isVerbose ? lists(report, showing.colors) : []),
    ...ending(report, files, showing.command, showing).map((lines) => lines.join('\n')),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** All verdicts, all observations, and each finding with its exchanges. */
function lists(report: Report, colors: Colors): string[] {
  const having = (verdict: Verdict): ReportedRequirement[] =>
    report.requirements.filter((one) => one.verdict === verdict);
  // If the obstacle is all that was found, it is all that there is to read.
  if (isOnlyObstacle(report)) return [];
  return [
    countsTable(report, colors),
    ...answersSection(report, colors),
    ...findingsSection('Failures', having('fail'), colors),
    ...findingsSection('Warnings', having('warn'), colors),
    ...undecidedSection(report, having('error'), colors),
  ];
}

/** The answers to open questions: the scopes as a table, the others as sentences. */
function answersSection({ requirements }: Report, colors: Colors): string[] {
  const answered = requirements.filter(({ answer }) => answer !== undefined);
  if (answered.length === 0) return [];
  const lines = answered.flatMap(({ answer, said = '', declared }) => {
    const claim = declared === undefined ? '' : colors.dim(' (declared)');
    return matrixLines(answer, colors) ?? [`  ${harmless(said)}${claim}`];
  });
  return [[colors.bold('Left open by the specification, and observed here'), ...lines].join('\n')];
}
