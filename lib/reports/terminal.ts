import type { Colors } from 'picocolors/types.js';
import { harmless, quote } from '../http/wording.ts';
import type { Verdict } from '../judging/judge.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { findingsSection, isOnlyObstacle, obstacleSection, undecidedSection } from './terminal-findings.ts';
import { countsTable, matrixLines } from './terminal-tables.ts';
import { MARK, painted } from './verdict-words.ts';

/** One line for a requirement, as soon as its verdict is known. */
export function progressLine(
  { id, verdict }: Pick<ReportedRequirement, 'id' | 'verdict'>,
  colors: Colors,
): string {
  return `${painted(verdict, MARK[verdict].padEnd(5), colors)} ${id}`;
}

/**
 * The whole report as text for people who have never seen the specification.
 *
 * @param files the paths of the reports that were written.
 */
export function terminalReport(report: Report, files: readonly string[], colors: Colors): string {
  const having = (verdict: Verdict): ReportedRequirement[] =>
    report.requirements.filter((one) => one.verdict === verdict);
  const parts = [
    // Where the obstacle is all that was found, it is all that there is to read.
    ...(isOnlyObstacle(report) ? [] : [countsTable(report, colors), ...answersSection(report, colors)]),
    ...obstacleSection(report, colors),
    ...findingsSection('Failures', having('fail'), colors),
    ...findingsSection('Warnings', having('warn'), colors),
    ...undecidedSection(report, having('error'), colors),
    ...residueSection(report, colors),
    ...inventorySection(report, colors),
    footer(report, files, colors),
  ];
  return `${parts.join('\n\n')}\n`;
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

function residueSection({ residue }: Report, colors: Colors): string[] {
  return (['left', 'may be left'] as const).flatMap((state) => {
    const tags = residue.filter((one) => one.state === state);
    if (tags.length === 0) return [];
    const title = `${state === 'left' ? 'Left' : 'May be left'} on the target: ${tagsOfRun(tags.length)}`;
    const lines = tags.map(({ name, tag_id: tagId, why, curl }) =>
      [
        `     ${quote(name)}${tagId === undefined ? '' : ` (${harmless(tagId)})`}: ${harmless(why)}`,
        ...(curl === undefined ? [] : [`     ${harmless(curl)}`]),
      ].join('\n'),
    );
    return [`${colors.bold(title)}\n${lines.join('\n')}`];
  });
}

const tagsOfRun = (count: number): string => `${count} ${count === 1 ? 'tag' : 'tags'} of this run`;

/** The most ids in the verdict line. */
const MOST_IDS = 12;

/** The part of the verdict line about requirements that were skipped, or an empty text. */
function partialNote({ partial, untested, overBudget }: Report): string {
  if (!partial) return '';
  const more = overBudget.length - MOST_IDS;
  const ids = `${overBudget.slice(0, MOST_IDS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const budget = overBudget.length === 0 ? '' : ` (no budget was left for ${ids})`;
  return `, partial: ${untested} required or derived requirements were not tested${budget}`;
}

/** The part of the verdict line about tags that are left, or an empty text. */
function residueNote({ residue }: Report): string {
  const left = residue.filter(({ state }) => state === 'left').length;
  const possible = residue.length - left;
  return [
    ...(left === 0 ? [] : [`, ${tagsOfRun(left)} left on the target`]),
    ...(possible === 0 ? [] : [`, ${tagsOfRun(possible)} may be left on the target`]),
  ].join('');
}

function inventorySection({ inventory }: Report, colors: Colors): string[] {
  if (inventory === undefined) return [];
  const { before, gone, changed, addressed } = inventory;
  const fate =
    gone + changed === 0
      ? 'all are unchanged'
      : `${gone} are gone and ${changed} have another name, which other users may have done`;
  const touched =
    addressed === 0
      ? 'no update or delete of this run addressed any of them'
      : `updates and deletes of this run addressed ${addressed} of them`;
  return [colors.dim(`${before} tags of other users were listed before the run: ${fate}; ${touched}.`)];
}

function footer(report: Report, files: readonly string[], colors: Colors): string {
  const { traffic, planned } = report;
  const ended = report.ended === 'whole' ? '' : ` (${report.ended})`;
  const paint =
    report.verdict === 'conforming'
      ? colors.green
      : report.verdict === 'inconclusive'
        ? colors.yellow
        : colors.red;
  const seconds = (report.durationMs / 1_000).toFixed(1);
  const waited =
    traffic.waitedMs > 0
      ? `, ${(traffic.waitedMs / 1_000).toFixed(1)} s spent waiting as the target asked`
      : '';
  return [
    `${colors.bold(paint(report.verdict))}${partialNote(report)}${residueNote(report)}${ended}: ${report.target}`,
    colors.dim(
      `${traffic.requests} of at most ${planned.requests} requests, ${traffic.writes} of ${planned.writes} writes, ${traffic.logins} of ${planned.logins} logins, ${traffic.failedLogins} of ${planned.failedLogins} failed logins`,
    ),
    colors.dim(`${seconds} s${waited}, effort ${report.effort}, seed ${report.seed}`),
    colors.dim(files.join(', ')),
  ].join('\n');
}
