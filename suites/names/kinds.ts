import fc from 'fast-check';
import { generated, type Outcome, property, quote, type Requirement, type Target } from '../../lib/check.ts';
import { aboutNames } from './about.ts';
import { checkPack, refusesKind } from './check-pack.ts';
import { MOST_IN_PACK, Pieces } from './pieces.ts';
import { MOST_BYTES } from './texts.ts';
import { casesOf, examplesOf, NUMBERS, type Tier, TIERS } from './tiers.ts';
import { describeText } from './wording.ts';
import { longestAccepted } from '../open/name-length.ts';
import { inSecondAccount, withAllTokens } from '../other-tokens.ts';

const isThorough = (target: Target): boolean => target.settings.effort === 'thorough';

const tellPieces = (pieces: readonly string[]): string =>
  `a name that goes on with ${describeText(pieces.join(''))}`;

/** The number of requests that all kinds of names take if only short names are accepted. */
const REQUESTS_FOR_SHORT_NAMES = 200;

/** Whether the budget is too small to try parts of refused names; decided once in a run. */
const areKindsCheckedBriefly = (target: Target): Promise<boolean> =>
  target.shared('whether kinds of names are asked briefly', 0, ({ facts }) =>
    Promise.resolve(facts.requestsLeft < REQUESTS_FOR_SHORT_NAMES),
  );

const ofTier = (tier: Tier): Requirement =>
  property({
    ...aboutNames(tier),
    ...(tier.isPerilous === true ? { when: 'perilous' as const } : {}),
    cases: () => new Pieces(casesOf(tier)),
    examples: async (target) => {
      // One long name checks as much as two names of half its length.
      const longest = isThorough(target) ? 0 : ((await longestAccepted(target)) ?? 0);
      const most = longest >= generated.plainLetters + 2 * MOST_IN_PACK ? 2 * MOST_IN_PACK : MOST_IN_PACK;
      const seed = generated.seedOf(`${target.settings.seed}\n${tier.id}`);
      const bytes = most > MOST_IN_PACK ? Math.min(longest - generated.plainLetters, MOST_BYTES) : 0;
      return examplesOf(tier, isThorough(target), seed, most, bytes);
    },
    runs: { standard: tier.runs ?? 0, thorough: 30 },
    lanes: 2,
    tagsEach: 1,
    ask: async (target, pieces, at) => {
      const kind = tier.id === 'naughty-strings' ? 'punctuation' : tier.id;
      // If the target refuses a kind of name, it most likely refuses parts of such names as well.
      const isBrief = (await areKindsCheckedBriefly(target)) || (await refusesKind(target, kind));
      const options = {
        arePlain: tier.id === 'letters',
        oftenRefused: tier.oftenRefused ?? [],
        ...(isBrief ? { mostParts: 1 } : {}),
      };
      const rotated = (some: readonly string[]): readonly string[] => [
        ...some.slice(-1),
        ...some.slice(0, -1),
      ];
      const nameOf = (some: readonly string[], attempt: number): string => {
        const isOfUpdate = attempt % 2 === 1;
        const [first = '', ...others] = some;
        if (isOfUpdate && tier.isInFront === true) return target.names.around(first, others.join(''));
        return target.names.endingIn((isOfUpdate && tier.isRotated === true ? rotated(some) : some).join(''));
      };
      const check = (part: Target): Promise<Outcome> => checkPack(part, pieces, nameOf, options);
      return typeof tier.token === 'number'
        ? withAllTokens(target, 1, tier.token + at, check)
        : inSecondAccount(target, 1, check);
    },
    tell: tellPieces,
  });

/** One requirement for each kind of text in a name. */
export const kinds: readonly Requirement[] = TIERS.map(ofTier);

/** The form of the create and that of the update. */
const numbersOf = (target: Target): readonly string[] =>
  generated.drawn(target, 'name/numbers', fc.constantFrom(['#.00', '0#'], ['0#', '#.00']), 1)[0] ?? [];

/** Names that look like numbers, and so cannot begin with letters as other names of the run do. */
export const numbers = property({
  ...aboutNames({
    id: 'numbers',
    words: 'nothing but a number in it',
    cause: 'A name that looks like a number is converted to one.',
  }),
  cases: () =>
    new Pieces(fc.array(fc.constantFrom(...NUMBERS), { minLength: 2, maxLength: 2 }), {
      // Forms are never shortened: the run could not recognise a part of its number.
      areWhole: true,
    }),
  examples: (target) => (isThorough(target) ? NUMBERS.map((form) => [form]) : [numbersOf(target)]),
  runs: { standard: 0, thorough: 10 },
  tagsEach: 1,
  ask: (target, forms) => {
    let digits = '';
    return checkPack(target, forms, (some, time) => {
      // Both forms have the same number, so that an update changes only the form. If one is refused, each is sent alone: with
      // another number, because the name of a deleted tag may count as taken.
      if (time === 0) digits = target.names.numeric('#');
      const form = some[time % some.length] ?? '#';
      // The same form twice needs a new number.
      return some.indexOf(form) === time
        ? target.names.extended(form.replace('#', digits), '')
        : target.names.numeric(form);
    });
  },
  tell: (forms) => `a name of the form ${forms.map(quote).join(', then ')}, where # is a number`,
});
