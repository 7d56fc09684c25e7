import {
  allOf,
  broken,
  type Exchange,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  reaches,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { doIdsRest } from '../freed-ids.ts';
import { othersStay } from '../neighbours.ts';
import { areSparse, countUp, differWidely } from '../unknown-ids.ts';
import { SEPARATE } from './separate.ts';

const FIRSTS = "the first account's tag";
const SECONDS = "the second account's tag";

/** A tag of each account, by whose tag_id the other one writes. */
interface Foreign {
  readonly tag: Tag;
  /** Only where no tag_id is likely to be issued twice. */
  readonly theirs?: Tag;
}

/**
 * Makes a tag whose tag_id the second account does not have. If each account numbers its own tags, the same id could
 * belong to a tag there that somebody needs. Where no id is likely to be issued twice, also makes a tag of the second
 * account, whose tag_id the first one does not have.
 *
 * @param idsRest whether the tag_id of a deleted tag is given to no other tag.
 * @throws Undecided if the second account may have that tag_id.
 */
async function tagUnknownToSecond(target: Target, idsRest: boolean): Promise<Foreign> {
  const { second } = target;
  const tag = await target.makeTag();
  const theirs = await second.makeTag();
  if (areSparse([tag.tagId, theirs.tagId])) return { tag, theirs };
  const before = listedIn(await second.list());
  const next = await second.makeTag();
  const after = listedIn(await second.list());
  const shows = (tagId: string): boolean => after?.some((entry) => entry.tagId === tagId) === true;
  // On a full page, a new tag takes the place of another one.
  const isWhole = before?.every(({ tagId }) => shows(tagId)) === true && shows(next.tagId);
  // The second account could issue a higher id next.
  const ids = [tag.tagId, theirs.tagId, next.tagId];
  const isPassed = (countUp(ids) || differWidely(ids)) && idsRest;
  if (!isWhole || !isPassed || shows(tag.tagId))
    throw new Undecided(
      'choice',
      'the second account may have a tag with the same tag_id, which must not be touched',
    );
  return { tag };
}

/** The outcomes of updates and deletes by the tag_id of the other account. */
interface Written {
  /** Not with the effort `quick`. */
  readonly update?: Outcome;
  readonly remove: Outcome;
}

/** Updates and deletes by the tag_id of the other account, once in a run. */
async function writeByForeignIds(target: Target): Promise<Written> {
  const idsRest = await doIdsRest(target);
  return target.shared('writes by the tag_id of the other account', 4, async (first) => {
    const tags = await tagUnknownToSecond(first, idsRest);
    // First, because an update of an unknown tag_id may make a tag with it.
    const remove = await removeForeign(first, tags);
    if (!reaches(target.settings.effort, 'standard')) return { remove };
    if (remove.kind === 'holds') return { remove, update: await updateForeign(first, tags) };
    await first.removeTags();
    return { remove, update: await updateForeign(first, await tagUnknownToSecond(first, idsRest)) };
  });
}

async function updateForeign(target: Target, { tag, theirs }: Foreign): Promise<Outcome> {
  const { second } = target;
  const exchange = await second.rename(tag.tagId, { name: target.name() }, { open: true });
  const stays = await othersStay(target, exchange, [tag], 'update by the second account', FIRSTS);
  const outcome = stays.kind === 'holds' ? await ownerUpdates(target, tag, exchange) : stays;
  if (outcome.kind !== 'holds' || theirs === undefined) return outcome;
  // The tag_id may be that of a stranger's tag in the first account, which is not touched.
  const ours = await ifDecided(() => target.rename(theirs.tagId, { name: target.name() }, { open: true }));
  return ours === undefined
    ? outcome
    : othersStay(second, ours, [theirs], 'update by the first account', SECONDS);
}

/** A refused update by another account leaves the tag to its owner, who can update it as before. */
async function ownerUpdates(target: Target, tag: Tag, refused: Exchange): Promise<Outcome> {
  const { update, seen, good } = await updated(target, tag);
  if (good) return holds();
  const plain = target.facts.room === 0 ? undefined : await updated(target, await target.makeTag());
  return plain?.good === false
    ? undecided('failure', 'the update of another tag has no effect either', plain.update)
    : broken(
        `the update of a tag by its own account ${whatCame(update)}, and has no effect, after another account tried to update it`,
        refused,
        update,
        ...seen.exchanges,
      );
}

/** An update of a tag by its own account, and whether lists show it. */
async function updated(target: Target, { tagId }: Tag) {
  const name = target.name();
  const update = await target.rename(tagId, { name });
  return { update, ...(await target.untilListed(tagId, name)) };
}

async function removeForeign(target: Target, { tag, theirs }: Foreign): Promise<Outcome> {
  const { second } = target;
  const exchange = await second.delete(tag.tagId, { open: true });
  const outcome = allOf(
    await othersStay(target, exchange, [tag], 'delete by the second account', FIRSTS),
    notConfirmed(exchange),
  );
  if (outcome.kind !== 'holds' || theirs === undefined) return outcome;
  const ours = await ifDecided(() => target.delete(theirs.tagId, { open: true }));
  return ours === undefined
    ? outcome
    : allOf(
        await othersStay(second, ours, [theirs], 'delete by the first account', SECONDS),
        notConfirmed(ours),
      );
}

const notConfirmed = (exchange: Exchange): Outcome =>
  statusOf(exchange) === 200
    ? broken(`${whatCame(exchange)} to the delete of a tag that the account does not have`, exchange)
    : holds();

/**
 * Requirements about writes by the tag_id of another account. Whether lists are whole, so that they show all tag_ids of an
 * account, shows only while no other check makes or deletes tags.
 */
export const foreignIds: readonly Requirement[] = [
  {
    id: 'account/update-is-private',
    effort: 'standard',
    section: '1',
    sentences: ['1/account'],
    level: 'derived',
    derivation: SEPARATE,
    text: "An update by another account's tag_id has no effect on that tag.",
    cause: 'The tag is looked up by its tag_id alone.',
    when: 'calm',
    check: async (target) => {
      const { update } = await writeByForeignIds(target);
      return update ?? undecided('budget', 'no update was sent');
    },
  },
  {
    id: 'account/delete-is-private',
    section: '1',
    sentences: ['1/account'],
    level: 'derived',
    derivation: SEPARATE,
    text: "A delete by another account's tag_id is not answered 200, and has no effect on that tag.",
    cause: 'The tag is looked up by its tag_id alone.',
    when: 'calm',
    check: async (target) => (await writeByForeignIds(target)).remove,
  },
];
