import {
  accepted,
  broken,
  type Exchange,
  holds,
  type Outcome,
  statusOf,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, showsNamed } from '../listed-tags.ts';
import { othersStay } from '../neighbours.ts';
import { MOST_REPEATS } from '../taken-names.ts';
import { areSparse } from '../unknown-ids.ts';

/**
 * Makes a tag of this name and waits until it is listed. A create that is answered with a 5xx, which may be temporary, is sent
 * again.
 *
 * @param repeats how many times more.
 * @returns the create if it was refused.
 * @throws Undecided if it was accepted, but no list shows the tag.
 */
export async function tryTag(target: Target, name: string, repeats = MOST_REPEATS): Promise<Tag | Exchange> {
  try {
    return await target.makeTag(name);
  } catch (error) {
    const [create] =
      error instanceof Undecided && 'exchanges' in error.outcome ? error.outcome.exchanges : [];
    if (create?.answer === undefined || create.ask.operation !== 'create' || accepted(create)) throw error;
    return statusOf(create) >= 500 && repeats > 0 ? tryTag(target, name, repeats - 1) : create;
  }
}

export const isTag = (one: Tag | Exchange): one is Tag => 'tagId' in one;

/**
 * Updates and deletes two tags with the same name, one in each account, and checks that each request leaves the other
 * tag unchanged.
 */
export async function writeNamesakes(first: Target, ours: Tag, theirs: Tag): Promise<Outcome> {
  const { second } = first;
  const stays = (write: Exchange, what: string, whose: Target, tag: Tag): Promise<Outcome> =>
    othersStay(whose, write, [tag], what, 'a tag of another account with the same name');
  const name = first.name();
  const update = await first.rename(ours.tagId, { name });
  const isRenamed = accepted(update) && (await first.untilListed(ours.tagId, name)).good;
  if (!isRenamed) {
    const { entries, exchanges } = await first.lookUp(ours.tagId, ours.name, name);
    return entries.some(({ tagId }) => tagId === ours.tagId)
      ? undecided('failure', `the update ${whatCame(update)} without effect`, update)
      : broken(
          'after a create with its name in the second account, a tag of the first is no longer listed',
          update,
          ...exchanges,
        );
  }
  const afterUpdate = await stays(update, 'update', second, theirs);
  if (afterUpdate.kind !== 'holds') return afterUpdate;
  const back = await second.rename(theirs.tagId, { name });
  const found = await listUntil(second, (list) => showsNamed(list, { tagId: theirs.tagId, name }), {
    filter: name,
  });
  // A query may leave out the account where it looks for tags that were updated.
  if (ours.tagId !== theirs.tagId && showsNamed(found.list, { tagId: ours.tagId, name }))
    return broken(
      'after an update, the filter of the second account finds a tag of the first',
      update,
      found.list,
    );
  const shown = found.good
    ? { good: true, seen: { exchanges: [found.list] } }
    : await second.untilListed(theirs.tagId, name);
  if (statusOf(back) >= 500 || (accepted(back) && !shown.good))
    return broken(
      `an update to the name of a tag of another account ${whatCame(back)}${accepted(back) ? ', but has no effect' : ''}`,
      back,
      ...shown.seen.exchanges,
    );
  if (!shown.good) return holds();
  const afterBack = await stays(back, 'update of the second account', first, { tagId: ours.tagId, name });
  if (afterBack.kind !== 'holds') return afterBack;
  // Both tags have that name now. A query may leave out the account only in the one that has the younger tag.
  const away = await second.rename(theirs.tagId, { name: second.name() });
  const afterAway = await stays(away, 'update of the second account', first, { tagId: ours.tagId, name });
  if (afterAway.kind !== 'holds') return afterAway;
  if (accepted(away)) {
    const again = await second.rename(theirs.tagId, { name });
    if (!accepted(again) || !(await second.untilListed(theirs.tagId, name)).good) return holds();
  }
  // Each account may number its own tags, so the second account may have a stranger's tag with that tag_id.
  const foreign = areSparse([ours.tagId, theirs.tagId])
    ? await second.delete(ours.tagId, { open: true })
    : undefined;
  const remove = await first.delete(ours.tagId);
  if (foreign !== undefined && statusOf(remove) === 404)
    return broken(
      `the delete by another account, which has a tag of the same name, ${whatCame(foreign)}, and then the account's own delete ${whatCame(remove)}`,
      foreign,
      remove,
    );
  if (!accepted(remove)) return holds();
  const afterDelete = await stays(remove, 'delete', second, { tagId: theirs.tagId, name });
  if (afterDelete.kind !== 'holds') return afterDelete;
  // The create may wrongly restore a deleted tag of that name, in either account. Later lists show whether it did.
  await second.delete(theirs.tagId);
  await second.create({ name }, { open: true });
  return holds();
}
