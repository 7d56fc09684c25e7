import {
  accepted,
  allOf,
  answers,
  broken,
  type Exchange,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  type RequestOverrides,
  type Requirement,
  type Secret,
  statusOf,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { doDeletedIdsStayFree } from '../freed-ids.ts';
import { makeUpdatedTag } from '../listed-tags.ts';
import { discloses } from '../disclosure.ts';
import { othersStay } from '../neighbours.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { tokensEnd } from '../scopes/survey.ts';
import { lackOfTags } from '../spare-account.ts';
import { areSparse, countUp, differWidely } from '../unknown-ids.ts';
import { workingPanelToken } from '../other-tokens.ts';
import { SEPARATE } from './together.ts';

const OF_FIRST = "the first account's tag";
const OF_SECOND = "the second account's tag";

/** A tag of each account. The other account sends updates and deletes with its tag_id. */
interface Foreign {
  readonly tag: Tag;
  /** Undefined if both accounts may have a tag of the same tag_id. */
  readonly theirs?: Tag;
}

/**
 * Makes a tag whose tag_id the second account does not have. If each account numbers its own tags, the same tag_id
 * could belong to a stranger's tag there. If tag_ids are unique across accounts, also makes a tag in the second
 * account, whose tag_id the first one does not have.
 *
 * @param idsStayFree whether the tag_id of a deleted tag is given to no other tag.
 * @param lack why no tag can be made in the second account, if none can be.
 * @throws Undecided if the second account may have that tag_id.
 */
async function tagUnknownToSecond(
  target: Target,
  idsStayFree: boolean,
  lack: Undecided | undefined,
): Promise<Foreign> {
  const { second } = target;
  const tag = await target.makeTag();
  if (lack !== undefined && areSparse([tag.tagId])) return { tag };
  if (lack !== undefined) throw lack;
  // A target may look up an updated tag in another way than a new one, and may look at its name only.
  const theirs = await makeUpdatedTag(second, tag.name);
  if (areSparse([tag.tagId, theirs.tagId])) return { tag, theirs };
  const before = listedIn(await second.list());
  const next = await second.makeTag();
  const after = listedIn(await second.list());
  const shows = (tagId: string): boolean => after?.some((entry) => entry.tagId === tagId) === true;
  // If the list is a full page, a new tag pushes another one off it.
  const isWhole = before?.every(({ tagId }) => shows(tagId)) === true && shows(next.tagId);
  // The second account could still issue the tag_id if it is higher than that account's latest one.
  const ids = [tag.tagId, theirs.tagId, next.tagId];
  const isPassed = (countUp(ids) || differWidely(ids)) && idsStayFree;
  if (!isWhole || !isPassed || shows(tag.tagId))
    throw new Undecided(
      'choice',
      'the second account may have a tag with the same tag_id, which must not be touched',
    );
  return { tag: target.settings.effort === 'quick' ? tag : await updatedByOwner(target, tag) };
}

/**
 * Updates a tag by its own account: an update may put it into a cache that does not know accounts.
 *
 * @throws Undecided if no list shows the new name.
 */
async function updatedByOwner(target: Target, tag: Tag): Promise<Tag> {
  const { name, update, good } = await updated(target, tag);
  // Another requirement reports updates that do not work.
  if (!accepted(update)) return tag;
  if (!good) throw new Undecided('failure', 'a tag could not be updated by its own account', update);
  return { tagId: tag.tagId, name };
}

/** The outcomes of updates and deletes by the tag_id of the other account. */
interface Written {
  /** Undefined with the effort `quick`. */
  readonly update?: Outcome;
  readonly remove: Outcome;
}

/**
 * Other tokens of the first account that permit updates and deletes: one for one scope other than api, one for several
 * with api, and that from the control panel; none if logins end earlier tokens.
 */
async function otherTokens(target: Target): Promise<readonly Secret[]> {
  if (target.settings.effort === 'quick' || (await tokensEnd(target))) return [];
  const probes = (await scopeProbes(target)).filter(({ permits }) => permits.rename && permits.delete);
  const narrow = probes.find(({ scopes }) => scopes.length === 1 && !scopes.includes('api'));
  const wide = probes.find(({ scopes }) => scopes.length > 1);
  const tokens = [narrow, wide].map(
    async (probe) => probe && (await ifDecided(() => target.token(probe.scopes))),
  );
  return [...(await Promise.all(tokens)), await workingPanelToken(target)].filter(
    (token) => token !== undefined,
  );
}

/** Updates and deletes by the tag_id of the other account, once in a run. */
async function writeByForeignIds(target: Target): Promise<Written> {
  const idsStayFree = await doDeletedIdsStayFree(target);
  const tokens = (await ifDecided(() => otherTokens(target))) ?? [];
  const lack = await lackOfTags(target);
  return target.shared('writes by the tag_id of the other account', 4, async (first) => {
    const tags = await tagUnknownToSecond(first, idsStayFree, lack);
    // The delete comes first, because an update of an unknown tag_id may make a tag with it.
    const remove = await removeForeign(first, tags, tokens);
    if (target.settings.effort === 'quick') return { remove };
    if (remove.kind === 'holds') {
      const exchange = await updateBySecond(first, tags);
      const update = await updateForeign(first, tags, tokens, exchange);
      // The second delete is safe only if no tag has the tag_id: an accepted update may have made one in the second
      // account, and the target may give a deleted tag's id to a stranger's tag.
      const isClear = update.kind === 'holds' && answers.isClientError(exchange) && idsStayFree;
      return { update, remove: isClear ? await removeDeleted(first, tags) : remove };
    }
    await first.removeTags();
    const others = await tagUnknownToSecond(first, idsStayFree, lack);
    return {
      remove,
      update: await updateForeign(first, others, tokens, await updateBySecond(first, others)),
    };
  });
}

const updateBySecond = (target: Target, { tag }: Foreign): Promise<Exchange> =>
  target.second.rename(tag.tagId, { name: target.name() }, { open: true });

async function updateForeign(
  target: Target,
  { tag, theirs }: Foreign,
  tokens: readonly Secret[],
  exchange: Exchange,
): Promise<Outcome> {
  const { second } = target;
  const stays = allOf(
    await othersStay(target, exchange, [tag], 'update by the second account', OF_FIRST),
    disclosesNothing(exchange, tag),
  );
  const outcome = stays.kind === 'holds' ? await ownerUpdates(target, tag, exchange) : stays;
  if (outcome.kind !== 'holds' || theirs === undefined) return outcome;
  // A stranger's tag of the first account may have the tag_id. It is not touched.
  const write = (token?: Secret): Promise<Exchange | undefined> =>
    ifDecided(() => target.rename(theirs.tagId, { name: target.name() }, by(token)));
  const writes = await withAll(write, tokens);
  const left = await writtenLast(writes, (ours) =>
    othersStay(second, ours, [theirs], 'update by the first account', OF_SECOND),
  );
  return allOf(left, ...writes.map((ours) => disclosesNothing(ours, theirs)));
}

const by = (token: Secret | undefined): RequestOverrides => ({
  open: true,
  ...(token === undefined ? {} : { token }),
});

/**
 * Sends a request with each of the other tokens, or with the token of the run if there are none: the second account sends
 * its requests with a token for api alone.
 */
async function withAll(
  send: (token?: Secret) => Promise<Exchange | undefined>,
  tokens: readonly Secret[],
): Promise<readonly Exchange[]> {
  const sent: (Exchange | undefined)[] = [];
  for (const token of tokens.length === 0 ? [undefined] : tokens) sent.push(await send(token));
  return sent.filter((exchange) => exchange !== undefined);
}

/**
 * Looks once for an effect of all requests. Reports it with the last accepted request, or with the last one if none was
 * accepted.
 */
const writtenLast = async (
  writes: readonly Exchange[],
  look: (exchange: Exchange) => Promise<Outcome>,
): Promise<Outcome> => {
  const last = writes.findLast(accepted) ?? writes.at(-1);
  return last === undefined ? holds() : look(last);
};

/** Checks that the answer to a write by the tag_id of another account does not disclose the name of its tag. */
const disclosesNothing = (exchange: Exchange, tag: Tag): Outcome =>
  discloses(exchange, tag)
    ? broken(
        `the answer to a request by the tag_id of another account discloses the name of its tag`,
        exchange,
      )
    : holds();

/** Checks that the owner can still update a tag after another account's update of it was refused. */
async function ownerUpdates(target: Target, tag: Tag, refused: Exchange): Promise<Outcome> {
  const { update, seen, good } = await updated(target, tag);
  if (good) return holds();
  const plain = target.facts.room === 0 ? undefined : await updated(target, await target.makeTag());
  return plain?.good === false
    ? undecided('failure', 'the update of another tag has no effect either', plain.update)
    : broken(
        `after another account tried to update a tag, the update by its own account ${whatCame(update)} and has no effect`,
        refused,
        update,
        ...seen.exchanges,
      );
}

/** Updates a tag with the token of its own account, and looks whether lists show the new name. */
async function updated(target: Target, { tagId }: Tag) {
  const name = target.name();
  const update = await target.rename(tagId, { name });
  return { name, update, ...(await target.untilListed(tagId, name)) };
}

async function removeForeign(
  target: Target,
  { tag, theirs }: Foreign,
  tokens: readonly Secret[],
): Promise<Outcome> {
  const { second } = target;
  const exchange = await second.delete(tag.tagId, { open: true });
  const outcome = allOf(
    await othersStay(target, exchange, [tag], 'delete by the second account', OF_FIRST),
    notConfirmed(exchange),
    disclosesNothing(exchange, tag),
  );
  if (outcome.kind !== 'holds' || theirs === undefined) return outcome;
  const write = (token?: Secret): Promise<Exchange | undefined> =>
    ifDecided(() => target.delete(theirs.tagId, by(token)));
  const writes = await withAll(write, tokens);
  const left = await writtenLast(writes, (ours) =>
    othersStay(second, ours, [theirs], 'delete by the first account', OF_SECOND),
  );
  return allOf(left, ...writes.map(notConfirmed), ...writes.map((ours) => disclosesNothing(ours, theirs)));
}

/**
 * Checks that the second account cannot delete a tag that the first one has deleted. Call it only if no tag has the
 * tag_id.
 */
async function removeDeleted(target: Target, { tag, theirs }: Foreign): Promise<Outcome> {
  if (theirs === undefined || !accepted(await target.delete(tag.tagId))) return holds();
  return notConfirmed(await target.second.delete(tag.tagId, { open: true }));
}

const notConfirmed = (exchange: Exchange): Outcome =>
  statusOf(exchange) === 200
    ? broken(`${whatCame(exchange)} to the delete of a tag that the account does not have`, exchange)
    : holds();

/**
 * Requirements about updates and deletes with the tag_id of another account. They run alone: whether a list shows all
 * tags of an account can be seen only while no other check makes or deletes tags.
 */
export const foreignIds: readonly Requirement[] = [
  {
    id: 'account/update-is-private',
    effort: 'standard',
    section: '1',
    sentences: ['1/account'],
    level: 'derived',
    derivation: SEPARATE,
    text: "An update by another account's tag_id has no effect on that tag, and does not disclose its name.",
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
    text: "A delete by another account's tag_id is not answered 200, has no effect on that tag, and does not disclose its name.",
    cause: 'The tag is looked up by its tag_id alone.',
    when: 'calm',
    check: async (target) => (await writeByForeignIds(target)).remove,
  },
];
