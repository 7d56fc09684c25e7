import { harmless } from '../http/wording.ts';
import { findingLines, idsIn, paragraph, type Page } from './finding-lines.ts';
import { unlistedCauses } from './known.ts';
import { repetitionOf, USUAL_FILE } from './repetition.ts';
import type { Report } from './schema.ts';
import { MARK, painted } from './verdict-words.ts';
import { oneLine, wrapped } from './wrapping.ts';

/** The most lines of a sentence about a failure. */
const MOST_SENTENCE = 2;

/** The causes as parts of the screen. */
interface CauseParts {
  readonly parts: string[][];
  /** Whether some causes are shown only by their ids. */
  readonly isCut: boolean;
}

/**
 * The causes. The first one has all details, and so have the next as long as there is room on the screen. The others have
 * one sentence each, and where the screen is full, only their ids.
 *
 * @param room the lines that the other parts leave.
 */
export function causeParts(
  report: Report,
  files: readonly string[],
  command: string,
  page: Page,
  room: number,
): CauseParts {
  const [file = USUAL_FILE] = files;
  const causes = unlistedCauses(report).flatMap(({ id, explains, waiting }) => {
    const one = report.requirements.find((candidate) => candidate.id === id);
    if (one === undefined) return [];
    const following = (most: number): string[] => followingLines(explains, waiting, page, most);
    const again = commandLines(repetitionOf(one, report.target, { file, command }).command, page).map(
      page.colors.dim,
    );
    const whole = (most: number): string[] => [...findingLines(one, page), ...following(most), ...again];
    const short = [...sentenceLines(id, one.reason, page), ...following(1)];
    return [{ id, short, tight: whole(1), whole: whole(3) }];
  });
  const [first, ...others] = causes;
  if (first === undefined) return { parts: [], isCut: false };
  const counts = [...others.map((_, at) => others.length - at), 0];
  // From the most lines to the fewest.
  const layouts = [
    ...counts.map((detailed) => ({
      parts: [
        first.whole,
        ...others.slice(0, detailed).map(({ whole }) => whole),
        shortLines(others.slice(detailed), others.length, page),
      ],
      isCut: false,
    })),
    ...counts.map((shown) => ({
      parts: [first.tight, shortLines(others, shown, page)],
      isCut: shown < others.length,
    })),
  ].map(({ parts, isCut }) => ({ parts: parts.filter((lines) => lines.length > 0), isCut }));
  const least = { parts: [first.tight], isCut: others.length > 0 };
  return layouts.find(({ parts }) => heightOf(parts) <= room) ?? layouts.at(-1) ?? least;
}

/** Causes with one sentence each, and the ids of those that come after the first few. */
function shortLines(
  causes: readonly { readonly id: string; readonly short: readonly string[] }[],
  count: number,
  page: Page,
): string[] {
  const others = causes.slice(count).map(({ id }) => id);
  return [
    ...causes.slice(0, count).flatMap(({ short }) => short),
    ...(others.length === 0
      ? []
      : paragraph(`Other causes, which the reports show: ${idsIn(others)}`, page, '', '  ')),
  ];
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

/** How many lines some parts take, each with a blank line after it. */
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

/** A failure in one sentence, after its id. A long sentence is cut. */
export function sentenceLines(id: string, reason: string, page: Page): string[] {
  const { colors, columns } = page;
  const [first = '', ...rest] = wrapped(`FAIL ${id}: ${harmless(reason)}`, columns, '', '     ');
  const kept = rest.slice(0, MOST_SENTENCE - 1);
  const last = kept.pop();
  const isCut = rest.length >= MOST_SENTENCE;
  return [
    `${painted('fail', MARK.fail, colors)}${first.slice(MARK.fail.length)}`,
    ...kept,
    ...(last === undefined ? [] : [isCut ? oneLine(`${last} …`, columns) : last]),
  ];
}
