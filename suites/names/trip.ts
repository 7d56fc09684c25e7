import {
  accepted,
  allOf,
  broken,
  createdIn,
  holds,
  listedIn,
  type Outcome,
  quote,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { found } from './finding.ts';
import { isSameForm } from './keeping.ts';
import { acceptedOr422, leftBehind } from './refusing.ts';
import { queryable } from './sizes.ts';
import { told } from './wording.ts';

/** What became of a name. */
export interface Trip {
  readonly outcome: Outcome;
  readonly isRefused: boolean;
}

/**
 * Sends names through a life: one is made, listed and found, its tag is given another one, that is listed and found, and
 * the tag is deleted and gone. Where the first is refused, nothing of it is left, and a tag of a plain name is given the
 * other one.
 *
 * @param give makes a name; called twice.
 * @param isBrief whether all is left out that follows a refusal of such a name.
 */
export async function trip(
  target: Target,
  give: () => string,
  isBrief: (name: string) => boolean | Promise<boolean>,
): Promise<Trip> {
  const name = give();
  const create = await target.create({ name });
  const answer = acceptedOr422(create, name, 'create');
  if (answer.kind === 'broken') return { isRefused: true, outcome: answer };
  if (!accepted(create)) {
    if (await isBrief(name)) return { isRefused: true, outcome: answer };
    const left = await leftBehind(target, create, name);
    if (left.kind === 'broken') return { isRefused: true, outcome: left };
    const tag = await target.makeTag();
    return { isRefused: true, outcome: allOf(await goOn(target, tag.tagId, tag.name, give()), answer) };
  }
  const created = createdIn(create);
  if (created === undefined)
    return {
      isRefused: false,
      outcome: undecided('failure', `the create ${whatCame(create)} without a tag`, create),
    };
  const { tagId } = created;
  const { outcome, kept } = await found(target, create, { tagId, name, answered: created.name });
  if (outcome.kind !== 'holds' || kept === undefined) return { isRefused: false, outcome };
  const rest = await goOn(target, tagId, kept, give(), name);
  return { isRefused: false, outcome: allOf(rest, outcome) };
}

/** The second half of a trip: another name, and the end of the tag. */
async function goOn(
  target: Target,
  tagId: string,
  before: string,
  name: string,
  sent?: string,
): Promise<Outcome> {
  const rename = await target.rename(tagId, { name });
  const answer = acceptedOr422(rename, name, 'update');
  if (answer.kind === 'broken') return answer;
  let now = before;
  let second: Outcome = holds();
  if (accepted(rename)) {
    const { outcome, kept } = await found(target, rename, { tagId, name, formerly: before });
    if (outcome.kind !== 'holds' || kept === undefined) return outcome;
    if (sent !== undefined && !isSameForm({ sent, kept: before }, { sent: name, kept }))
      return broken(
        `${told(sent)} was kept as ${quote(before)}, but ${told(name)} as ${quote(kept)}: not in one form`,
        rename,
      );
    second = outcome;
    now = kept;
  } else {
    const { seen, good } = await target.until(
      () => target.lookUp(tagId, ...queryable(before)),
      ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === before),
      { late: 'ignored' },
    );
    const other = seen.entries.find((entry) => entry.tagId === tagId);
    if (!good && other !== undefined)
      return broken(
        `the update to ${told(name)} ${whatCame(rename)}, yet the tag is named ${quote(other.name)} now`,
        rename,
        ...seen.exchanges,
      );
  }
  const remove = await target.delete(tagId);
  if (!accepted(remove))
    return broken(`the delete of a tag with ${told(now)} ${whatCame(remove)}, not 200`, remove);
  const { seen, good } = await target.until(
    async () => {
      const list = await target.list(...queryable(now));
      return { entries: listedIn(list) ?? [], exchanges: [list] };
    },
    ({ entries }) => !entries.some((entry) => entry.tagId === tagId && entry.name === now),
  );
  const gone = good
    ? holds()
    : broken(
        `the delete of a tag with ${told(now)} ${whatCame(remove)}, but it is still listed`,
        remove,
        ...seen.exchanges,
      );
  return allOf(gone, second, answer);
}
