import {
  accepted,
  answers,
  broken,
  holds,
  holdsWithWarning,
  ifDecided,
  listedIn,
  matches,
  type Outcome,
  type Requirement,
  spec,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { type Pair, sendPair } from '../pair.ts';
import { deleteBeforeReuse, deleteUntilRefused, requireFreeDeletedIds } from '../freed-ids.ts';
import { othersStay } from '../neighbours.ts';
import { tour } from '../tour.ts';
import { lackOfTags, spareAccount } from '../spare-account.ts';
import { areSparse, foreignId, hasIssuedForm, inventId } from '../unknown-ids.ts';
import { updatesOfUnknownTags } from '../update/unknown.ts';

export const againRefused: Requirement = {
  id: 'delete/again-404',
  section: '7',
  sentences: ['4.5/status-404', '4.5/status-404-body', '7/delete-404', '7/delete-404-body'],
  level: 'required',
  text: 'Deleting a tag that was deleted is answered 404 with a message.',
  cause: 'A delete that finds no row counts as a success, or the exception for it is not caught.',
  tags: 3,
  check: async (target) => {
    await requireFreeDeletedIds(target);
    // A target may keep traces of a deleted tag only if it was updated.
    const { deletes: ofUpdated = [] } = await tour(target);
    if (ofUpdated.length > 1 && ofUpdated.every(accepted))
      return broken(
        'a tag that had been updated and deleted was deleted again, and each time that was confirmed',
        ...ofUpdated,
      );
    // A target that issues the highest existing id plus one does not reuse this id while a younger tag exists.
    const [tag] = await target.makeTags('in turn', target.name(), target.name());
    return target.run('without creates', async () => {
      const first = await deleteBeforeReuse(target, tag);
      const deletes = await deleteUntilRefused(target, tag.tagId);
      const outcome = matches.refusal(
        await sendPair({
          accepted: () => first,
          refused: () => Promise.resolve(deletes.at(-1) ?? first),
        }),
        404,
        spec.bodies.message,
      );
      return outcome.kind === 'holds' && deletes.length > 1
        ? holdsWithWarning('a second delete was confirmed, too, before a later one was refused', ...deletes)
        : outcome;
    });
  },
};

/** Checks that the second account is refused the same delete. A short tag_id may be that of a stranger's tag there. */
async function refusedForSpare(target: Target, unknown: string, { accepted: twin }: Pair): Promise<Outcome> {
  const spare = spareAccount(target);
  if (spare === target || !areSparse([unknown])) return holds();
  const refused = await spare.delete(unknown);
  const outcome = matches.refusal({ accepted: twin, refused }, 404, spec.bodies.message);
  // The delete may have been refused because the token of that account has ended, and there is no other.
  if (outcome.kind === 'broken' && listedIn(await spare.list()) === undefined)
    return undecided('failure', `lists of the second account are refused, too: ${outcome.why}`, refused);
  // The second account may only read. The tester chose it.
  if (outcome.kind === 'broken' && (await lackOfTags(target)) !== undefined) return holds();
  return outcome.kind === 'broken' ? { ...outcome, why: `in the second account, ${outcome.why}` } : outcome;
}

export const unknownRefused: Requirement = {
  id: 'delete/unknown-404',
  section: '7',
  sentences: ['4.5/status-404', '4.5/status-404-body', '7/delete-404', '7/delete-404-body'],
  level: 'required',
  text: 'Deleting a tag_id of the issued form that no tag has is answered 404 with a message.',
  cause: 'A delete that finds no row counts as a success, or the exception for it is not caught.',
  tags: 2,
  check: async (target) => {
    const [tag, other] = await target.makeTags('at once', target.name(), target.name());
    const live = new Set(listedIn(await target.list())?.map(({ tagId }) => tagId));
    const issued = [tag.tagId, other.tagId];
    const unknown = inventId(issued, live);
    const isOfIssuedForm = hasIssuedForm(unknown, issued);
    const pair = await sendPair({
      accepted: () => target.delete(tag.tagId),
      refused: () => target.delete(unknown, isOfIssuedForm ? undefined : { open: true }),
    });
    const outcome = matches.refusal(pair, 404, spec.bodies.message);
    if (outcome.kind === 'holds') return refusedForSpare(target, unknown, pair);
    return isOfIssuedForm
      ? outcome
      : undecided(
          'choice',
          'every text of the form of the tag_ids may be one, so that only a tag_id of another form is certain to be unknown',
          pair.refused,
        );
  },
};

export const unknownRemovesNothing: Requirement = {
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
    // This tag_id was already used in an update that was refused. A target may wrongly keep it from there.
    const never = before !== undefined && answers.isClientError(before.onNever) ? before.never : undefined;
    const others = await target.makeTags('in turn', target.name(), target.name(), target.name());
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
};
