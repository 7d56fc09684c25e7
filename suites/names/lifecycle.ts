import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  holds,
  type Outcome,
  quote,
  statusOf,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { formsLike, isSameForm } from './kept-form.ts';
import { listUntil, lookInAll, showsNamed } from '../listed-tags.ts';
import { acceptedOr422, checkNothingCreated } from './refused-name.ts';
import { queryable } from './sizes.ts';
import { checkStoredName } from './stored-name.ts';
import { describeName } from './wording.ts';

export interface LifecycleResult {
  readonly outcome: Outcome;
  /** Whether the create with the name was refused. */
  readonly isRefused: boolean;
}

interface Shared {
  readonly isShared: boolean;
}

/**
 * Creates a tag with one name and looks it up, updates it to a second name and looks it up, then deletes it. If the
 * create is refused, checks that it made no tag, and updates a tag with a plain name to the second name.
 *
 * @param nextName makes a name; called at most twice.
 * @param stopsIfRefused whether the check ends if the create with this name is refused.
 * @param options.isShared whether this is shared work: such work cannot wait for other shared work that makes tags.
 */
export async function checkLifecycle(
  target: Target,
  nextName: () => string,
  stopsIfRefused: (name: string) => boolean | Promise<boolean>,
  { isShared }: Shared = { isShared: false },
): Promise<LifecycleResult> {
  const name = nextName();
  const create = await target.create({ name });
  const answer = acceptedOr422(create, name, 'create');
  if (answer.kind === 'broken') return { isRefused: true, outcome: answer };
  if (!accepted(create)) {
    if (await stopsIfRefused(name)) return { isRefused: true, outcome: answer };
    const nothingCreated = await checkNothingCreated(target, create, name);
    if (nothingCreated.kind === 'broken') return { isRefused: true, outcome: nothingCreated };
    // A create without a clear answer takes up the room for a tag until the run has looked for its tag.
    if (statusOf(create) !== 422) await target.removeTags();
    const tag = await target.makeTag();
    const rest = await renameAndDelete(target, tag.tagId, tag.name, nextName(), { isShared });
    return { isRefused: true, outcome: allOf(rest, answer) };
  }
  const created = createdIn(create);
  if (created === undefined)
    return {
      isRefused: false,
      outcome: undecided('failure', `the create ${whatCame(create)} without a tag`, create),
    };
  const { tagId } = created;
  const { outcome, kept } = await checkStoredName(target, create, { tagId, name, answered: created.name });
  if (outcome.kind !== 'holds' || kept === undefined) return { isRefused: false, outcome };
  const rest = await renameAndDelete(target, tagId, kept, nextName(), { isShared, sentBefore: name });
  return { isRefused: false, outcome: allOf(rest, outcome) };
}

/**
 * Updates a tag to another name, and deletes it.
 *
 * @param before the name under which the tag is listed.
 * @param options.sentBefore the name that the create sent, if both names must be kept in the same form.
 */
async function renameAndDelete(
  target: Target,
  tagId: string,
  before: string,
  name: string,
  { isShared, sentBefore }: Shared & { readonly sentBefore?: string },
): Promise<Outcome> {
  const rename = await target.rename(tagId, { name });
  const answer = acceptedOr422(rename, name, 'update');
  if (answer.kind === 'broken') return answer;
  let current = before;
  let renamed: Outcome = holds();
  if (accepted(rename)) {
    const { outcome, kept } = await checkStoredName(target, rename, {
      tagId,
      name,
      formerly: before,
      forms: sentBefore === undefined ? [] : formsLike(sentBefore, before, name),
    });
    if (outcome.kind !== 'holds' || kept === undefined) return outcome;
    if (sentBefore !== undefined && !isSameForm({ sent: sentBefore, kept: before }, { sent: name, kept }))
      return broken(
        `the create kept ${describeName(sentBefore)} as ${quote(before)}, but the update kept ${describeName(name)} as ${quote(kept)}: not in the same form`,
        rename,
      );
    renamed = outcome;
    current = kept;
  } else {
    // A session of a database may keep a refused change and store it with the next one.
    if (!isShared)
      await target.shared('create after a refused update', 1, (shared) =>
        shared.create({ name: shared.name() }),
      );
    const { seen, good } = await target.until(
      () => lookInAll(target, tagId, ...queryable(before)),
      ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === before),
      { late: 'ignored' },
    );
    const entry = seen.entries.find((one) => one.tagId === tagId);
    if (!good && entry !== undefined)
      return broken(
        `the update to ${describeName(name)} ${whatCame(rename)}, yet the tag is now named ${quote(entry.name)}`,
        rename,
        ...seen.exchanges,
      );
  }
  const remove = await target.delete(tagId);
  if (!accepted(remove))
    return broken(`the delete of a tag with ${describeName(current)} ${whatCame(remove)}, not 200`, remove);
  // The run records a sign if a later list still shows the tag, so no list is needed here.
  const isGone =
    target.settings.effort === 'thorough' ? await checkGone(target, remove, tagId, current) : holds();
  return allOf(isGone, renamed, answer);
}

/** Checks that a tag whose delete was accepted is no longer listed. */
async function checkGone(target: Target, remove: Exchange, tagId: string, name: string): Promise<Outcome> {
  const [filter] = queryable(name);
  const isGone = (one: Exchange): boolean => !showsNamed(one, { tagId, name });
  const { list, good } = await listUntil(target, isGone, filter === undefined ? {} : { filter });
  return good
    ? holds()
    : broken(
        `the delete of a tag with ${describeName(name)} ${whatCame(remove)}, but the tag is still listed`,
        remove,
        list,
      );
}
