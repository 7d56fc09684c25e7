import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  type Outcome,
  type Requirement,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { doDeletedIdsStayFree } from '../freed-ids.ts';
import { shows } from '../listed-tags.ts';
import { swappedCase } from '../neighbours.ts';
import { isTaken, judgeOddAnswer } from '../update/effect.ts';

/** Judges a confirmed update to the name of a deleted tag that no list shows: broken if an update to another name works. */
async function lostUnlessAnyIs(
  target: Target,
  tag: Tag,
  update: Exchange,
  looks: readonly Exchange[],
): Promise<Outcome> {
  const name = target.name();
  const plain = await target.rename(tag.tagId, { name });
  return accepted(plain) && (await target.untilListed(tag.tagId, name, tag.name)).good
    ? broken(
        `${whatCame(update)} to an update to the name of a deleted tag, but the tag is not listed with it`,
        update,
        ...looks,
      )
    : undecided('failure', 'the update of the tag has no effect', update);
}

/**
 * Updates and deletes the tag_id of a deleted tag, while another tag has its name. None is sent where the tag_id may be that
 * of another tag by now.
 */
async function addressDeleted(
  target: Target,
  { tagId }: Tag,
  now: string | undefined,
): Promise<readonly Exchange[]> {
  if (now === undefined || now === tagId || !(await doDeletedIdsStayFree(target))) return [];
  return target.run('without creates', async () => [
    await target.rename(tagId, { name: target.name() }, { open: true }),
    await target.delete(tagId, { open: true }),
  ]);
}

export const afterUpdate: Requirement = {
  id: 'delete/after-update',
  effort: 'standard',
  section: '4.5',
  sentences: ['4.5/path'],
  level: 'derived',
  derivation:
    'A confirmed delete (4.5) removes the tag that the path identifies, whatever names it has had, and no other tag.',
  text: 'A tag that was updated can be deleted. A create or an update with the name of a deleted tag causes no server error, and takes effect if it is accepted. The tag_id of a deleted tag does not address the tag that has its name.',
  cause: 'An index or a cache by name still holds an old name, or a deleted tag is looked up by its name.',
  tags: 5,
  check: async (target) => {
    const name = target.name();
    const [first, tag] = await target.makeTags('in turn', name, target.name());
    const removed = await target.delete(first.tagId);
    const gone = await target.until(
      () => target.lookUp(undefined, name),
      ({ entries }) => entries.length === 0,
      { kind: 'gone' },
    );
    if (!accepted(removed) || !gone.good) {
      return undecided('failure', 'the delete of a tag that was never updated has no effect', removed);
    }
    // The specification leaves open whether the name of a deleted tag can be used again.
    const toDeleted = await target.rename(tag.tagId, { name });
    if (!accepted(toDeleted) && !isTaken(toDeleted)) {
      const plain = await target.rename(tag.tagId, { name: target.name() });
      return accepted(plain)
        ? judgeOddAnswer(toDeleted, 'to an update to the name of a deleted tag')
        : undecided('failure', `the update to any name ${whatCame(plain)}`, plain);
    }
    const renamed = { tagId: tag.tagId, name: accepted(toDeleted) ? name : target.name() };
    const update = accepted(toDeleted) ? toDeleted : await target.rename(tag.tagId, { name: renamed.name });
    const listed = await target.untilListed(tag.tagId, renamed.name, tag.name);
    if (!listed.good)
      return accepted(toDeleted)
        ? lostUnlessAnyIs(target, tag, toDeleted, listed.seen.exchanges)
        : undecided('failure', 'the update of the tag has no effect', update);
    // A create must not bring back the deleted tag with the letter case of its last name.
    await target.rename(tag.tagId, { name: target.names.extended(swappedCase(renamed.name), '') });
    const deleted = await target.delete(tag.tagId);
    const { seen, good } = await target.untilGone(renamed);
    // An index of the filter may take longer than the list.
    const under = await target.until(
      async () => ({ exchanges: [await target.list(tag.name)] }),
      ({ exchanges: [list] }) => list === undefined || !shows(list, tag),
      { kind: 'gone' },
    );
    const isGone = good && under.good;
    if (!isGone || !accepted(deleted)) {
      return broken(
        `${whatCame(deleted)} to the delete of a tag that had been updated${isGone ? '' : ', and it is still listed'}`,
        deleted,
        ...seen.exchanges,
        ...under.seen.exchanges,
      );
    }
    const again = await target.create({ name });
    if (!accepted(again) && !isTaken(again))
      return judgeOddAnswer(again, 'to a create with the name of a deleted tag');
    const sent = await addressDeleted(target, first, createdIn(again)?.tagId);
    const untilMade = (create: Exchange) =>
      target.until(
        () => target.lookUp(undefined, name),
        ({ entries }) => entries.length > 0 || !accepted(create),
      );
    const { good: isThere, seen: looks } = await untilMade(again);
    if (isThere) return holds();
    // An accepted create must make a tag, whatever the target decides about reused names.
    const isOfThese = sent.length > 0 && (await untilMade(await target.create({ name }))).good;
    return broken(
      isOfThese
        ? 'after an update and a delete of the tag_id of a deleted tag, the tag that has its name now is no longer listed with it'
        : `${whatCame(again)} to a create with the name of a deleted tag, but it is not listed`,
      again,
      ...sent,
      ...looks.exchanges,
    );
  },
};
