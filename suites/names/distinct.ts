import fc from 'fast-check';
import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  generated,
  ifDecided,
  learn,
  type Outcome,
  property,
  quote,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { Pieces } from './pieces.ts';
import { variedLetters } from './sizes.ts';
import { checkStoredName } from './stored-name.ts';
import { describeText } from './wording.ts';
import { mayBePage } from '../listed-tags.ts';
import { pagination } from '../open/lists.ts';
import { longestAccepted } from '../open/name-length.ts';
import { withAllTokens } from '../other-tokens.ts';

/** Ends of names that are still different after folding case, accents, blanks and compatibility forms. */
export const ENDS: readonly string[] =
  "%41 漢 字 😀 😁 + - 1 01 . .. & &amp; x xy \\ \\\\ ש ל я ж % _ / ' ''".split(' ');

/**
 * The ends of the first case in every run: letters, also with a digit before or after them; characters that some collations
 * treat as equal; and a name that goes on with a wildcard of LIKE. One name is the beginning of one before it and of one after
 * it.
 */
const FIRST_ENDS: readonly string[] = ['x', 'y1', 'y', '1y', 'y_', '😀', '😁'];

/**
 * Makes tags whose names differ only in their ends, and checks that each is a separate tag that the filter by its name
 * finds.
 */
async function checkDistinct(target: Target, ends: readonly string[]): Promise<Outcome> {
  // If lists are paged and the filter knows wildcards, the other tags may fill the page.
  const isWhole = (await ifDecided(() => learn(target, pagination))) === 'none';
  const told = ends.filter((end) => isWhole || !/[%_]/.test(end));
  const outcome = await makeAll(target, told);
  // A filter may also find similar names.
  if (outcome.kind === 'broken' && !isWhole && outcome.exchanges.some((one) => mayBePage(target, one)))
    return undecided('choice', 'lists are paged, so that tags with similar names may fill the page');
  if (outcome.kind !== 'broken' || (await plainPair(target)).kind === 'holds') return outcome;
  await target.removeTags();
  // Two names of the same length with different starts show whether the common start is the cause.
  const [one, other] = [target.name(), target.name()].map((start) => `${start}${target.name().slice(-8)}`);
  const unlike = await makeAll(target, [one ?? '', other ?? ''], '');
  if (unlike.kind === 'holds') return outcome;
  return undecided('failure', 'tags with plain names do not work, either', ...outcome.exchanges);
}

/** The pair to compare with: two plain names with a common start and different letters after it. */
const plainPair = (target: Target): Promise<Outcome> =>
  target.shared('a pair of plain names', 2, (shared) =>
    makeAll(shared, [shared.name().slice(-8), shared.name().slice(-8)]),
  );

async function makeAll(target: Target, ends: readonly string[], start = target.name()): Promise<Outcome> {
  const made: { name: string; tagId: string; create: Exchange; answered: unknown }[] = [];
  // One after another, so that the tags of earlier creates exist.
  for (const end of ends) {
    const name = target.names.extended(start, end);
    const create = await target.create({ name });
    const created = createdIn(create);
    if (created !== undefined) made.push({ name, tagId: created.tagId, create, answered: created.name });
    // A refusal is lawful, because the target may treat the name as taken. Other requirements check its status.
    else if (accepted(create))
      return undecided('failure', `the create ${whatCame(create)} without a tag`, create);
  }
  if (made.length < 2) return undecided('choice', 'no two of the names are accepted');
  for (const [at, one] of made.entries()) {
    const other = made.slice(0, at).find(({ tagId }) => tagId === one.tagId);
    if (other !== undefined)
      return broken(
        `the creates with the names ${quote(other.name)} and ${quote(one.name)} made one tag, with one tag_id, not two`,
        other.create,
        one.create,
      );
  }
  const stored = await Promise.all(made.map((one) => checkStoredName(target, one.create, one)));
  return allOf(...stored.map(({ outcome }) => outcome));
}

/** The most UTF-8 bytes of an end, so that no name has more bytes than the longest accepted one. */
const LONGEST_END = 4;

export const distinct = property({
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
    // Some indexes hold only the first 191 or 255 characters of a name.
    const room = ((await longestAccepted(target)) ?? 0) - generated.plainLetters;
    const shared = variedLetters(room - LONGEST_END);
    return [FIRST_ENDS.map((end) => (/[a-z_]/.test(end) ? end : `${shared}${end}`))];
  },
  runs: { standard: 0, thorough: 30 },
  tagsEach: FIRST_ENDS.length,
  ask: (target, ends) => withAllTokens(target, FIRST_ENDS.length, 5, (part) => checkDistinct(part, ends)),
  tell: (ends) => `names that differ in their ends alone: ${ends.map(describeText).join(', ')}`,
});
