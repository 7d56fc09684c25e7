import fc from 'fast-check';
import {
  generated,
  learn,
  listedIn,
  type Outcome,
  property,
  quote,
  statusOf,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { pagination } from '../open/lists.ts';
import { aboutNames } from './about.ts';
import { checkRounds, roundsOf, stepsWithin } from './check-rounds.ts';
import { checkPack } from './check-pack.ts';
import { Pieces } from './pieces.ts';

/** Names that programs are likely to read as something other than a name, or to drop as too short. The likeliest come first. */
export const LIKELY_NAMES: readonly string[] = [
  '0',
  'null',
  'undefined',
  'constructor',
  '---',
  'of',
  'true',
  '__proto__',
  'a',
];

/**
 * Those that are also sent as a filter: words for no value or another type, a word and punctuation that searches skip, and
 * a member that every object of some languages has.
 */
const SOUGHT: ReadonlySet<string> = new Set(['0', 'of', 'null', 'true', '---', 'constructor']);

/**
 * The number of requests that a name takes, and the number kept for later checks (edges, long names, the last questions).
 */
const REQUESTS = { each: 4, kept: 54 };

/** The number of names that are sent together. */
const MOST_TOGETHER = 5;

/** The number of further names that the seed adds. */
const DRAWN = 1;

/** A tag is made with one name and updated to another. */
const PAIR = 2;

/** Further names of that kind. */
const OTHER: readonly string[] = [
  'false none no nil NaN Infinity 1 -1 00 1e3 0x1f é 漢 😀 the and in an or not all new id name tag yes on off No 1.0 1.50 +5 2024-05-17 2024-05-17T10:20:30Z 12345678901234567890 $HOME :)'.split(
    ' ',
  ),
  'select admin default toString prototype length __class__ self index con nul'.split(' '),
  String.raw`. .. - -- ! ? # & + = / // \ ' " ; : , () [] {} $ @ ^ ~ | < > <> "" '' \n \0 &amp; $1 {0} {{}}`.split(
    ' ',
  ),
].flat();

/** A name without the differences that a target may ignore when it looks whether a name is taken. */
const folded = (name: unknown): string =>
  String(name)
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}\p{Z}]/gu, '')
    .toLowerCase();

/**
 * Rows that, together with the first tag, send each name in one create and one update: that tag was made with the first name
 * and updated to the second one. Tags are updated to names that no other tag has at the same time, if there are enough for
 * several rounds.
 */
function rowsOf([first = '', ...others]: readonly string[]): string[][] {
  const ofUpdates = [...others.slice(1), first];
  return others.map((name, at) => [name, ofUpdates[(at + MOST_TOGETHER - 1) % others.length] ?? first]);
}

/** Checks names without a random part. It looks for them in the list first, because a stranger's tag may have one. */
async function checkBare(target: Target, names: readonly string[]): Promise<Outcome> {
  if ((await learn(target, pagination)) !== 'none')
    return undecided('choice', 'lists are paged, so that a tag of a stranger with this name might not show');
  const list = await target.list();
  const listed = listedIn(list);
  if (listed === undefined)
    return undecided('failure', `the list ${whatCame(list)} and cannot be read`, list);
  const taken = new Set(listed.map(({ name }) => folded(name)));
  const allFree = names.filter((name) => !taken.has(folded(name)));
  // The budget limits how many names are sent, but the case stays the same, so that its path stays valid.
  const steps = await stepsWithin(target, 'name/bare', REQUESTS);
  const free = allFree.slice(0, Math.max(PAIR, steps));
  if (free.length === 0)
    return undecided('tester', `strangers have tags with the names ${quote(names)}`, list);
  const checkPair = (some: readonly string[]): Promise<Outcome> =>
    checkPack(target, some, (parts, time) => parts[time] ?? target.name());
  // The run can remove such tags only if the target keeps their names unchanged. So a first tag is tried alone.
  const first = await checkPair(free.slice(0, PAIR));
  const outcome =
    first.kind === 'holds' && free.length > PAIR
      ? await checkRounds(target, roundsOf(rowsOf(free), MOST_TOGETHER), {
          nameOf: (name) => name,
          sought: new Set(free.slice(PAIR).filter((name) => SOUGHT.has(name))),
          mayBeTaken: true,
          before: list,
          checkAgain: checkPair,
        })
      : first;
  const isConflict = outcome.kind === 'broken' && outcome.exchanges.some((one) => statusOf(one) === 409);
  // Earlier runs may have used this name, and it is open whether the name of a deleted tag can be used again.
  return isConflict ? undecided('choice', 'the name may count as taken', ...outcome.exchanges) : outcome;
}

const drawnNames = (target: Target): string[] =>
  generated.drawn(
    target,
    'name/bare',
    fc.uniqueArray(fc.constantFrom(...OTHER), { minLength: DRAWN, maxLength: DRAWN }),
  )[0] ?? [];

export const bare = property({
  ...aboutNames({
    id: 'bare',
    words: 'nothing but one character, one word of a program or of a language, or punctuation',
    cause:
      'The name is tested for truthiness, read as a keyword, or dropped from a search as too short or too common.',
  }),
  // The check runs alone, because it fills the account to learn whether lists show all tags.
  when: 'perilous',
  cases: () =>
    new Pieces(fc.uniqueArray(fc.constantFrom(...LIKELY_NAMES, ...OTHER), { minLength: 2, maxLength: 2 }), {
      areWhole: true,
    }),
  examples: (target) => {
    const { effort } = target.settings;
    // Each name is that of a create in one case, and that of an update in another.
    const all = [...LIKELY_NAMES, ...OTHER];
    return effort === 'thorough'
      ? all.map((name, at) => [name, all[at + 1] ?? all[0] ?? name])
      : [[...LIKELY_NAMES, ...drawnNames(target)]];
  },
  runs: { standard: 0, thorough: 10 },
  tagsEach: MOST_TOGETHER,
  ask: checkBare,
  tell: (names) => `the name ${names.map(quote).join(', then ')}`,
});
