import fc from 'fast-check';
import type { Target } from '../../lib/check.ts';
import { fitting, MORE_TEXTS, NAUGHTY } from './texts.ts';
import { MOST_IN_PACK, packed, packsOf } from './pieces.ts';

/** A kind of text that servers are known to handle wrongly in names. */
export interface Tier {
  /** Completes the id `name/…` of the requirement, and names the tier in answers and declarations. */
  readonly id: string;
  /** Completes "A name with …". */
  readonly words: string;
  /** What usually causes a fault, in one sentence. */
  readonly cause: string;
  /** Pieces that every run sends: in packs, or one by one with the effort `thorough`. */
  readonly pieces: readonly string[];
  /** Whether the pieces are rotated in an update, so that another piece is the last one. */
  readonly isRotated?: true;
  /** Whether an update's name begins with the first piece, in front of its letters. */
  readonly isInFront?: true;
  /** Pieces that every run sends separately from the others. */
  readonly apart?: readonly string[];
  /** Generates further pieces. */
  readonly random: fc.Arbitrary<string>;
  /**
   * The number of the token that sends its first case, or that the second account sends its cases. Tiers in which the same faults
   * are likely begin with different tokens.
   */
  readonly token: number | 'of the second account';
  /** The number of packs of generated pieces with the effort `standard`; none by default. */
  readonly runs?: number;
  /** The most UTF-16 units of a pack of generated pieces, if that is not `MOST_IN_PACK`. */
  readonly most?: number;
  /** Pieces that many targets refuse though they accept the others of the tier. */
  readonly oftenRefused?: readonly string[];
  /** Whether a name may break a target for good: some servers store it and then fail on every list. */
  readonly isPerilous?: true;
}

/** The characters from the first to the last, both included. */
const range = (first: string, last: string): string[] => {
  const [from = 0, to = 0] = [first.codePointAt(0), last.codePointAt(0)];
  return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
};

const [CAPITALS, SMALL, DIGITS] = [range('A', 'Z'), range('a', 'z'), range('0', '9')];

/**
 * Letters of both cases and digits in turn, because a program may change capital letters inside a word only. No letter has
 * the same one beside it.
 */
const LETTERS = CAPITALS.flatMap((capital, at) => [
  capital,
  SMALL[(at + SMALL.length / 2) % SMALL.length] ?? '',
  ...DIGITS.slice(at, at + 1),
]);

/** In the order of their code points, so that no intermediary takes them for an attack, except those at the end. */
const PUNCTUATION = [
  ...range('!', '-'),
  '/',
  ...range(':', '@'),
  '[',
  ...range(']', '`'),
  ...range('{', '~'),
  '\\',
  '.',
];

/**
 * Sequences with a meaning in search queries, URLs, HTML, SQL, shells and templates. The first one makes the name look
 * like a field with its value.
 */
const SEQUENCES = [':b', '%41', '%2B', '&amp;', '<b>', "';--", '\\n', '/**/', '${a}', '%s'];

/** The last one ends the name with a blank, which may be trimmed. */
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

/** Composed and decomposed accents, letters that do not decompose, and letters whose length changes with their case. */
const LATIN =
  'e\u0301 \u212b n\u0303 ệ e\u0323\u0302 ł o\u0301\u0302\u0323\u0308\u0304\u0331 İ ı ﬁ ǆ Ａ ｚ € ’ “ – … °'.split(
    ' ',
  );

/** Characters of Latin-1 only: together with other characters, a wrong encoding may not show. */
const LATIN_1 = 'é Å ñ ç ø æ þ ß ² ½ ü Ö'.split(' ');

/**
 * Letters of other scripts, among them Arabic and Hebrew letters and marks that searches fold, and a private-use
 * character.
 */
const SCRIPTS =
  'ΣαςΑΣ1 Яёя Ա שלם ב\u05b8 عرب ١ يك م\u064e ـع हिन् ก็ 한 \u1112\u1161\u11ab 漢字 々 が か\u3099 ｶ \ue000 ა'.split(
    ' ',
  );

/** Characters beyond the Basic Multilingual Plane, and sequences that are displayed as one character. */
const EMOJI = '😀 👩‍👧 🇳🇱 👍🏽 ❤️ 1️⃣ ☃ 𝒜 𠮷 🫠'.split(' ');

/** Some databases store all characters except this one. */
const NUL = '\u0000z';

/** The letter after some of them shows whether the name was cut off there. */
const CONTROLS = [
  NUL,
  '\nz',
  '\r\nz',
  '\tz',
  ...range('\u0001', '\u0008'),
  ...range('\u000b', '\u001b'),
  'z',
  '\u001c\u001d\u001e\u001f',
  ...'\u007fz \u0080 \u0085z \u009fz'.split(' '),
];

/** Line and paragraph separators, joiners, directional marks and a byte order mark of Unicode. */
const INVISIBLE =
  '\u2028z \u2029z \u00ad \u200b \u200c \u200d \u200e \u200f \u202e \u2066 \u2060 \ufeffz'.split(' ');

/** Generates letters and digits from these ranges. */
const lettersOf = (...blocks: readonly (readonly [first: string, last: string])[]): fc.Arbitrary<string> =>
  fc.constantFrom(
    ...blocks.flatMap(([first, last]) => range(first, last)).filter((char) => /[\p{L}\p{N}]/u.test(char)),
  );

const normalised = (letters: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(letters, fc.constantFrom('NFC', 'NFD')).map(([letter, form]) => letter.normalize(form));

/** Forms of numbers, with `#` for nine digits. A target that reads such a name as a number changes it. */
export const NUMBERS: readonly string[] = ['0#', '#.00', '#e1', '-#', '+#', '0x#', '#', '#98765432101'];

export const TIERS: readonly Tier[] = [
  {
    id: 'letters',
    token: 0,
    words: 'upper-case letters, lower-case letters or digits',
    cause: 'The pattern that validates names leaves out a character.',
    pieces: LETTERS,
    random: fc.constantFrom(...LETTERS),
  },
  {
    id: 'blanks',
    token: 1,
    words: 'blanks inside',
    cause: 'Blanks are dropped where they should be folded, or stored but trimmed from the filter.',
    pieces: BLANKS,
    random: fc.constantFrom(...BLANKS),
  },
  {
    id: 'punctuation',
    token: 0,
    words: 'punctuation that has a meaning in URLs, JSON, SQL, HTML or shells',
    cause:
      'A name is put into a query, a page or a URL without escaping, is escaped before it is stored, or a filter is decoded twice.',
    pieces: [...SEQUENCES, ...PUNCTUATION],
    isRotated: true,
    random: fc.string({ unit: fc.constantFrom(...PUNCTUATION), minLength: 1, maxLength: 4 }),
  },
  {
    id: 'latin',
    token: 0,
    isInFront: true,
    words: 'accented and other Latin letters, composed or decomposed',
    cause:
      'Names pass through an encoding other than UTF-8, or are compared in a normal form other than the stored one.',
    apart: LATIN_1,
    pieces: LATIN,
    random: normalised(lettersOf(['\u00c0', '\u024f'], ['\u1e00', '\u1eff'], ['\uff21', '\uff5a'])),
  },
  {
    id: 'scripts',
    token: 'of the second account',
    isInFront: true,
    words: 'letters of other scripts, including right-to-left ones and combining marks',
    cause: 'The database stores one byte per character, or a pattern allows the letters of one script only.',
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
    token: 3,
    words: 'emoji or other characters beyond the Basic Multilingual Plane',
    cause: 'The database stores at most three bytes per character, or text is cut inside a surrogate pair.',
    pieces: EMOJI,
    random: fc.constantFrom(...EMOJI, ...range('\u{1f600}', '\u{1f64f}'), ...range('\u{1d400}', '\u{1d433}')),
  },
  {
    id: 'control-characters',
    token: 5,
    words: 'control or format characters',
    cause: 'A C string ends at U+0000, or the name is written into a line-based protocol.',
    isPerilous: true,
    oftenRefused: [NUL],
    pieces: [...CONTROLS, ...INVISIBLE],
    random: fc.constantFrom(...CONTROLS, ...INVISIBLE, ...range('\u0081', '\u009f')),
  },
  {
    id: 'naughty-strings',
    token: 'of the second account',
    words: 'strings that are known to make programs fail',
    cause:
      'Some layer of the service interprets the name as something else, such as a number, markup or a command.',
    pieces: [],
    random: fc.constantFrom(...NAUGHTY.filter((text) => text.length <= 60)),
    runs: 1,
    most: 110,
  },
];

const ending =
  (text: string) =>
  (target: Target): string =>
    target.names.endingIn(text);

/** A plain name with a text between its letters. */
const inside =
  (text: string) =>
  (target: Target): string => {
    const letters = target.name();
    return target.names.extended(letters.slice(0, 7), `${text}${letters.slice(7)}`);
  };

/** Short names of one kind, which show whether the target accepts that kind at all. */
export interface Typical {
  readonly id: string;
  /** Completes "if they have …". */
  readonly has: string;
  /** Make such names: the first is the most typical, the last is as short as possible. */
  readonly names: readonly ((target: Target) => string)[];
}

/** Typical texts of the kinds that can stand together in one name. */
const TEXT = {
  blanks: ' ',
  controls: '\t',
  punctuation: '"\'<%',
  latin: 'é',
  scripts: '漢ש',
  emoji: '😀',
  letters: 'AZ',
};

export const TYPICAL: readonly Typical[] = [
  { id: 'letters', has: 'capital letters', names: [ending(TEXT.letters), ending('A')] },
  { id: 'numbers', has: 'nothing but digits', names: [(target) => target.names.numeric('#')] },
  { id: 'blanks', has: 'a blank inside', names: [inside(TEXT.blanks)] },
  { id: 'punctuation', has: 'punctuation', names: [ending(TEXT.punctuation), ending('<')] },
  { id: 'latin', has: 'accents', names: [ending(TEXT.latin)] },
  { id: 'scripts', has: 'letters of other scripts', names: [ending(TEXT.scripts), ending('ש')] },
  {
    id: 'emoji',
    has: 'emoji',
    names: [ending(TEXT.emoji), (target) => target.names.extended(target.name().slice(0, 12), TEXT.emoji)],
  },
  { id: 'control-characters', has: 'control characters', names: [inside(TEXT.controls)] },
];

/** A name of all typical kinds except numbers. No blank and no control character stands at its end. */
export const ofAllKinds = ending(Object.values(TEXT).join(''));

/** The kinds that such a name does not show. */
export const APART: readonly Typical[] = TYPICAL.filter(({ id }) => id === 'numbers');

/**
 * The cases of a tier that every run sends: packs, or single pieces with the effort `thorough`.
 *
 * @param most the most UTF-16 units of a pack.
 * @param bytes the most UTF-8 bytes of the last pack, if long names are accepted; otherwise 0.
 */
export function examplesOf(
  { id, pieces, apart = [], random }: Tier,
  isThorough: boolean,
  seed: number,
  most = MOST_IN_PACK,
  bytes = 0,
): string[][] {
  const all = id === 'naughty-strings' ? NAUGHTY : [...apart, ...pieces];
  if (isThorough) return all.map((piece) => [piece]);
  if (pieces.length === 0) return [];
  const [last = [], ...others] = packed(pieces, most).toReversed();
  // Generated pieces, which depend on the seed, fill up the last pack.
  const drawn = fc.sample(random, { seed, numRuns: MOST_IN_PACK });
  const bytesLeft = bytes - Buffer.byteLength(last.join(''));
  const more = MORE_TEXTS[id];
  if (bytesLeft > 0 && more !== undefined)
    return [...packed(apart), ...others.toReversed(), [...fitting([...more, ...drawn], bytesLeft), ...last]];
  const room = most - last.join('').length;
  const [filling = []] = packed(drawn, room);
  const fits = filling.join('').length <= room;
  return [...packed(apart), ...others.toReversed(), fits ? [...filling, ...last] : last];
}

/** Generates further packs of a tier. */
export const casesOf = ({ random, most }: Tier): fc.Arbitrary<string[]> => packsOf(random, most);
