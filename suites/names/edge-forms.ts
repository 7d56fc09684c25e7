import fc from 'fast-check';
import { type Exchange, generated, listedIn, type Tag, type Target } from '../../lib/check.ts';
import { isFormOf } from './kept-form.ts';

/** The placeholder for a plain name in a form. */
export const LETTERS = '§';

/** Characters that programs drop, escape or interpret at the start or the end of a text, and letters of each kind. */
const CHARACTERS = [...`#@/.-=+*&?"'(<[{,:;!\\~_%^$|\`>)]}Q7éя漢😀`];

/** A name that begins with a combining mark. */
const MARK_START = `\u0301${LETTERS}`;

/** Names that begin with one character. */
export const FIRST = [...CHARACTERS.map((char) => `${char}${LETTERS}`), MARK_START];

/** Names that end with one character. */
export const LAST = CHARACTERS.map((char) => `${LETTERS}${char}`);

/**
 * Forms of names with one of these characters at each end. There are as many forms as the longer of both lists needs.
 */
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

/** Whether a list shows the tag with a faithful form of its name. */
export const showsInForm = (list: Exchange, { tagId, name }: Tag): boolean =>
  listedIn(list)?.some(
    (entry) => entry.tagId === tagId && typeof entry.name === 'string' && isFormOf(entry.name, name),
  ) === true;

/**
 * The characters that start and end a regular expression. The form with both comes first, because it is also sent as a
 * filter.
 */
const [PATTERN_START, PATTERN_END] = [`^${LETTERS}`, `${LETTERS}$`];

/** The form whose name is also sent as a filter. */
export const SOUGHT = `^${LETTERS}$`;

/** Forms with a capital letter, a digit and an emoji, which programs treat as all others of their kind. */
export const OF_KINDS: readonly string[] = [`Q${LETTERS}7`, `7${LETTERS}😀`, `😀${LETTERS}Q`];

/** All characters at both ends: the likeliest first, the others in an order that depends on the seed. */
export function drawnEdges(target: Target): string[] {
  const ofKinds = OF_KINDS.flatMap((form) => {
    const [first = '', last = ''] = form.split(LETTERS);
    return [`${first}${LETTERS}`, `${LETTERS}${last}`];
  });
  const first = [PATTERN_START, PATTERN_END, ...ofKinds, MARK_START];
  const all = generated.drawn(target, 'name/edges', fc.tuple(shuffled(FIRST), shuffled(LAST))).flat(2);
  return [...first, ...all.filter((edge) => !first.includes(edge))];
}

const shuffled = (edges: readonly string[]): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray([...edges], { minLength: edges.length });

/** The forms that were sent while the account was full. */
interface FormsSeen {
  /** The forms to which tags were updated. */
  readonly updated: readonly string[];
  /** The forms that gave an unexpected result and must be checked again alone. */
  readonly odd: readonly string[];
}

/** Stores the forms at the first call in a run, and returns the stored ones. */
export const formsSeen = (target: Target, seen: FormsSeen = { updated: [], odd: [] }): Promise<FormsSeen> =>
  target.shared('edges of names', 0, () => Promise.resolve(seen), { isKept: true });
