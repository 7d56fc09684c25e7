import { textOfName, type Listed } from '../spec/reading.ts';
import { folded, ownLettersIn, PLAIN_LETTERS, TELLING_LETTERS } from './names.ts';
import type { TagRecord } from './tag-record.ts';

/** The letters of a name that identify a plain name of the run in any form. */
export const lettersOf = (name: string): string =>
  ownLettersIn(folded(name)) ?? folded(name).slice(0, PLAIN_LETTERS);

/** Whether a name is one of the tag's names, apart from letter case, accents and blanks. */
export const isFoldedNameOf = (name: string, { names }: Pick<TagRecord, 'names'>): boolean =>
  [...names].some((given) => given !== '' && folded(given) === folded(name));

/** Whether a name is a form of one of the tag's names: folded alike, or with the same telling letters in front. */
export const isFormOf = (name: string, { names }: TagRecord): boolean =>
  [...names].some(
    (given) =>
      given !== '' &&
      (folded(given) === folded(name) ||
        (given.length >= PLAIN_LETTERS && name.startsWith(given.slice(0, PLAIN_LETTERS)))),
  );

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Whether a name, even a mangled one, contains random letters or digits of one of the tag's names, or its UUID. */
export function bearsLettersOf(name: string, { names }: Pick<TagRecord, 'names'>): boolean {
  const shown = folded(name);
  return [...names].some((given) => {
    const [uuid] = UUID.exec(folded(given)) ?? [];
    if (uuid !== undefined) return shown.includes(uuid);
    const [letters = ''] = /[a-z]{10,14}|\d{9}/.exec(folded(given)) ?? [];
    const starts = Array.from({ length: Math.max(0, letters.length - TELLING_LETTERS + 1) }, (_, at) => at);
    return starts.some((at) => shown.includes(letters.slice(at, at + TELLING_LETTERS)));
  });
}

/** Whether a listed tag is this one: under one of its names, or in a form of one that no list has shown yet. */
export const isListedAs = ({ tagId, name }: Listed, record: Pick<TagRecord, 'tagId' | 'names'>): boolean =>
  tagId === record.tagId && (record.names.has(textOfName(name)) || bearsLettersOf(textOfName(name), record));

/** What to filter by to find a tag under any of its names, in the forms in which targets often keep them. */
export const soughtFor = ({ names }: Pick<TagRecord, 'names'>): string[] => [
  ...new Set([...names].flatMap((name) => [name, name.toLowerCase(), ownLettersIn(name) ?? name])),
];
