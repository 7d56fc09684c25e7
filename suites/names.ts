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
import { askPack } from './names/asking.ts';
import { areDistinct, ENDS, SURE } from './names/distinct.ts';
import { casesOf, examplesOf, lengthsFor, NUMBERS, TIERS, type Tier } from './names/tiers.ts';
import { Pieces } from './names/pieces.ts';
import { longest } from './names/refusing.ts';
import { tellText } from './names/wording.ts';

const DERIVATION =
  'A name is a string, whose characters and length are not limited (2), and 422 is the answer to an invalid one (7): what is accepted is the name of the tag, in whichever form it is kept.';

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

/** What every tier is asked. */
const sentence = ({ id, words, cause }: Pick<Tier, 'id' | 'words' | 'cause'>) => ({
  id: `name/${id}`,
  section: '2',
  // Punctuation is what a query could be broken by.
  sentences: id === 'punctuation' ? ([...ASKED, '4.4/filter-type'] as const) : ASKED,
  level: 'derived' as const,
  derivation: DERIVATION,
  text: `A name with ${words} is accepted or refused with 422, and where it is accepted kept, found, replaced and deleted like any other.`,
  cause,
});

const isThorough = (target: Target): boolean => target.settings.effort === 'thorough';
const tellPieces = (pieces: readonly string[]): string =>
  `a name that goes on with ${tellText(pieces.join(''))}`;

const ofTier = (tier: Tier): Requirement =>
  property({
    ...sentence(tier),
    cases: () => new Pieces(casesOf(tier)),
    examples: (target) => examplesOf(tier, isThorough(target), seedOf(`${target.settings.seed}\n${tier.id}`)),
    runs: { standard: tier.runs ?? 0, thorough: 30 },
    lanes: 2,
    tagsEach: 1,
    ask: (target, pieces) => askPack(target, pieces, (some) => target.names.endingIn(some.join(''))),
    tell: tellPieces,
  });

/** Names that could be taken for numbers, which cannot begin as other names of the run do. */
const numbers = property({
  ...sentence({
    id: 'numbers',
    words: 'nothing but a number in it',
    cause: 'A name that looks like a number is made one on its way.',
  }),
  cases: () =>
    new Pieces(fc.array(fc.constantFrom(...NUMBERS), { minLength: 2, maxLength: 2 }), {
      // A part of a form is no number of the run.
      areWhole: true,
    }),
  examples: (target) => (isThorough(target) ? NUMBERS.map((form) => [form]) : [['0#', '#.0']]),
  runs: { standard: 0, thorough: 10 },
  tagsEach: 1,
  ask: (target, forms) =>
    askPack(target, forms, (some, time) => target.names.numeric(some[time % some.length] ?? '#')),
  tell: (forms) => `a name of the form ${forms.map(quote).join(', then ')}, where # is a number`,
});

const long = property({
  ...sentence({
    id: 'long',
    words: 'more characters than columns, indexes or rules of validation often let through',
    cause:
      'What is longer than its column is cut or fails there, because no rule of validation comes before.',
  }),
  cases: () =>
    new Pieces(
      fc
        .tuple(fc.constantFrom('x', 'é', '漢', '😀'), fc.integer({ min: 17, max: 300 }))
        .map(([unit, length]) => [unit.repeat(length - PLAIN_LETTERS)]),
    ),
  examples: async (target) => {
    const most = isThorough(target) ? undefined : await longest(target);
    const units = isThorough(target) ? ['x', 'é', '漢', '😀'] : ['x'];
    const lengths = lengthsFor(most, isThorough(target));
    return units.flatMap((unit) => lengths.map((length) => [unit.repeat(length - PLAIN_LETTERS)]));
  },
  runs: { standard: 0, thorough: 20 },
  lanes: 3,
  tagsEach: 1,
  ask: (target, pieces) => askPack(target, pieces, (some) => target.names.endingIn(some.join('')), true),
  tell: (pieces) =>
    `a name of ${PLAIN_LETTERS + [...pieces.join('')].length} characters, the last of them ${tellText([...pieces.join('')].at(-1) ?? '')}`,
});

const distinct = property({
  id: 'name/distinct',
  section: '2',
  sentences: ['2/tag-name-meaning', '4.4/filter-meaning'],
  level: 'derived',
  derivation:
    'The name of a tag is the one that it was given (2): names that no folding of case, accents, blanks or compatibility forms makes the same are two.',
  text: 'Two names that are accepted and differ in more than letter case, accents, blanks or compatibility forms make two tags.',
  cause:
    'Names are compared in a collation for which all emoji, or all characters that it does not know, are the same.',
  cases: () =>
    new Pieces(fc.uniqueArray(fc.constantFrom(...ENDS), { minLength: 2, maxLength: 4 }), {
      least: 2,
      areWhole: true,
    }),
  examples: () => [SURE],
  runs: { standard: 0, thorough: 30 },
  tagsEach: SURE.length,
  ask: areDistinct,
  tell: (ends) => `names that differ in their ends alone: ${ends.map(tellText).join(', ')}`,
});

export const names: Suite = {
  topic: 'name',
  requirements: [...TIERS.map(ofTier), numbers, long, distinct],
};
