import fc from 'fast-check';
import { drawn, type Exchange, listedIn, type Tag, type Target } from '../../lib/check.ts';
import { isFormOf } from './kept-form.ts';

/** Stands for a plain name. */
export const LETTERS = '§';

/** Marks that programs drop, escape or interpret at the start or at the end of a text, and letters of each kind. */
const CHARACTERS = [...`#@/.-=+*&?"'(<[{,:;!\\~_%^$|\`>)]}Q7éя漢😀`];

/** A name that begins with a combining mark, without a letter in front of it. */
const MARK_START = `\u0301${LETTERS}`;

/** Names that begin with one character. */
export const FIRST = [...CHARACTERS.map((char) => `${char}${LETTERS}`), MARK_START];

/** Names that end with one character. */
export const LAST = CHARACTERS.map((char) => `${LETTERS}${char}`);

/** Forms of names that begin and end with these characters, as many as the longer of both needs. */
export function formsOf(edges: readonly string[]): string[] {
  const charsOf = (some: readonly string[]): string[] => some.map((edge) => edge.replace(LETTERS, ''));
  const first = charsOf(edges.filter((edge) => edge.endsWith(LETTERS)));
  const last = charsOf(edges.filter((edge) => !edge.endsWith(LETTERS)));
  const count = Math.max(first.length, last.length);
  return Array.from({ length: count }, (_, at) => `${first[at] ?? ''}${LETTERS}${last[at] ?? ''}`);
}

/** A new name of a form. */
export function nameOf({ names }: Target, form: string): string {
  const [before = '', after = ''] = form.split(LETTERS);
  return names.around(before, after);
}

/** Whether a list shows the tag under a form of its name. */
export const showsInForm = (list: Exchange, { tagId, name }: Tag): boolean =>
  listedIn(list)?.some(
    (entry) => entry.tagId === tagId && typeof entry.name === 'string' && isFormOf(entry.name, name),
  ) === true;

/** The start and the end of a pattern. The form with both is the first one, because it is also filtered by. */
const [PATTERN_START, PATTERN_END] = [`^${LETTERS}`, `${LETTERS}$`];

/** The form whose name is also sought by the filter. */
export const SOUGHT = `^${LETTERS}$`;

/** All characters at both ends, but for the likeliest in an order that the seed draws. */
export function drawnEdges(target: Target): string[] {
  const first = [PATTERN_START, MARK_START, PATTERN_END];
  const all = drawn(target, 'name/edges', fc.tuple(shuffled(FIRST), shuffled(LAST))).flat(2);
  return [...first, ...all.filter((edge) => !first.includes(edge))];
}

const shuffled = (edges: readonly string[]): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray([...edges], { minLength: edges.length });

/** What was seen of forms while the account was full. */
interface FormsSeen {
  /** To these, tags were updated. */
  readonly updated: readonly string[];
  /** These need another look by themselves. */
  readonly odd: readonly string[];
}

/** Notes what was seen, the first time in a run, and gives what was noted. */
export const formsSeen = (target: Target, seen: FormsSeen = { updated: [], odd: [] }): Promise<FormsSeen> =>
  target.shared('edges of names', 0, () => Promise.resolve(seen), { isKept: true });
