import { basename, dirname } from 'node:path';
import { harmless } from '../http/wording.ts';
import { counts, MOST_OVER_BUDGET } from '../judging/judge.ts';
import { causeParts, heightOf } from './cause-lines.ts';
import { counted, wholenessLack } from './certainty.ts';
import { idsIn, paragraph, type Page } from './finding-lines.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { knownLines, knownNotes, knownProblemLines, unlistedCauses } from './known.ts';
import { isOfObstacle, obstacleLines } from './obstacle.ts';
import { residueLines, tagsOfRun } from './residue-lines.ts';
import { painted } from './verdict-words.ts';
import { oneLine, wrapped } from './wrapping.ts';

/** The most ids in the verdict line. */
const MOST_IDS = 4;

/** The lines of a usual terminal. No blank line follows the last part. */
const SCREEN = 30;

/** The most warnings, and the most reasons for undecided requirements, that have a line each. */
const MOST_EACH = 6;

/**
 * The end of a run: the verdict, the causes of the failures, what was not tested, what is left on the target, warnings,
 * and where the reports are. Each part is a list of lines.
 *
 * @param files the paths of the reports that were written.
 * @param command what starts the suite, such as `npm start --`.
 */
export function ending(report: Report, files: readonly string[], command: string, page: Page): string[][] {
  const before = [
    verdictLines(report, page),
    faultLines(report, page),
    obstacleLines(report, command, page),
    knownProblemLines(report, page),
  ].filter(hasLines);
  const after = (most: number): string[][] =>
    [
      knownLines(report, page),
      undecidedLines(report, page, most),
      notAskedLines(report, page),
      residueLines(report, files, command, page, most),
      inventoryLines(report, page),
      warningLines(report, page, most),
      footer(report, files, page, most),
    ].filter(hasLines);
  const whole = (most: number): { readonly parts: string[][]; readonly isFull: boolean } => {
    const others = after(most);
    const room = SCREEN + 1 - heightOf([...before, ...others]);
    const causes = causeParts(report, files, command, page, room);
    const parts = [...before, ...causes.parts, ...others];
    return { parts, isFull: causes.isCut || heightOf(parts) > SCREEN + 1 };
  };
  const { parts, isFull } = whole(MOST_EACH);
  return report.causes.length > 0 && isFull ? whole(1).parts : parts;
}

const hasLines = (lines: readonly string[]): boolean => lines.length > 0;

function verdictLines(report: Report, page: Page): string[] {
  const { colors } = page;
  const { verdict, partial, ended, target, requirements } = report;
  const paint = { conforming: colors.green, inconclusive: colors.yellow, 'non-conforming': colors.red }[
    verdict
  ];
  const undecided = requirements.filter((one) => one.verdict === 'error' && counts(one)).map(({ id }) => id);
  const deciding = {
    conforming: [],
    'non-conforming': unlistedCauses(report).map(({ id }) => id),
    inconclusive:
      report.obstacle !== undefined || ended !== 'whole'
        ? []
        : undecided.length > 0
          ? undecided
          : report.overBudget.length > MOST_OVER_BUDGET
            ? report.overBudget
            : [],
  }[verdict];
  const text = [
    verdict,
    ...(partial ? [', partial'] : []),
    ...knownNotes(report),
    ...residueNotes(report),
    ...(ended === 'whole' ? [] : [` (${ended})`]),
    ...(deciding.length === 0 ? [] : [`, by ${idsIn(deciding, MOST_IDS)}`]),
    `: ${target}`,
  ].join('');
  const [first = '', ...rest] = wrapped(harmless(text), page.columns, '', '  ');
  return [colors.bold(paint(verdict)) + first.slice(verdict.length), ...rest];
}

function residueNotes({ residue }: Report): string[] {
  const left = residue.filter(({ state }) => state === 'left').length;
  const possible = residue.length - left;
  return [
    ...(left === 0 ? [] : [`, ${tagsOfRun(left)} left on the target`]),
    ...(possible === 0 ? [] : [`, ${tagsOfRun(possible)} may be left on the target`]),
  ];
}

function faultLines({ fault }: Report, page: Page): string[] {
  if (fault === undefined) return [];
  const lines = fault.split('\n').slice(0, 6);
  return [
    page.colors.bold('A fault of the suite'),
    ...['This is a defect of the suite, not of the target; please report it.', ...lines].flatMap((line) =>
      paragraph(line, page),
    ),
  ];
}

/** The paths of the reports, with a folder that all have in common named once; if the screen is full, that folder. */
function reportsAt(files: readonly string[], most: number): string {
  const folder = dirname(files[0] ?? '');
  const isShared = files.length > 1 && folder !== '.' && files.every((file) => dirname(file) === folder);
  if (!isShared) return `Reports: ${files.join(', ')}`;
  return `Reports in ${folder}${most === 1 ? '' : `: ${files.map((file) => basename(file)).join(', ')}`}`;
}

/** What could not be decided and waits for no failure, once for each reason. */
function undecidedLines(report: Report, page: Page, most: number): string[] {
  const waiting = new Set(report.causes.flatMap((cause) => cause.waiting));
  const errors = report.requirements.filter(
    (one) => one.verdict === 'error' && one.known === undefined && !waiting.has(one.id) && !isUnasked(one),
  );
  const ofObstacle = errors.filter((one) => isOfObstacle(one, report));
  const others = errors.filter((one) => !ofObstacle.includes(one));
  const reasons = [...new Set(others.map(({ reason }) => reason))];
  return errors.length === 0
    ? []
    : [
        page.colors.bold('Not decided'),
        ...(ofObstacle.length === 0
          ? []
          : paragraph(
              `${counted(ofObstacle.length, 'requirement', 'requirements')}, for the reason above`,
              page,
            )),
        ...reasons.slice(0, most).flatMap((reason) => {
          const ids = others.filter((one) => one.reason === reason).map(({ id }) => id);
          return paragraph(`${idsIn(ids)}: ${reason}`, page, '   ', '     ');
        }),
        ...(reasons.length > most ? [`   and ${reasons.length - most} more reasons in the reports`] : []),
      ];
}

/** Whether a requirement was left out, or its check could not end within the budget. */
const isUnasked = ({ verdict, reason }: ReportedRequirement): boolean =>
  verdict === 'skipped' || (verdict === 'error' && reason.endsWith('is used up'));

/** The required and derived requirements that were not tested, once for each reason. */
function notAskedLines(report: Report, page: Page): string[] {
  const { requirements } = report;
  const lack = wholenessLack(report);
  const skipped = requirements.filter((one) => isUnasked(one) && counts(one));
  if (skipped.length === 0) return [];
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  return [
    page.colors.bold(
      `Not tested: ${counted(skipped.length, 'required or derived requirement', 'required or derived requirements')}`,
    ),
    ...reasons.flatMap((reason) => {
      const ids = skipped.filter((one) => one.reason === reason).map(({ id }) => id);
      return paragraph(`${idsIn(ids)}: ${reason}`, page, '   ', '     ');
    }),
    ...(lack === undefined ? [] : paragraph(lack, page).map(page.colors.yellow)),
  ];
}

function inventoryLines({ inventory }: Report, page: Page): string[] {
  if (inventory === undefined) return [];
  const { before, gone, changed, addressed, appeared = 0, copies = 0 } = inventory;
  const removed =
    copies === 0
      ? []
      : paragraph(
          `Of the tags with names of this run, ${copies} had a tag_id that no create answered. They were removed, too: a create may make two tags, and other users may copy a name. If lists are pages, further ones may be left.`,
          page,
          '',
          '',
        );
  const added =
    appeared === 0
      ? []
      : paragraph(
          `Tags that were not listed before the run, and that it did not name: ${appeared}. Other users made them, or the target did.`,
          page,
          '',
          '',
        );
  if (gone + changed + addressed === 0) return [...added, ...removed];
  const fate =
    gone + changed === 0
      ? 'all are unchanged'
      : `${gone} are gone and ${changed} have another name, which other users may have done`;
  const touched =
    addressed === 0
      ? 'no update or delete of this run addressed any of them'
      : `updates and deletes of this run addressed ${addressed} of them`;
  const told = `${before} tags of other users were listed before the run: ${fate}; ${touched}.`;
  return [...paragraph(told, page, '', ''), ...added, ...removed];
}

/** One line for each warning; if there is room for one only, their ids in a line. */
function warningLines({ requirements }: Report, page: Page, most: number): string[] {
  const { colors, columns } = page;
  const warnings = requirements.filter(({ verdict }) => verdict === 'warn');
  if (warnings.length === 0) return [];
  if (most === 1)
    return paragraph(`Warnings: ${idsIn(warnings.map(({ id }) => id))}`, page, '', '  ').map((line) =>
      painted('warn', line, colors),
    );
  const lines = warnings
    .slice(0, most)
    .map(({ id, reason }) => oneLine(`   ${id}: ${harmless(reason)}`, columns));
  const more = warnings.length - most;
  return [
    colors.bold('Warnings'),
    ...lines.map((line) => painted('warn', line, colors)),
    ...(more > 0 ? [`   and ${more} more in the reports`] : []),
  ];
}

function footer(report: Report, files: readonly string[], page: Page, most: number): string[] {
  const { traffic, durationMs, course: { slices = [] } = {} } = report;
  const troubled = slices.reduce((sum, one) => sum + one.troubled, 0);
  // The run sends such requests again, which may use up its budget.
  const failed = troubled > 0 ? `, ${troubled} of them answered 5xx or not at all` : '';
  const waited =
    traffic.waitedMs > 0
      ? `, ${(traffic.waitedMs / 1_000).toFixed(1)} s spent waiting as the target asked`
      : '';
  const course = `${counted(traffic.requests, 'request', 'requests')}${failed}, ${(durationMs / 1_000).toFixed(1)} s${waited}, effort ${report.effort}, seed ${report.seed}`;
  return [
    ...paragraph(course, page, '', '  '),
    ...(files.length === 0 ? [] : paragraph(reportsAt(files, most), page, '', '  ')),
  ].map(page.colors.dim);
}
