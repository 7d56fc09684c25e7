import { dirname } from 'node:path';
import { cut, harmless, quote } from '../http/wording.ts';
import { paragraph, type Page } from './finding-lines.ts';
import { USUAL_FILE } from './repetition.ts';
import type { Report } from './schema.ts';
import { oneLine } from './wrapping.ts';

/** The most tags of a kind that have a line on any screen. */
const MOST_TAGS = 3;
const MOST_NAME = 40;

/** A number of tags in words. */
export const tagsOfRun = (count: number): string => `${count} ${count === 1 ? 'tag' : 'tags'} of this run`;

/**
 * The tags that are left on the target, those that may be, and the command that removes them.
 *
 * @param files the paths of the reports, in whose folder the ledger is.
 * @param command what starts the suite, such as `npm start --`.
 * @param most the most tags of a kind that have a line; 1: the screen is full, and a kind has one line in all.
 */
export function residueLines(
  { residue }: Report,
  files: readonly string[],
  command: string,
  page: Page,
  most: number,
): string[] {
  const lines = (['left', 'may be left'] as const).flatMap((state) => {
    const tags = residue.filter((one) => one.state === state);
    if (tags.length === 0) return [];
    const title = `${state === 'left' ? 'Left' : 'May be left'} on the target: ${tagsOfRun(tags.length)}`;
    const shown = tags
      .slice(0, Math.min(most, MOST_TAGS))
      .map(
        ({ name, tag_id: tagId, why }) =>
          `${cut(quote(name), MOST_NAME)}${tagId === undefined ? '' : ` (${harmless(tagId)})`}: ${harmless(why)}`,
      );
    if (tags.length > 1 && most === 1)
      return [page.colors.bold(title) + oneLine(`, such as ${shown.join('')}`, page.columns - title.length)];
    const more = tags.length - shown.length;
    return [
      page.colors.bold(title),
      ...shown.map((line) => oneLine(`   ${line}`, page.columns)),
      ...(more > 0 ? [`   and ${more} more, which the reports name`] : []),
    ];
  });
  if (lines.length === 0) return [];
  const folder = dirname(files[0] ?? USUAL_FILE);
  const sweep = `${command} sweep${folder === 'reports' ? '' : ` --report-dir ${folder}`}`;
  // A tag that another user may have made is left alone.
  return [
    ...lines,
    ...paragraph(`${sweep} removes those that are certainly of this run, with the same settings.`, page),
  ];
}
