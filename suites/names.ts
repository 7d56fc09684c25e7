import fc from 'fast-check';
import {
  PLAIN_LETTERS,
  property,
  quote,
  type Requirement,
  seedOf,
  type Suite,
  type Target,
} from '../lib/check.ts';
import { askPack } from './names/ask-pack.ts';
import { checkDistinct, ENDS, FIRST_ENDS } from './names/distinct.ts';
import { variedLetters } from './names/letters.ts';
import { casesOf, examplesOf, lengthsFor, NUMBERS, TIERS, type Tier } from './names/tiers.ts';
import { Pieces } from './names/pieces.ts';
import { describeText } from './names/wording.ts';
import { longestAccepted } from './open/name-length.ts';

const DERIVATION =
  'A name is a string without stated limits of characters and length (2), and an invalid one is answered 422 (7): an accepted name is the name of the tag, in whatever form it is kept.';

/** The sentences that a name of any kind asks. */
const ASKED = [
  '2/tag-name-type',
  '2/tag-name-meaning',
  '4.2/name-type',
  '4.2/status-200-name',
  '4.2/status-422',
  '4.3/body',
  '4.3/name-type',
  '4.3/status-422',
  '4.4/filter-meaning',
  '4.5/path-tag-id',
  '7/create-422',
] as const;

/** What the requirements about kinds of names have in common. */
const aboutNames = ({ id, words, cause }: Pick<Tier, 'id' | 'words' | 'cause'>) => ({
  id: `name/${id}`,
  section: '2',
  // Punctuation can break the query of a filter.
  sentences: id === 'punctuation' ? ([...ASKED, '4.4/filter-type'] as const) : ASKED,
  level: 'derived' as const,
  derivation: DERIVATION,
  text: `A name with ${words} is refused with 422, or accepted and then kept, found, updated and deleted like any other.`,
  cause,
});

const isThorough = (target: Target): boolean => target.settings.effort === 'thorough';
const tellPieces = (pieces: readonly string[]): string =>
  `a name that goes on with ${describeText(pieces.join(''))}`;

const ofTier = (tier: Tier): Requirement =>
  property({
    ...aboutNames(tier),
    ...(tier.isPerilous === true ? { when: 'perilous' as const } : {}),
    cases: () => new Pieces(casesOf(tier)),
    examples: (target) => examplesOf(tier, isThorough(target), seedOf(`${target.settings.seed}\n${tier.id}`)),
    runs: { standard: tier.runs ?? 0, thorough: 30 },
    lanes: 2,
    tagsEach: 1,
    ask: (target, pieces) => askPack(target, pieces, (some) => target.names.endingIn(some.join(''))),
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
  ask: (target, forms) =>
    askPack(target, forms, (some, time) => target.names.numeric(some[time % some.length] ?? '#')),
  tell: (forms) => `a name of the form ${forms.map(quote).join(', then ')}, where # is a number`,
});

/** Stands for small letters of ASCII, which are varied. */
const LETTER = 'x';

/** The characters of long names, of one to four bytes. */
const UNITS = [LETTER, 'é', '漢', '😀'];

const filling = (unit: string, count: number): string =>
  unit === LETTER ? variedLetters(count) : unit.repeat(count);

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
        .map(([unit, length]) => [filling(unit, length - PLAIN_LETTERS)]),
    ),
  examples: async (target) => {
    const most = isThorough(target) ? undefined : await longestAccepted(target);
    const units = isThorough(target) ? UNITS : [LETTER];
    const lengths = lengthsFor(most, isThorough(target));
    return units.flatMap((unit) => lengths.map((length) => [filling(unit, length - PLAIN_LETTERS)]));
  },
  runs: { standard: 0, thorough: 20 },
  lanes: 3,
  tagsEach: 1,
  ask: (target, pieces) => askPack(target, pieces, (some) => target.names.endingIn(some.join('')), true),
  tell: (pieces) =>
    `a name of ${PLAIN_LETTERS + [...pieces.join('')].length} characters, the last of them ${describeText([...pieces.join('')].at(-1) ?? '')}`,
});

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
  examples: () => [FIRST_ENDS],
  runs: { standard: 0, thorough: 30 },
  tagsEach: FIRST_ENDS.length,
  ask: checkDistinct,
  tell: (ends) => `names that differ in their ends alone: ${ends.map(describeText).join(', ')}`,
});

export const names: Suite = {
  topic: 'name',
  requirements: [...TIERS.map(ofTier), numbers, long, distinct],
};
