import { accepted, broken, holds, listedIn, type Requirement, undecided, whatCame } from '../../lib/check.ts';
import { swappedCase } from '../neighbours.ts';
import { isTaken, judgeOddAnswer } from '../update/effect.ts';

export const afterUpdate: Requirement = {
  id: 'delete/after-update',
  effort: 'standard',
  section: '4.5',
  sentences: ['4.5/path'],
  level: 'derived',
  derivation:
    'A confirmed delete (4.5) removes the tag that the path identifies, whatever names it has had, and no other tag.',
  text: 'A tag that was updated can be deleted. A create or an update with the name of a deleted tag causes no server error, and takes effect if it is accepted.',
  cause: 'An index or a cache by name still holds an old name.',
  tags: 4,
  check: async (target) => {
    const name = target.name();
    const first = await target.makeTag(name);
    const removed = await target.delete(first.tagId);
    if (!accepted(removed) || !(await target.untilGone(first)).good) {
      return undecided('failure', 'the delete of a tag that was never updated has no effect', removed);
    }
    const tag = await target.makeTag();
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
    if (!(await target.untilListed(tag.tagId, renamed.name, tag.name)).good) {
      return undecided('failure', 'the update of the tag has no effect', update);
    }
    // A create must not bring back the deleted tag with the letter case of its last name.
    await target.rename(tag.tagId, { name: target.names.extended(swappedCase(renamed.name), '') });
    const deleted = await target.delete(tag.tagId);
    const { seen, good } = await target.untilGone(renamed);
    const under = await target.list(tag.name);
    const left = listedIn(under)?.some(({ tagId }) => tagId === tag.tagId) === true;
    if (!good || left || !accepted(deleted)) {
      return broken(
        `${whatCame(deleted)} to the delete of a tag that had been updated${good && !left ? '' : ', and it is still listed'}`,
        deleted,
        ...seen.exchanges,
        under,
      );
    }
    const again = await target.create({ name });
    if (!accepted(again) && !isTaken(again))
      return judgeOddAnswer(again, 'to a create with the name of a deleted tag');
    const shown = await target.until(
      () => target.lookUp(undefined, name),
      ({ entries }) => entries.length > 0 || !accepted(again),
    );
    // An accepted create must make a tag, whatever the target decides about reused names.
    return shown.good
      ? holds()
      : broken(
          `${whatCame(again)} to a create with the name of a deleted tag, but it is not listed`,
          again,
          ...shown.seen.exchanges,
        );
  },
};
