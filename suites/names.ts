import fc from 'fast-check';
import {
  ifDecided,
  learn,
  PLAIN_LETTERS,
  property,
  quote,
  type Requirement,
  seedOf,
  type Suite,
  type Target,
} from '../lib/check.ts';
import { aboutNames } from './names/about.ts';
import { askPack, refusesKind } from './names/ask-pack.ts';
import { bare } from './names/bare.ts';
import { checkDistinct, ENDS, FIRST_ENDS } from './names/distinct.ts';
import { queryableEnd, variedLetters } from './names/sizes.ts';
import { edges } from './names/edges.ts';
import { interpreted } from './names/interpreted.ts';
import { wholeForms } from './names/whole-forms.ts';
import { MOST_BYTES } from './names/texts.ts';
import { casesOf, examplesOf, lengthsFor, NUMBERS, TIERS, type Tier } from './names/tiers.ts';
import { MOST_IN_PACK, Pieces } from './names/pieces.ts';
import { describeText } from './names/wording.ts';
import { pagination } from './open/lists.ts';
import { longestAccepted } from './open/name-length.ts';

const isThorough = (target: Target): boolean => target.settings.effort === 'thorough';
const tellPieces = (pieces: readonly string[]): string =>
  `a name that goes on with ${describeText(pieces.join(''))}`;

/** The requests that all kinds of names take if only short names are accepted. */
const REQUESTS_FOR_SHORT_NAMES = 200;

/** Whether the budget is too small to try parts of refused names of every kind; decided once in a run. */
const areKindsAskedBriefly = (target: Target): Promise<boolean> =>
  target.shared('whether kinds of names are asked briefly', 0, ({ facts }) =>
    Promise.resolve(facts.requestsLeft < REQUESTS_FOR_SHORT_NAMES),
  );

const ofTier = (tier: Tier): Requirement =>
  property({
    ...aboutNames(tier),
    ...(tier.isPerilous === true ? { when: 'perilous' as const } : {}),
    cases: () => new Pieces(casesOf(tier)),
    examples: async (target) => {
      // One long name is as good as two of half the length.
      const longest = isThorough(target) ? 0 : ((await longestAccepted(target)) ?? 0);
      const most = longest >= PLAIN_LETTERS + 2 * MOST_IN_PACK ? 2 * MOST_IN_PACK : MOST_IN_PACK;
      const seed = seedOf(`${target.settings.seed}\n${tier.id}`);
      const bytes = most > MOST_IN_PACK ? Math.min(longest - PLAIN_LETTERS, MOST_BYTES) : 0;
      return examplesOf(tier, isThorough(target), seed, most, bytes);
    },
    runs: { standard: tier.runs ?? 0, thorough: 30 },
    lanes: 2,
    tagsEach: 1,
    ask: async (target, pieces) => {
      const kind = tier.id === 'naughty-strings' ? 'punctuation' : tier.id;
      // The parts of a name of a kind that is refused are likely to be refused, too.
      const isBrief = (await areKindsAskedBriefly(target)) || (await refusesKind(target, kind));
      const options = { arePlain: tier.id === 'letters', ...(isBrief ? { mostParts: 1 } : {}) };
      const turned = (some: readonly string[]): readonly string[] => [
        ...some.slice(-1),
        ...some.slice(0, -1),
      ];
      const nameOf = (some: readonly string[], attempt: number): string =>
        target.names.endingIn((tier.isTurned === true && attempt % 2 === 1 ? turned(some) : some).join(''));
      return askPack(target, pieces, nameOf, options);
    },
    tell: tellPieces,
  });

/** Names that could be taken for numbers. They cannot begin like the other names of the run. */
const numbers = property({
  ...aboutNames({
    id: 'numbers',
    words: 'nothing but a number in it',
    cause: 'A name that looks like a number is converted to one.',
  }),
  cases: () =>
    new Pieces(fc.array(fc.constantFrom(...NUMBERS), { minLength: 2, maxLength: 2 }), {
      // A part of a form is not a number of the run.
      areWhole: true,
    }),
  examples: (target) => (isThorough(target) ? NUMBERS.map((form) => [form]) : [['0#', '#.0']]),
  runs: { standard: 0, thorough: 10 },
  tagsEach: 1,
  ask: async (target, forms) => {
    // The same number in both forms: an update from one to the other changes the text.
    const digits = target.names.numeric('#');
    return askPack(target, forms, (some, time) => {
      const form = some[time % some.length] ?? '#';
      // A form that stands there twice makes two names.
      return some.indexOf(form) === time
        ? target.names.extended(form.replace('#', digits), '')
        : target.names.numeric(form);
    });
  },
  tell: (forms) => `a name of the form ${forms.map(quote).join(', then ')}, where # is a number`,
});

/** Stands for small letters of ASCII, which are varied. */
const LETTER = 'x';

/** The characters of long names, of one to four bytes. */
const UNITS = [LETTER, 'é', '漢', '😀'];

const filling = (unit: string, count: number): string =>
  unit === LETTER ? variedLetters(count) : unit.repeat(count);

const ofLength = (unit: string, length: number): string => filling(unit, length - PLAIN_LETTERS);

/** Stands between the end of the first name of a case and the end of the second one. */
const THEN = '\n';

const then = (first: string, second: string | undefined): string =>
  second === undefined ? first : `${first}${THEN}${second}`;

/**
 * Ends of names that have the longest accepted length in characters, as far as characters are counted as code points,
 * with the last one also in UTF-16 units.
 */
function atMost(longest: number | undefined): string[][] {
  if (longest === undefined || longest <= PLAIN_LETTERS) return [];
  const half = PLAIN_LETTERS + Math.floor((longest - PLAIN_LETTERS) / 2);
  return [
    [ofLength(LETTER, longest)],
    [ofLength('é', longest)],
    [then(ofLength('漢', longest), ofLength('😀', half))],
  ];
}

/** Cuts ends so that a list can show the tag: if lists are pages, only one with the name as its filter may. */
async function findableEnd(target: Target): Promise<(ends: string) => string> {
  const isWhole = (await ifDecided(() => learn(target, pagination))) === 'none';
  return isWhole ? (ends) => ends : (ends) => ends.split(THEN).map(queryableEnd).join(THEN);
}

const long = property({
  ...aboutNames({
    id: 'long',
    words: 'more characters than columns, indexes or validation rules often allow',
    cause:
      'A name longer than its column is truncated or causes an error, because nothing validates its length.',
  }),
  when: 'perilous',
  cases: () =>
    new Pieces(
      fc
        .tuple(fc.constantFrom(...UNITS), fc.integer({ min: 17, max: 300 }))
        .map(([unit, length]) => [ofLength(unit, length)]),
    ),
  examples: async (target) => {
    const longest = await longestAccepted(target);
    const findable = await findableEnd(target);
    if (isThorough(target)) {
      const lengths = lengthsFor(undefined, true);
      const all = [
        ...UNITS.flatMap((unit) => lengths.map((length) => ofLength(unit, length))),
        ...atMost(longest).flat(),
      ];
      return [...new Set(all.map(findable))].map((end) => [end]);
    }
    const [first = 0, second = 0, ...lengths] = lengthsFor(longest, false);
    const [letters, accents, widest] = atMost(longest).map(([piece = '']) => piece);
    const all = [
      then(ofLength(LETTER, first), letters),
      accents === undefined ? ofLength(LETTER, second) : then(accents, ofLength(LETTER, second)),
      ...(widest === undefined ? [] : [widest]),
      ...lengths
        // Columns of 255 characters are common, whatever else is accepted.
        .filter((length) => longest === undefined || length > longest || length > 255)
        .map((length) => ofLength(LETTER, length)),
    ];
    return all.map((end) => [findable(end)]);
  },
  runs: { standard: 0, thorough: 20 },
  lanes: 3,
  tagsEach: 1,
  ask: async (target, pieces) => {
    const ends = (await findableEnd(target))(pieces.join('')).split(THEN);
    return askPack(target, pieces, (_, time) => target.names.endingIn(ends[time % ends.length] ?? ''), {
      isLengthAsked: true,
    });
  },
  tell: (pieces) =>
    pieces
      .join('')
      .split(THEN)
      .map((end) => [...end])
      .map(
        (end) =>
          `a name of ${PLAIN_LETTERS + end.length} characters, the last of them ${describeText(end.at(-1) ?? '')}`,
      )
      .join(', then '),
});

/** The most characters of the names that are compared, and the most UTF-16 units in which they differ at their ends. */
const LONGEST_COMPARED = 140;
const LONGEST_END = 2;

const distinct = property({
  id: 'name/distinct',
  section: '2',
  sentences: ['2/tag-name-meaning', '4.4/filter-meaning'],
  level: 'derived',
  derivation:
    'The name of a tag is the one that the client gave it (2): names that differ after folding case, accents, blanks and compatibility forms are two names.',
  text: 'Two accepted names that differ in more than letter case, accents, blanks or compatibility forms make two tags.',
  cause:
    'Names are compared by a collation that treats all emoji, or all characters unknown to it, as equal.',
  cases: () =>
    new Pieces(fc.uniqueArray(fc.constantFrom(...ENDS), { minLength: 2, maxLength: 4 }), {
      least: 2,
      areWhole: true,
    }),
  examples: async (target) => {
    const room = Math.min((await longestAccepted(target)) ?? 0, LONGEST_COMPARED) - PLAIN_LETTERS;
    const shared = variedLetters(room - LONGEST_END);
    return [FIRST_ENDS.map((end) => (/[a-z_]/.test(end) ? end : `${shared}${end}`))];
  },
  runs: { standard: 0, thorough: 30 },
  tagsEach: FIRST_ENDS.length,
  ask: checkDistinct,
  tell: (ends) => `names that differ in their ends alone: ${ends.map(describeText).join(', ')}`,
});

export const names: Suite = {
  topic: 'name',
  requirements: [...TIERS.map(ofTier), numbers, interpreted, wholeForms, bare, edges, long, distinct],
};
