import fc from 'fast-check';
import { generated, ifDecided, learn, property, type Target } from '../../lib/check.ts';
import { aboutNames } from './about.ts';
import { checkPack } from './check-pack.ts';
import { Pieces } from './pieces.ts';
import { queryableEnd, variedLetters } from './sizes.ts';
import { lengthsFor } from './lengths.ts';
import { describeText } from './wording.ts';
import { pagination } from '../open/lists.ts';
import { longestAccepted } from '../open/name-length.ts';

/** Stands for lower-case ASCII letters, which are varied. */
const LETTER = 'x';

/** The characters of long names, of one to four bytes. */
const UNITS = [LETTER, 'é', '漢', '😀'];

const filling = (unit: string, count: number): string =>
  unit === LETTER ? variedLetters(count) : unit.repeat(count);

const ofLength = (unit: string, length: number): string => filling(unit, length - generated.plainLetters);

/** Separates the ends of the two names of a case. */
const THEN = '\n';

const then = (first: string, second: string | undefined): string =>
  second === undefined ? first : `${first}${THEN}${second}`;

/**
 * Ends that give names of the greatest accepted length, counted in code points. The second name of the last case has
 * that length counted in UTF-16 units.
 */
function atMost(longest: number | undefined): string[][] {
  if (longest === undefined || longest <= generated.plainLetters) return [];
  const half = generated.plainLetters + Math.floor((longest - generated.plainLetters) / 2);
  return [
    [ofLength(LETTER, longest)],
    [ofLength('é', longest)],
    [then(ofLength('漢', longest), ofLength('😀', half))],
  ];
}

/** Cuts ends so that a list can show the tag: if lists are paged, the name must fit into a query. */
async function findableEnd(target: Target): Promise<(ends: string) => string> {
  const isWhole = (await ifDecided(() => learn(target, pagination))) === 'none';
  return isWhole ? (ends) => ends : (ends) => ends.split(THEN).map(queryableEnd).join(THEN);
}

export const long = property({
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
    if (target.settings.effort === 'thorough') {
      const lengths = lengthsFor(undefined, true);
      const all = [
        ...UNITS.flatMap((unit) => lengths.map((length) => ofLength(unit, length))),
        ...atMost(longest).flat(),
      ];
      return [...new Set(all.map(findable))].map((end) => [end]);
    }
    const [least = 0, next = 0, ...lengths] = lengthsFor(longest, false);
    // The update to the greatest length should be from a name that is accepted and long as well.
    const [first, second] = next > (longest ?? Infinity) ? [least, next] : [next, least];
    const [letters, accents, widest] = atMost(longest).map(([piece = '']) => piece);
    const others = lengths
      // A common column length, whatever the target accepts.
      .filter((length) => longest === undefined || length > longest || length > 255)
      .map((length) => ofLength(LETTER, length));
    const areTooLong = longest !== undefined && lengths.every((length) => length > longest || length <= 255);
    const all = [
      then(ofLength(LETTER, first), letters),
      accents === undefined ? ofLength(LETTER, second) : then(accents, ofLength(LETTER, second)),
      ...(widest === undefined ? [] : [widest]),
      // If the create is refused, a tag with a plain name is updated to the second name.
      ...(areTooLong && others.length === 2 ? [others.join(THEN)] : others),
    ];
    return all.map((end) => [findable(end)]);
  },
  runs: { standard: 0, thorough: 20 },
  lanes: 3,
  tagsEach: 1,
  ask: async (target, pieces) => {
    const ends = (await findableEnd(target))(pieces.join('')).split(THEN);
    let start = '';
    const nameOf = (_: readonly string[], time: number): string => {
      const end = ends[time % ends.length] ?? '';
      // Two names of one case start alike: an update may compare only the starts of names.
      if (time % ends.length === 0 || end === ends[0]) start = target.name();
      return target.names.extended(start, end);
    };
    return checkPack(target, pieces, nameOf, { isAboutLength: true });
  },
  tell: (pieces) =>
    pieces
      .join('')
      .split(THEN)
      .map((end) => [...end])
      .map(
        (end) =>
          `a name of ${generated.plainLetters + end.length} characters, the last of them ${describeText(end.at(-1) ?? '')}`,
      )
      .join(', then '),
});
