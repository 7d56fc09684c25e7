import {
  accepted,
  broken,
  type Exchange,
  holds,
  ifDecided,
  type Lookup,
  matches,
  type Outcome,
  type Suite,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { afterUpdate } from './delete/after-update.ts';
import { againRefused, unknownRefused, unknownRemovesNothing } from './delete/unknown.ts';
import { freedIds } from './freed-ids.ts';
import { deleteOfWholeId, idPercentEncoded } from './ids-in-paths.ts';
import { showingLast, shows } from './listed-tags.ts';
import {
  areStillFound,
  byLength,
  findsByStart,
  neighbours,
  othersStay,
  staysFoundAlone,
} from './neighbours.ts';

export const deletion: Suite = {
  topic: 'delete',
  requirements: [
    {
      id: 'delete/answers',
      section: '4.5',
      sentences: ['1/delete', '4.5/path', '4.5/status-200', '4.5/status-200-body'],
      level: 'required',
      text: 'A delete is answered 200 with a message.',
      cause: 'The framework answers deletes with 204, or without a message.',
      signs: ['delete-error'],
      tags: 1,
      check: async (target) => {
        const [made] = await Promise.allSettled([target.makeTag()]);
        if (made.status === 'fulfilled') return matches.success(await target.delete(made.value.tagId));
        // If deletes do not work, the account is soon full. Other checks need to see one delete before that.
        const freed = await ifDecided(() => freedIds(target));
        if (freed !== undefined) return matches.success(freed.deletion);
        // The tag that the preflight could not delete is left. No other check uses it.
        const [left] = target.facts.tags;
        if (left?.isAlive === true) return matches.success(await target.delete(left.tagId));
        // The reason why no tag could be made is also the reason why this is undecided.
        throw made.reason;
      },
      watch: matches.everySuccess('delete'),
    },
    {
      id: 'delete/every-tag',
      section: '4.5',
      sentences: ['4.5/path', '4.5/status-200', '4.5/status-404'],
      level: 'derived',
      derivation:
        'A delete of an existing tag is answered 200, and 404 is only for a missing one (4.5), so every tag can be deleted.',
      text: 'Every tag of the run can be deleted, at the latest when the delete is sent again at the end of the run.',
      cause: 'A delete fails for tags that were updated, that are old, or that something else refers to.',
      signs: ['delete-refused'],
      check: async (target) => {
        await freedIds(target);
        return holds();
      },
    },
    {
      id: 'delete/takes-effect',
      section: '4.5',
      sentences: ['1/delete', '2/tag-id-in-paths', '4.5/path', '4.5/path-tag-id', '4.5/status-200'],
      level: 'derived',
      derivation: 'A confirmed delete (4.5) has removed the tag, so that list (4.4) does not return it.',
      text: 'A deleted tag is no longer listed, filtered or not.',
      cause: 'The tag is only marked as deleted, and the list or the filter does not look at the mark.',
      signs: ['delete-without-effect'],
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        const exchange = await target.delete(tag.tagId);
        if (!accepted(exchange)) return undecided('failure', `the delete ${whatCame(exchange)}`, exchange);
        const { seen, good } = await target.untilGone(tag);
        return good ? holds() : stillListed(tag, exchange, seen);
      },
    },
    againRefused,
    unknownRefused,
    afterUpdate,
    {
      id: 'delete/others-stay',
      section: '4.5',
      sentences: ['2/tag-id-meaning', '4.5/path-tag-id'],
      level: 'derived',
      derivation: 'The path identifies the tag to delete (4.5), and no other.',
      text: 'A delete removes no other tag, even if its name is the same, the same in another letter case, a shorter or a longer one.',
      cause: 'The tag is looked up by its name or the start of its name, not by its tag_id.',
      tags: 5,
      check: async (target) => {
        // This must come before the check makes tags.
        const isFoundByStart = await findsByStart(target);
        const { tag, others } = await neighbours(target);
        const exchange = await target.delete(tag.tagId);
        const outcome = await othersStay(target, exchange, others, 'delete');
        const [shortest, ...longer] = byLength(others);
        if (outcome.kind !== 'holds' || shortest === undefined) return outcome;
        const list = await target.list(shortest.name);
        const found = isFoundByStart
          ? await areStillFound(target, exchange, list, shortest.name, longer, 'delete')
          : outcome;
        if (found.kind !== 'holds') return found;
        // The look for tags that the filter left out may have removed all tags of this check.
        const areThere = longer.every((one) => shows(list, one) || !one.name.startsWith(shortest.name));
        if (isFoundByStart && !areThere) return found;
        const { outcome: beside, left } = await deletedNamesake(target, longer);
        return beside.kind === 'holds' ? staysFoundAlone(target, shortest, left, list) : beside;
      },
    },
    unknownRemovesNothing,
    deleteOfWholeId,
    idPercentEncoded,
  ],
};

/**
 * Checks that the delete of a tag leaves another one whose name an update had given it. The specification leaves open whether two
 * tags may have the same name.
 *
 * @returns also the tags that are left.
 */
async function deletedNamesake(
  target: Target,
  tags: readonly Tag[],
): Promise<{ readonly outcome: Outcome; readonly left: readonly Tag[] }> {
  const [other, last] = [tags[0], tags.at(-1)];
  const isAsked = target.settings.effort !== 'quick' && other !== undefined && last !== other;
  if (last === undefined || !isAsked) return { outcome: holds(), left: tags };
  const update = await target.rename(last.tagId, { name: other.name }, { open: true });
  if (!accepted(update)) return { outcome: holds(), left: tags };
  const deletion = await target.delete(last.tagId);
  const what = 'delete of a tag that an update had given the name of another';
  return { outcome: await othersStay(target, deletion, [other], what), left: tags.slice(0, -1) };
}

/** Says which lists show a tag that was deleted. */
function stillListed(tag: Tag, deletion: Exchange, { exchanges }: Lookup): Outcome {
  const isFiltered = ({ ask }: Exchange): boolean => ask.path.includes('?');
  const showing = exchanges.filter((list) => shows(list, tag));
  const where = showing.every(isFiltered)
    ? ' where the list is filtered by its name'
    : showing.length === exchanges.length || showing.some(isFiltered)
      ? ''
      : ' where the list is not filtered';
  const why = `${whatCame(deletion)}, yet the tag is still listed${where}`;
  return broken(why, deletion, ...showingLast(exchanges, ({ tagId }) => tagId === tag.tagId));
}
