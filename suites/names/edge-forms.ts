import fc from 'fast-check';
import { generated, type Target } from '../../lib/check.ts';
import { LETTERS } from './forms.ts';

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

/** The two ends of a form. */
export function edgesOf(form: string): [string, string] {
  const [before = '', after = ''] = form.split(LETTERS);
  return [`${before}${LETTERS}`, `${LETTERS}${after}`];
}

/** The form of a regular expression for a whole text. */
const PATTERN = `^${LETTERS}$`;

const CAPITAL = 'Q';

/** Characters with which creates of other kinds start or end names in every run: calculations, JSON texts, paths. */
const OF_OTHER_CREATES = { first: [...'#"-[{.='], last: [...')"!]}'] };

/** Characters of a kind of which one is enough: programs treat all digits, emoji, and letters of a script alike. */
const OF_KINDS = [...'7éя漢😀', '\u0301'];

/** The characters at the ends of names, the likeliest to be overlooked first. Their order depends on the seed. */
function drawnCharacters(target: Target): {
  readonly first: readonly string[];
  readonly last: readonly string[];
} {
  const [before = '', after = ''] = PATTERN.split(LETTERS);
  const inOrder = (edges: readonly string[], others: readonly string[]): string[] => {
    const all = edges.map((edge) => edge.replace(LETTERS, ''));
    const later = [...others, ...OF_KINDS];
    return [...all.filter((char) => !later.includes(char)), ...later.filter((char) => all.includes(char))];
  };
  const [firsts = [], lasts = []] =
    generated.drawn(target, 'name/edges', fc.tuple(shuffled(FIRST), shuffled(LAST)))[0] ?? [];
  return {
    first: inOrder(firsts, OF_OTHER_CREATES.first).filter((char) => char !== before),
    last: inOrder(lasts, OF_OTHER_CREATES.last).filter((char) => char !== after),
  };
}

const shuffled = (edges: readonly string[]): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray([...edges], { minLength: edges.length });

/**
 * All characters at both ends. A capital letter, which stands for all, comes early: at the end of the first form and at the
 * start of the second one. Then come those that are the likeliest to be overlooked.
 */
export function drawnEdges(target: Target): string[] {
  const { first, last } = drawnCharacters(target);
  const all = [...first.map((char) => `${char}${LETTERS}`), ...last.map((char) => `${LETTERS}${char}`)];
  const ofCapital = [`${CAPITAL}${LETTERS}`, `${LETTERS}${CAPITAL}`];
  return [...new Set([...all.slice(0, 1), ...ofCapital, ...all, ...edgesOf(PATTERN)])];
}

/** The number of forms in the full account that are also sent as filters. */
export const MOST_SOUGHT = 9;

/** The sequences whose names get such forms, and how many each. */
const SEQUENCES = { count: 3, forms: 3 };

// The full account and the sequences cover forms at no cost. Together, their creates, updates and filters send nearly all
// characters at both ends.

/** The forms of the names of a sequence; none if it is not one of the first. */
export function formsOfSequence(target: Target, at: number): readonly string[] {
  const from = at * SEQUENCES.forms;
  return at < 0 || at >= SEQUENCES.count ? [] : drawnForms(target, from, from + SEQUENCES.forms);
}

/** The forms to which tags of the full account are updated, because one list shows many names there. */
export function formsOfFullAccount(target: Target): readonly string[] {
  const from = SEQUENCES.count * SEQUENCES.forms;
  const middle = from + MOST_SOUGHT;
  // Hardly any other list without a filter has to show names that begin with such letters or digits. A program that makes words
  // singular drops the s.
  const others = paired(['\u0301', '😀', '#', '7', 'é', 'я'], ['😀', '7', 's']);
  return [PATTERN, ...drawnForms(target, from, middle), ...others, ...drawnForms(target, middle, MOST_DRAWN)];
}

/** The sequences and the updates of the full account have room for this many drawn forms together. */
const MOST_DRAWN = 21;

/** The number of tags of the full account that are made with a name that begins with such a character. */
const STARTS = 8;

/**
 * The forms with which tags of the full account are made: a capital letter or punctuation at both ends, and then punctuation at
 * the end only. The order of names that begin otherwise than with a plain name depends on the collation, so enough others are
 * left to show an order by name.
 */
export function formsOfFullCreates(target: Target): readonly string[] {
  const from = SEQUENCES.count * SEQUENCES.forms;
  const { first, last } = drawnCharacters(target);
  const [starts, ends] = [first, last].map((all) => all.slice(from).filter((char) => PUNCTUATION.test(char)));
  const [beforeCapital = '', ...before] = starts?.slice(0, STARTS) ?? [];
  const [behindCapital = '', ...behind] = ends ?? [];
  return [
    PATTERN,
    // A capital letter at one end only: two of them may be taken for a name in title case or in capitals.
    `${CAPITAL}${LETTERS}${behindCapital}`,
    `${beforeCapital}${LETTERS}${CAPITAL}`,
    ...paired(before, behind),
    ...behind.slice(before.length).map((end) => `${LETTERS}${end}`),
  ];
}

/** Punctuation of ASCII, which no lawful form changes. */
const PUNCTUATION = /^[!-/:-@[-`{-~]$/;

function drawnForms(target: Target, from: number, to: number): string[] {
  const { first, last } = drawnCharacters(target);
  return paired(first.slice(from, to), last.slice(from, to));
}

const paired = (first: readonly string[], last: readonly string[]): string[] =>
  first.map((start, at) => `${start}${LETTERS}${last[at] ?? ''}`);
