import {
  accepted,
  bodies,
  broken,
  everySuccess,
  type Exchange,
  holds,
  holdsWithWarning,
  ifDecided,
  listedIn,
  type Lookup,
  type Outcome,
  refuses,
  succeeds,
  type Suite,
  statusOf,
  type Tag,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { deleteBeforeReuse, deleteUntilRefused, freedIds, requireRestingIds } from './freed-ids.ts';
import { showingLast, shows } from './listed-tags.ts';
import { foreignId, hasIssuedForm, inventId } from './unknown-ids.ts';
import { neighbours, othersStay } from './neighbours.ts';
import { tour } from './tour.ts';
import { deleteOfWholeId, idPercentEncoded } from './ids-in-paths.ts';
import { isTaken, neitherNor } from './update/effect.ts';
import { updatesOfUnknownTags } from './update/unknown.ts';

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
      tags: 1,
      check: async (target) => {
        const tag = await ifDecided(() => target.makeTag());
        if (tag !== undefined) return succeeds(await target.delete(tag.tagId), bodies.message);
        // A target that does not delete is soon full. Other checks need a delete before that.
        const freed = await ifDecided(() => freedIds(target));
        if (freed !== undefined) return succeeds(freed.deletion, bodies.message);
        // Nobody else needs the tag that the preflight could not delete.
        const [left] = target.facts.tags;
        return left?.isAlive === true
          ? succeeds(await target.delete(left.tagId), bodies.message)
          : undecided('failure', 'no tag could be made that could be deleted');
      },
      watch: everySuccess(({ operation }) => operation === 'delete', bodies.message),
    },
    {
      id: 'delete/every-tag',
      section: '4.5',
      sentences: ['4.5/path', '4.5/status-200', '4.5/status-404'],
      level: 'derived',
      derivation:
        'A delete of a tag that exists is answered 200, and 404 is for one that does not exist (4.5): no tag cannot be deleted.',
      text: 'Every tag of the run can be deleted, at the latest when it is asked again at the end.',
      cause: 'A delete fails for tags that were updated, that are old, or that something else refers to.',
      sign: 'delete-refused',
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
      sign: 'delete-without-effect',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        const exchange = await target.delete(tag.tagId);
        if (!accepted(exchange)) return undecided('failure', `the delete ${whatCame(exchange)}`, exchange);
        const { seen, good } = await target.untilGone(tag);
        return good ? holds() : stillListed(tag, exchange, seen);
      },
    },
    {
      id: 'delete/again-404',
      section: '7',
      sentences: ['4.5/status-404', '4.5/status-404-body', '7/delete-404', '7/delete-404-body'],
      level: 'required',
      text: 'Deleting a tag that was deleted is answered 404 with a message.',
      cause: 'A delete that finds no row counts as a success, or the exception for it is not caught.',
      tags: 3,
      check: async (target) => {
        await requireRestingIds(target);
        // What is remembered of a tag may depend on whether it was updated.
        const { deletes: ofUpdated = [] } = await tour(target);
        if (ofUpdated.length > 1 && ofUpdated.every(accepted))
          return broken(
            'a tag that had been updated and deleted was deleted again, and each time that was confirmed',
            ...ofUpdated,
          );
        // A target that continues from its highest id does not reuse this one while a younger tag exists.
        const [tag] = await target.makeTagsInTurn(target.name(), target.name());
        return target.withoutCreates(async () => {
          const first = await deleteBeforeReuse(target, tag);
          const deletes = await deleteUntilRefused(target, tag.tagId);
          const outcome = refuses(
            await target.pair({
              accepted: () => first,
              refused: () => Promise.resolve(deletes.at(-1) ?? first),
            }),
            404,
            bodies.message,
          );
          return outcome.kind === 'holds' && deletes.length > 1
            ? holdsWithWarning(
                'a second delete was confirmed, too, before a later one was refused',
                ...deletes,
              )
            : outcome;
        });
      },
    },
    {
      id: 'delete/unknown-404',
      section: '7',
      sentences: ['4.5/status-404', '4.5/status-404-body', '7/delete-404', '7/delete-404-body'],
      level: 'required',
      text: 'Deleting a tag_id of the issued form that no tag has is answered 404 with a message.',
      cause: 'A delete that finds no row counts as a success, or the exception for it is not caught.',
      tags: 2,
      check: async (target) => {
        const [tag, other] = await target.makeTwoTags();
        const live = new Set(listedIn(await target.list())?.map(({ tagId }) => tagId));
        const issued = [tag.tagId, other.tagId];
        const unknown = inventId(issued, live);
        const isOfIssuedForm = hasIssuedForm(unknown, issued);
        const pair = await target.pair({
          accepted: () => target.delete(tag.tagId),
          refused: () => target.delete(unknown, isOfIssuedForm ? undefined : { open: true }),
        });
        const outcome = refuses(pair, 404, bodies.message);
        return outcome.kind === 'holds' || isOfIssuedForm
          ? outcome
          : undecided(
              'choice',
              'every text of the form of the tag_ids may be one, so that only a tag_id of another form is certain to be unknown',
              pair.refused,
            );
      },
    },
    {
      id: 'delete/after-update',
      effort: 'standard',
      section: '4.5',
      sentences: ['4.5/path'],
      level: 'derived',
      derivation:
        'A confirmed delete (4.5) removes the tag that the path identifies, whatever names it has had, and no other tag.',
      text: 'A tag that was updated can be deleted, and a create or an update with the name of a deleted tag is not an error of the server, and has its effect if it is accepted.',
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
        // Whether the name of a deleted tag can be used again is open.
        const toDeleted = await target.rename(tag.tagId, { name });
        if (!accepted(toDeleted) && !isTaken(toDeleted))
          return neitherNor(toDeleted, 'to an update to the name of a deleted tag');
        const renamed = { tagId: tag.tagId, name: accepted(toDeleted) ? name : target.name() };
        const update = accepted(toDeleted)
          ? toDeleted
          : await target.rename(tag.tagId, { name: renamed.name });
        if (!(await target.untilListed(tag.tagId, renamed.name, tag.name)).good) {
          return undecided('failure', 'the update of the tag has no effect', update);
        }
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
          return neitherNor(again, 'to a create with the name of a deleted tag');
        const shown = await target.until(
          () => target.lookUp(undefined, name),
          ({ entries }) => entries.length > 0 || !accepted(again),
        );
        // Whether a name can be used again is open. If the create was accepted, the tag has to exist.
        return shown.good
          ? holds()
          : broken(
              `${whatCame(again)} to a create with the name of a deleted tag, but it is not listed`,
              again,
              ...shown.seen.exchanges,
            );
      },
    },
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
        const { tag, others } = await neighbours(target);
        const exchange = await target.delete(tag.tagId);
        return othersStay(target, exchange, others, 'delete');
      },
    },
    {
      id: 'delete/unknown-removes-nothing',
      effort: 'standard',
      section: '4.5',
      sentences: ['4.5/path-tag-id'],
      level: 'derived',
      derivation:
        'The path identifies the tag to delete (4.5): if that tag does not exist, no other is to be deleted.',
      text: 'Deleting a tag_id that no tag has, of the issued form or another, removes no tag.',
      cause: 'If no tag is found, the condition is dropped or the newest tag is taken.',
      tags: 3,
      check: async (target) => {
        const before = await ifDecided(() => updatesOfUnknownTags(target));
        // What is remembered of an update that was refused is no tag.
        const never = before !== undefined && isRefused(before.onNever) ? before.never : undefined;
        const others = await target.makeTagsInTurn(target.name(), target.name(), target.name());
        const issued = others.map(({ tagId }) => tagId);
        for (const id of [inventId(issued), foreignId(issued)]) {
          const exchange = await target.delete(id, { open: true });
          const outcome = await othersStay(target, exchange, others, `delete of ${JSON.stringify(id)}`);
          if (outcome.kind !== 'holds') return outcome;
        }
        if (before === undefined || never === undefined || !hasIssuedForm(never, issued)) return holds();
        const exchange = await target.delete(never, { open: true });
        return accepted(exchange)
          ? broken(
              `${whatCame(exchange)} to a delete of a tag_id that no tag has, after an update of it was refused`,
              before.onNever,
              exchange,
            )
          : holds();
      },
    },
    deleteOfWholeId,
    idPercentEncoded,
  ],
};

const isRefused = (exchange: Exchange): boolean => statusOf(exchange) >= 400 && statusOf(exchange) < 500;

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
