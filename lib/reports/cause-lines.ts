import { harmless } from '../http/wording.ts';
import { replayOf } from '../repeating/replay.ts';
import { findingLines, paragraph, type Page } from './finding-lines.ts';
import { unlistedCauses } from './known.ts';
import type { Report, ReportedRequirement } from './schema.ts';
import { MARK, painted } from './verdict-words.ts';
import { wrapped } from './wrapping.ts';

/**
 * Each cause with what it explains. The first one has all details, and so have others as long as there is room on the
 * screen; the rest has one sentence.
 *
 * @param room the lines that the other parts leave.
 */
export function causeParts(
  report: Report,
  files: readonly string[],
  command: string,
  page: Page,
  room: number,
): string[][] {
  const causes = unlistedCauses(report).flatMap(({ id, explains, waiting }) => {
    const one = report.requirements.find((candidate) => candidate.id === id);
    if (one === undefined) return [];
    const following = (most: number): string[] => followingLines(explains, waiting, page, most);
    const again = commandLines(repeating(one, files, command), page).map(page.colors.dim);
    const whole = (most: number): string[] => [...findingLines(one, page), ...following(most), ...again];
    return [
      { short: [...failureLines(id, one.reason, page), ...following(1)], tight: whole(1), whole: whole(3) },
    ];
  });
  const parts = causes.map(({ short }) => short);
  const fits = (at: number, lines: string[]): boolean => heightOf(parts.with(at, lines)) <= room;
  for (const [at, { tight, whole }] of causes.entries()) {
    if (at > 0 && !fits(at, whole)) break;
    parts.splice(at, 1, fits(at, whole) ? whole : tight);
  }
  return parts;
}

/**
 * What follows from a cause.
 *
 * @param most the most requirements with their ids.
 */
function followingLines(
  explains: readonly string[],
  waiting: readonly string[],
  page: Page,
  most: number,
): string[] {
  const more = explains.length - most;
  const named = explains.slice(0, most).join(', ');
  const explained =
    more > 0 ? `${named} and ${more} more that follow${more === 1 ? 's' : ''} from it` : named;
  const undecided = waiting.length === 1 ? waiting[0] : `${waiting.length} requirements`;
  return [
    ...(explains.length === 0 ? [] : paragraph(`Explains: ${explained}`, page)),
    ...(waiting.length === 0 ? [] : paragraph(`Not decided because of it: ${undecided}`, page)),
  ];
}

/** The command that shows a finding again. */
function repeating(one: ReportedRequirement, files: readonly string[], command: string): string {
  if (typeof replayOf(one) !== 'string')
    return `${command} repeat ${files[0] ?? 'reports/report.json'} ${one.id}`;
  return one.example?.repeat.replace('npm start --', command) ?? `${command} --only ${one.id}`;
}

/** How many lines some parts take, each with a blank line behind it. */
export const heightOf = (parts: readonly (readonly string[])[]): number =>
  parts.reduce((sum, lines) => sum + lines.length + 1, 0);

/** A command on lines that a shell joins. No word is broken. */
function commandLines(command: string, { columns }: Page): string[] {
  const lines = ['  '];
  for (const word of harmless(command).split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.trim() === '' || line.length + word.length + 3 <= columns)
      lines[lines.length - 1] = `${line} ${word}`;
    else {
      lines[lines.length - 1] = `${line} \\`;
      lines.push(`     ${word}`);
    }
  }
  return lines;
}

/** A failure in one sentence, behind its id. */
export function failureLines(id: string, reason: string, page: Page): string[] {
  const [first = '', ...rest] = wrapped(`FAIL ${id}: ${harmless(reason)}`, page.columns, '', '     ');
  const { colors } = page;
  return [`${painted('fail', MARK.fail, colors)}${first.slice(MARK.fail.length)}`, ...rest];
}
