import fc from 'fast-check';
import { generated, property, type Target } from '../../lib/check.ts';
import { longestAccepted } from '../open/name-length.ts';
import { withAllTokens } from '../other-tokens.ts';
import { aboutNames } from './about.ts';
import { checkPack, refusesKind } from './check-pack.ts';
import { MOST_IN_PACK, packed, Pieces } from './pieces.ts';
import { describeText } from './wording.ts';

/** Starts of names that programs are likely to drop, escape or read as an operator. */
const LIKELY_STARTS = ['#', '@', '"', '=', '-', "'", '😀'] as const;

/** Further starts. */
const OTHER_STARTS: readonly string[] = [
  ...String.raw`+ . ~ $ ! * [ { ( < & % \ : ; , ? ^ _ | 0 7 A é ß 漢 ש / ../ // A: x= ¿ ¡ € “`.split(' '),
  '`',
  '1. ',
  'the ',
];

const STARTS: ReadonlySet<string> = new Set([...LIKELY_STARTS, ...OTHER_STARTS]);

/** Texts that programs replace: short codes, templates, URLs, typographic forms. */
const PHRASES: readonly string[] = [
  ':smile: {{7*7}} ... -- (c) -> ${7*7} <%=7%> 1/2 (tm) <3 :-) #{7} %{a} [[a]] [a](b) *a* _a_ **a** ~~a~~'.split(
    ' ',
  ),
  ':) $& $HOME %PATH% {0} %s'.split(' '),
  // Some programs replace a dash between words by a longer one, and a sign by its word.
  ' -- a',
  ' & B',
  ' + b',
  String.raw`&nbsp; &lt &#65; \u0041 =20 %% $1 \1 != <= (r) don't \t`.split(' '),
  [' https://A.bc/d?e=f', ' www.A.bc', ' a@B.cd', ' "a"', ' `a`', ' #A', ' @A', ' (a)', ' [a]', ' <!--a-->'],
].flat();

/** Ends that programs trim. The letter in front separates them from the phrase before. */
const ENDS: readonly string[] = [
  ' (2)',
  'x"',
  'x!',
  ...`x, x? x/ x: x; x- x' x_ x… x+`.split(' '),
  ' (x)',
  ' [x]',
];

/** ASCII characters that have a meaning for programs when doubled. */
const DOUBLED: readonly string[] = [...'\'"*_~`#@&|+=%^$\\/.,;:!?<>(){}[]-'].map((char) => ` ${char}${char}`);

/** Words, numbers and encoded texts that programs mask, reformat, round, decode or read as special values. */
const TELLING: readonly string[] = [
  // In another name than %20: many decoders leave a name unchanged if one of its escapes is malformed.
  ' %u0041',
  ' 12345678901234567890',
  ' 4111111111111111',
  ' NL91ABNA0417164300',
  ' NL91 ABNA 0417 1643 00',
  ' 10.1.2.3',
  ' 2026-01-31',
  ' 31/01/2026',
  ' 2026-01-31T10:20:30Z',
  ' +31201234567',
  ' 0x1F',
  String.raw` \101`,
  ' %20',
  String.raw` \x41`,
  ' xn--a-zfa',
  ' +AOk-',
  ' Ã¤',
  ' YWJjZA==',
  ' {"a":1}',
  ' 1e3',
  ' 007',
  ' €5',
  ' 1,234.50',
  ' NaN',
  ' nil',
  ' undefined',
  ' constructor',
  ' damn',
  ' password=a',
  ' onload=a',
  ' select a from b',
  ' 1.234,50',
  ' BTW',
  ' iPhone',
  " it's",
  ' œuvre',
  ' news',
  ...[...'@=/|%<'].map((sign) => ` ${sign} b`),
];

/** If the target accepts long names, one name contains many texts: at most this many characters beside its letters. */
const MOST_IN_LONG_NAME = 180;

/** Adds as many of the texts as fit before the last piece of a pack, and removes them from `texts`. */
async function filled(target: Target, pack: readonly string[], texts: string[]): Promise<readonly string[]> {
  const longest = (await longestAccepted(target)) ?? 0;
  const room = Math.min(longest - generated.plainLetters, MOST_IN_LONG_NAME) - pack.join('').length;
  const fitting = room <= MOST_IN_PACK ? [] : (packed(texts, room)[0] ?? []);
  texts.splice(0, fitting.length);
  // Without the blank, the letter of the last piece would become part of the text before it.
  const apart = fitting.map((text, at) => (at === fitting.length - 1 ? `${text} ` : text));
  return [...pack.slice(0, -1), ...apart, ...pack.slice(-1)];
}

/** The packs of a run. If long names are accepted, they contain all of these texts. */
async function longPacks(target: Target): Promise<(readonly string[])[]> {
  const all = packs(target);
  const known = all.flat();
  const left = PHRASES.filter((phrase) => !known.includes(phrase)).map((phrase) => ` ${phrase.trim()}`);
  // The texts that an intermediary may block as an attack come last.
  const texts = [...left, ...DOUBLED, ...TELLING];
  const long: (readonly string[])[] = [];
  for (const pack of all) long.push(await filled(target, pack, texts));
  return long;
}

/** Each pack has the start of the create's name, the start of the update's name, and the rest of both names. */
function packs(target: Target): string[][] {
  const one = (all: readonly string[]): string =>
    generated.drawn(target, 'name/interpreted', fc.constantFrom(...all))[0] ?? '';
  return [
    ['#', '@', ':smile:', '{{7*7}}', '...', ' (2)'],
    ['"', '=', '--', '(c)', '->', one(PHRASES.slice(9)), 'x"'],
    // Programs change the letter case of the host of an address, and of what is in front of a colon.
    ['-', "'", ' & B', ' https://A.bc/d?e=f', ' + b', 'x!'],
    ['😀', one(OTHER_STARTS), '${7*7}', '1/2', '<%=7%>', one(ENDS.slice(3))],
  ];
}

/** Pairs in which each text comes once first and once second. */
const pairs = (all: readonly string[]): string[][] =>
  all.map((one, at) => [one, all[(at + 1) % all.length] ?? one]);

export const interpreted = property({
  ...aboutNames({
    id: 'interpreted',
    words: 'text in front of its letters, or with text that programs replace or trim',
    cause:
      'A name is read as markup, a formula, a short code, an address or a search operator, or its ends are tidied up.',
  }),
  cases: () =>
    new Pieces(
      fc
        .tuple(
          fc.constantFrom(...STARTS),
          fc.constantFrom(...STARTS),
          fc.subarray([...PHRASES], { minLength: 1, maxLength: 3 }),
          fc.constantFrom(...ENDS),
        )
        .map(([start, other, phrases, end]) => [start, other, ...phrases, end]),
      { areWhole: true },
    ),
  examples: async (target) =>
    target.settings.effort === 'thorough'
      ? [...pairs([...STARTS]), ...[...PHRASES, ...DOUBLED, ...TELLING, ...ENDS].map((piece) => [piece])]
      : longPacks(target),
  runs: { standard: 0, thorough: 20 },
  lanes: 2,
  tagsEach: 1,
  ask: async (target, pieces, at) => {
    const options = (await refusesKind(target, 'punctuation')) ? { mostParts: 0 } : {};
    const nameOf = (some: readonly string[], time: number): string => {
      const starts = some.filter((piece) => STARTS.has(piece));
      const rest = some.filter((piece) => !STARTS.has(piece));
      return target.names.around(starts[time % starts.length] ?? '', rest.join(''));
    };
    return withAllTokens(target, 1, 2 + at, (part) => checkPack(part, pieces, nameOf, options));
  },
  tell: (pieces) => {
    const starts = pieces.filter((piece) => STARTS.has(piece)).map(describeText);
    const rest = pieces.filter((piece) => !STARTS.has(piece)).join('');
    return [
      ...(starts.length === 0 ? [] : [`a name that begins with ${starts.join(', then ')}`]),
      ...(rest === '' ? [] : [`a name that goes on with ${describeText(rest)}`]),
    ].join(' and ');
  },
});
