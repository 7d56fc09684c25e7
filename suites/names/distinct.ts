import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  type Outcome,
  quote,
  type Target,
  undecided,
} from '../../lib/check.ts';
import { found } from './finding.ts';

/** Ends that no folding of case, accents, blanks or compatibility forms makes the same. */
export const ENDS: readonly string[] =
  "%41 漢 字 😀 😁 + - 1 01 . .. & &amp; x xy \\ \\\\ ש ל я ж % _ / ' ''".split(' ');

/** Asked for sure: letters, and characters that a narrow collation takes for one another. */
export const SURE: readonly string[] = ['x', 'y', '漢', '😀', '😁'];

/** Makes tags of names that differ in their ends alone: each is a tag of its own, and found by its own name. */
export async function areDistinct(target: Target, ends: readonly string[]): Promise<Outcome> {
  const outcome = await makeAll(target, ends);
  if (outcome.kind !== 'broken' || (await plainPair(target)).kind === 'holds') return outcome;
  return undecided('failure', 'tags with plain names fare no better', ...outcome.exchanges);
}

/** The twin: names that have hardly a letter in common behind their start. */
const plainPair = (target: Target): Promise<Outcome> =>
  target.shared('a pair of plain names', 2, (shared) =>
    makeAll(shared, [shared.name().slice(-8), shared.name().slice(-8)]),
  );

async function makeAll(target: Target, ends: readonly string[]): Promise<Outcome> {
  const start = target.name();
  const made: { name: string; tagId: string; create: Exchange; answered: unknown }[] = [];
  // One after another, so that each finds those before it.
  for (const end of ends) {
    const name = target.names.extended(start, end);
    const create = await target.create({ name });
    const created = createdIn(create);
    if (created !== undefined) made.push({ name, tagId: created.tagId, create, answered: created.name });
    // Whether a name is refused that another one is like, is open; what else an answer may be, others ask.
    else if (accepted(create)) return undecided('failure', 'a create answered without a tag', create);
  }
  if (made.length < 2) return undecided('choice', 'no two of the names are accepted');
  for (const [at, one] of made.entries()) {
    const other = made.slice(0, at).find(({ tagId }) => tagId === one.tagId);
    if (other !== undefined)
      return broken(
        `the names ${quote(other.name)} and ${quote(one.name)} made one tag, with one tag_id, not two`,
        other.create,
        one.create,
      );
  }
  const looks = await Promise.all(made.map((one) => found(target, one.create, one)));
  return allOf(...looks.map(({ outcome }) => outcome));
}
