import fc from 'fast-check';
import type { Target } from '../../lib/check.ts';
import { NAUGHTY } from './naughty.ts';
import { PACK, packed, packsOf } from './pieces.ts';

/** A kind of text in names that servers are known to get wrong. */
export interface Tier {
  /** Names the requirement `name/…`, and the tier in answers and declarations. */
  readonly id: string;
  /** Completes "A name with …". */
  readonly words: string;
  /** What usually causes a fault, in one sentence. */
  readonly cause: string;
  /** What is asked for sure, in packs; with the greatest effort each by itself. */
  readonly pieces: readonly string[];
  /** Pieces beyond these. */
  readonly random: fc.Arbitrary<string>;
  /** How many packs of random pieces are asked with the standard effort, beside those of the table. */
  readonly runs?: number;
  /** The most characters of a pack of random pieces, where that is another number than usual. */
  readonly most?: number;
}

/** The characters from one to another, both included. */
const range = (first: string, last: string): string[] => {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
};

const LETTERS = [...range('A', 'Z'), ...range('0', '9'), ...range('a', 'z')];

/** In the order of their numbers, as no attack has them. */
const PUNCTUATION = [...range('!', '/'), ...range(':', '@'), ...range('[', '`'), ...range('{', '~')];

/** Characters together that mean something: in URLs, HTML, SQL, shells, paths, templates; last a dot at the end. */
const SEQUENCES = ['%41', '%2B', '&amp;', '<b>', "';--", '\\n', '../', '${a}', '%s', 'x.'];

/** Last one at the end, where it may be trimmed. */
const BLANKS = [
  ' b',
  '  c',
  '\u00a0d',
  '\u2003e',
  '\u2009f',
  '\u202fg',
  '\u205fh',
  '\u1680i',
  '\u3000j',
  ' ',
];

/** Accents composed and decomposed, letters that no accent makes, letters that change their number with their case. */
const LATIN = 'é e\u0301 Å \u212b ñ n\u0303 ệ e\u0323\u0302 ç ø ł æ þ ß İ ı ﬁ ǆ Ａ ｚ ² ½ € ’'.split(' ');

const SCRIPTS = 'Σας Яё Ա שלם عرب ١ हिन् ก็ 한 \u1112\u1161\u11ab 漢字 々 が か\u3099 ｶ ა'.split(' ');

/** Beyond the Basic Multilingual Plane, and of several characters that show as one. */
const EMOJI = '😀 👩‍👧 🇳🇱 👍🏽 ❤️ 1️⃣ ☃ 𝒜 𠮷 🫠'.split(' ');

/** A letter behind them shows where they cut a name off. */
const CONTROLS = [
  '\u0000z',
  '\nz',
  '\r\nz',
  '\tz',
  ...range('\u0001', '\u0008'),
  ...range('\u000b', '\u001b'),
  'z',
  '\u001c\u001d\u001e\u001f',
  ...'\u007fz \u0080 \u0085z \u009fz'.split(' '),
];

/** Ends of lines that JavaScript once took for such, joiners, marks of direction, and a byte order mark. */
const INVISIBLE =
  '\u2028z \u2029z \u00ad \u200b \u200c \u200d \u200e \u200f \u202e \u2066 \u2060 \ufeffz'.split(' ');

/** Letters of these blocks, and the blocks' own order: what a table of a few does not have. */
const lettersOf = (...blocks: readonly (readonly [first: string, last: string])[]): fc.Arbitrary<string> =>
  fc.constantFrom(
    ...blocks.flatMap(([first, last]) => range(first, last)).filter((char) => /[\p{L}\p{N}]/u.test(char)),
  );

const normalised = (letters: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(letters, fc.constantFrom('NFC', 'NFD')).map(([letter, form]) => letter.normalize(form));

/** Forms of numbers, each with a number in the place of `#`: what is made a number on its way comes back otherwise. */
export const NUMBERS: readonly string[] = ['0#', '#.0', '#e1', '-#', '+#', '0x#', '#', '00#.10'];

/** Lengths of whole names about which limits lie, in characters: of columns, indexes, rules of validation. */
const LENGTHS: readonly number[] = [30, 50, 191, 255, 256, 1_000, 10_000];

/**
 * The lengths that are asked: one more than each limit; with the greatest effort those, too. Of such as are beyond what
 * the target accepts, where that is known, only the first and the last.
 */
export function lengthsFor(most: number | undefined, isThorough: boolean): number[] {
  const lengths = LENGTHS.flatMap((length) => (isThorough ? [length, length + 1] : [length + 1]));
  const first = lengths.findIndex((length) => most !== undefined && length > most);
  return [...new Set(lengths)].filter((_, at, all) => first < 0 || at <= first || at === all.length - 1);
}

export const TIERS: readonly Tier[] = [
  {
    id: 'letters',
    words: 'capital letters, small ones or digits',
    cause: 'A pattern that names are checked by leaves a character out.',
    pieces: LETTERS,
    random: fc.constantFrom(...LETTERS),
  },
  {
    id: 'blanks',
    words: 'blanks inside',
    cause: 'Blanks are dropped where they should be folded, or kept and not looked for.',
    pieces: BLANKS,
    random: fc.constantFrom(...BLANKS),
  },
  {
    id: 'punctuation',
    words: 'punctuation that means something in URLs, JSON, SQL, HTML or shells',
    cause: 'A name is put into a query, a page or an address as it is, or is escaped where it is stored.',
    pieces: [...PUNCTUATION, ...SEQUENCES],
    random: fc.string({ unit: fc.constantFrom(...PUNCTUATION), minLength: 1, maxLength: 4 }),
    runs: 1,
  },
  {
    id: 'latin',
    words: 'accented and other Latin letters, composed and decomposed',
    cause:
      'Names pass through another encoding than UTF-8, or are compared in another normal form than they are kept in.',
    pieces: LATIN,
    random: normalised(lettersOf(['\u00c0', '\u024f'], ['\u1e00', '\u1eff'], ['\uff21', '\uff5a'])),
  },
  {
    id: 'scripts',
    words: 'letters of other scripts, also from right to left and with combining marks',
    cause: 'The database keeps one byte a character, or a pattern knows letters of one script alone.',
    pieces: SCRIPTS,
    random: normalised(
      lettersOf(
        ['\u0391', '\u03c9'],
        ['\u0400', '\u045f'],
        ['\u05d0', '\u05ea'],
        ['\u0621', '\u064a'],
        ['\u0905', '\u0939'],
        ['\u0e01', '\u0e30'],
        ['\u3041', '\u30fa'],
        ['\u4e00', '\u4fff'],
        ['\uac00', '\uae00'],
      ),
    ),
  },
  {
    id: 'emoji',
    words: 'emoji and other characters beyond the first plane of Unicode',
    cause: 'The database keeps three bytes a character, or text is cut between the halves of a pair.',
    pieces: EMOJI,
    random: fc.constantFrom(...EMOJI, ...range('\u{1f600}', '\u{1f64f}'), ...range('\u{1d400}', '\u{1d433}')),
  },
  {
    id: 'control-characters',
    words: 'control and format characters',
    cause: 'A name ends at U+0000 where it is a string of C, or is written into a protocol of lines.',
    pieces: [...CONTROLS, ...INVISIBLE],
    random: fc.constantFrom(...CONTROLS, ...INVISIBLE, ...range('\u0081', '\u009f')),
  },
  {
    id: 'naughty-strings',
    words: 'strings that are known to have upset programs',
    cause: 'A name is taken for something else than a name somewhere on its way.',
    pieces: [],
    random: fc.constantFrom(...NAUGHTY.filter((text) => text.length <= 60)),
    runs: 2,
    most: 110,
  },
];

/** A short name of each tier, by which is asked whether such names are accepted at all. */
export const TYPICAL: readonly {
  readonly id: string;
  readonly has: string;
  readonly name: (target: Target) => string;
}[] = [
  { id: 'letters', has: 'capital letters', name: (target) => target.names.endingIn('AZ') },
  { id: 'numbers', has: 'digits alone', name: (target) => target.names.numeric('#') },
  { id: 'blanks', has: 'a blank inside', name: (target) => target.names.endingIn(' b') },
  { id: 'punctuation', has: 'punctuation', name: (target) => target.names.endingIn('"\'<%') },
  { id: 'latin', has: 'accents', name: (target) => target.names.endingIn('é') },
  { id: 'scripts', has: 'letters of other scripts', name: (target) => target.names.endingIn('漢ש') },
  { id: 'emoji', has: 'emoji', name: (target) => target.names.endingIn('😀') },
  { id: 'control-characters', has: 'control characters', name: (target) => target.names.endingIn('a\tb') },
];

/** What is asked of a tier before all that is generated: packs, or with the greatest effort each piece by itself. */
export function examplesOf({ id, pieces, random }: Tier, isThorough: boolean, seed: number): string[][] {
  const all = id === 'naughty-strings' ? NAUGHTY : pieces;
  if (isThorough) return all.map((piece) => [piece]);
  const [first = [], ...others] = packed(pieces).toReversed();
  // What room there is in the last pack is filled with others, another time others.
  const room = PACK - first.join('').length;
  const [filling = []] = packed(fc.sample(random, { seed, numRuns: PACK }), room);
  const isFit = filling.join('').length <= room;
  return pieces.length === 0 ? [] : [...others.toReversed(), isFit ? [...filling, ...first] : first];
}

export const casesOf = ({ random, most }: Tier): fc.Arbitrary<string[]> => packsOf(random, most);
