import fc from 'fast-check';
import { generated, type Outcome, property, type Target } from '../../lib/check.ts';
import { longestAccepted } from '../open/name-length.ts';
import { inSecondAccount, withAllTokens } from '../other-tokens.ts';
import { aboutNames } from './about.ts';
import { checkPack, refusesKind } from './check-pack.ts';
import { MOST_IN_PACK, Pieces } from './pieces.ts';
import { fitting } from './texts.ts';
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

/**
 * Ends that programs trim. The letter in front separates them from the phrase before. The third one ends the name that begins
 * with a quotation mark.
 */
const LIKELY_ENDS: readonly string[] = [' (2)', 'x…', 'x"', 'x!', ' [x]'];

/** Further ends. */
const OTHER_ENDS: readonly string[] = [
  ...`x, x? x/ x: x; x- x' x_ x+ x。 x.txt x®`.split(' '),
  ' (x)',
  ' the',
  ' jr',
  ' 2',
];

const ENDS: ReadonlySet<string> = new Set([...LIKELY_ENDS, ...OTHER_ENDS]);

/** Words, numbers and encoded texts that programs mask, reformat, round, decode or read as special values. */
const TELLING: readonly string[] = [
  ...String.raw`%u0041 %E4 5%10 12345678901234567890 4111111111111111 NL91ABNA0417164300 10.1.2.3 2026-01-31`.split(
    ' ',
  ),
  'NL91 ABNA 0417 1643 00',
  ...String.raw`31/01/2026 2026-01-31T10:20:30Z +31201234567 0x1F \101 \x41 \n xn--a-zfa +AOk- Ã¤ YWJjZA==`.split(
    ' ',
  ),
  ...'{"a":1} 1e3 007 €5 1,234.50 1.234,50 1.0 .5 $5 1st NaN nil undefined constructor damn Scunthorpe Essex'.split(
    ' ',
  ),
  ...`password=a BTW iPhone it's œuvre news aaaa a,b !!! &amp; :a ? e.g. A.B.C. ABC-1 a.html [b]a[/b] $a$ ==a==`.split(
    ' ',
  ),
  'a ,b',
  '2 kg',
  'and the b',
  // Dates in words, repeated words, slips, and words whose number or spelling programs change.
  'May 3',
  'the the',
  ...'teh 1,000 berries mice colour N/A'.split(' '),
  ...[...'@=/|%<'].map((sign) => `${sign} b`),
  '=?UTF-8?Q?a?=',
].map((text) => ` ${text}`);

/** Texts that programs remove, and that an intermediary may refuse as an attack. */
const ATTACK_LIKE: readonly string[] = [
  ' <b>a</b>',
  ' <br>',
  ' onload=a',
  " ' or 1=1",
  ' select a from b',
  ' ; drop table a',
  ' <script>',
  ' ../a',
];

/** ASCII characters that have a meaning for programs when doubled, unless another text has them. */
const DOUBLED: readonly string[] = [...'\'"*_~`#@&|+=%^$\\/.,;:!?<>(){}[]-']
  .map((char) => `${char}${char}`)
  .filter((pair) => ![...PHRASES, ...TELLING].some((text) => text.includes(pair)))
  .map((pair) => ` ${pair}`);

/**
 * If the target accepts long names, one name contains many texts: at most this many UTF-8 bytes beside its letters, because
 * some targets count bytes, and many accept 255.
 */
const MOST_BYTES_IN_LONG_NAME = 255 - generated.plainLetters;

/** Adds as many of the texts as fit before the two ends of a pack, and removes them from `texts`. */
async function filled(target: Target, pack: readonly string[], texts: string[]): Promise<readonly string[]> {
  const longest = (await longestAccepted(target)) ?? 0;
  // Without the blank, the letter of an end would become part of the text before it.
  const own = Buffer.byteLength(`${pack.join('')} `);
  const room = Math.min(longest - generated.plainLetters, MOST_BYTES_IN_LONG_NAME) - own;
  const added = room <= MOST_IN_PACK ? [] : fitting(texts, room);
  texts.splice(0, added.length);
  return added.length === 0 ? pack : [...pack.slice(0, -2), ...added, ' ', ...pack.slice(-2)];
}

/** The packs of a run. If long names are accepted, they contain all of these texts. */
async function longPacks(target: Target): Promise<(readonly string[])[]> {
  const all = packs(target);
  const known = all.flat();
  const left = PHRASES.filter((phrase) => !known.includes(phrase)).map((phrase) => ` ${phrase.trim()}`);
  const texts = [...left, ...DOUBLED, ...TELLING, ...ATTACK_LIKE];
  const long: (readonly string[])[] = [];
  for (const pack of all) long.push(await filled(target, pack, texts));
  return long;
}

/**
 * Each pack has the start of the create's name, the start of the update's name, what both names contain, and the end of
 * each name.
 */
function packs(target: Target): string[][] {
  const some = (all: readonly string[], count: number): readonly string[] =>
    generated.drawn(
      target,
      'name/interpreted',
      fc.shuffledSubarray([...all], { minLength: count, maxLength: count }),
    )[0] ?? [];
  const ends = [...LIKELY_ENDS, ...some(OTHER_ENDS, 3)];
  return [
    ['#', '@', ':smile:', '{{7*7}}', '...', ...ends.slice(0, 2)],
    ['"', '=', '--', '(c)', '->', ...some(PHRASES.slice(9), 1), ...ends.slice(2, 4)],
    // Programs change the letter case of the host of an address, and of what is in front of a colon. Many decoders leave a
    // name unchanged if one of its percent-encodings is malformed.
    ['-', "'", ' & B', ' https://A.bc/d?e=f', ' + b', ' %20', ...ends.slice(4, 6)],
    ['😀', ...some(OTHER_STARTS, 1), '${7*7}', '1/2', '<%=7%>', ...ends.slice(6, 8)],
  ];
}

/** The pieces by their places. The names of a tag have the starts and the ends in turn, and all texts between them. */
function divided(pieces: readonly string[]): Record<'starts' | 'texts' | 'ends', readonly string[]> {
  const starts = pieces.filter((piece) => STARTS.has(piece));
  const ends = pieces.filter((piece) => ENDS.has(piece));
  return { starts, texts: pieces.filter((piece) => !starts.includes(piece) && !ends.includes(piece)), ends };
}

/** The second account sends one case in so many. */
const OF_SECOND = 3;

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
      ? [
          ...pairs([...STARTS]),
          ...[...PHRASES, ...DOUBLED, ...TELLING, ...ATTACK_LIKE, ...ENDS].map((piece) => [piece]),
        ]
      : longPacks(target),
  runs: { standard: 0, thorough: 20 },
  lanes: 2,
  tagsEach: 1,
  ask: async (target, pieces, at) => {
    const options = (await refusesKind(target, 'punctuation'))
      ? { mostParts: 0 }
      : { oftenRefused: ATTACK_LIKE };
    const nameOf = (some: readonly string[], time: number): string => {
      const { starts, texts, ends } = divided(some);
      const before = starts[time % starts.length] ?? '';
      return target.names.around(before, `${texts.join('')}${ends[time % ends.length] ?? ''}`);
    };
    const check = (part: Target): Promise<Outcome> => checkPack(part, pieces, nameOf, options);
    return at % OF_SECOND === 1 ? inSecondAccount(target, 1, check) : withAllTokens(target, 1, 2 + at, check);
  },
  tell: (pieces) => {
    const { starts, texts, ends } = divided(pieces);
    const inTurn = (some: readonly string[]): string => some.map(describeText).join(', then ');
    return [
      ...(starts.length === 0 ? [] : [`a name that begins with ${inTurn(starts)}`]),
      ...(texts.length === 0 ? [] : [`a name that goes on with ${describeText(texts.join(''))}`]),
      ...(ends.length === 0 ? [] : [`a name that ends with ${inTurn(ends)}`]),
    ].join(' and ');
  },
});
