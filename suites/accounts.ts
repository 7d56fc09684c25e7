import {
  accepted,
  allOf,
  broken,
  type Exchange,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  quote,
  statusOf,
  type Suite,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { doIdsRest } from './freed-ids.ts';
import { idsAlike } from './ids-alike.ts';
import { othersStay } from './neighbours.ts';
import { areSparse, countUp, differWidely } from './unknown-ids.ts';

const SEPARATE =
  'The API is for one account (1), and a token is a substitute for the username and password of one account (5).';

const FIRSTS = "the first account's tag";
const SECONDS = "the second account's tag";

export const accounts: Suite = {
  topic: 'account',
  requirements: [
    {
      id: 'account/list-is-private',
      section: '1',
      sentences: ['1/account'],
      level: 'derived',
      derivation: SEPARATE,
      text: "The list of one account never shows another's tags.",
      cause: 'The query for the list leaves out the account.',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        return staysHidden(tag, await target.second.list());
      },
    },
    {
      id: 'account/filter-is-private',
      effort: 'standard',
      section: '1',
      sentences: ['1/account'],
      level: 'derived',
      derivation: SEPARATE,
      text: "The filtered list of one account never shows another's tags.",
      cause: 'The filter and the account are joined by "or", or the filter uses a query of its own.',
      tags: 1,
      check: async (target) => {
        const tag = await target.makeTag();
        // A cache may keep the list for the next account.
        const { exchanges } = await target.lookUp(tag.tagId, tag.name);
        return staysHidden(tag, await target.second.list(tag.name), exchanges);
      },
    },
    {
      id: 'account/update-is-private',
      effort: 'standard',
      section: '1',
      sentences: ['1/account'],
      level: 'derived',
      derivation: SEPARATE,
      text: "An update by another account's tag_id has no effect on that tag.",
      cause: 'The tag is looked up by its tag_id alone.',
      tags: 4,
      check: async (target) => {
        const { tag, theirs } = await tagUnknownToSecond(target);
        const exchange = await target.second.rename(tag.tagId, { name: target.name() }, { open: true });
        const outcome = await othersStay(target, exchange, [tag], 'update by the second account', FIRSTS);
        if (outcome.kind !== 'holds') return outcome;
        if (theirs !== undefined) {
          // The tag_id may be that of a stranger's tag in the first account, which is not touched.
          const ours = await ifDecided(() =>
            target.rename(theirs.tagId, { name: target.name() }, { open: true }),
          );
          const back =
            ours === undefined
              ? holds()
              : await othersStay(target.second, ours, [theirs], 'update by the first account', SECONDS);
          if (back.kind !== 'holds') return back;
        }
        // If both accounts have a tag of the same name, an update of one must not reach the other.
        const twin = await target.second.create({ name: tag.name });
        const { good } = await target.until(
          () => target.second.lookUp(undefined, tag.name),
          ({ entries }) => entries.length > 0 || !accepted(twin),
        );
        if (!accepted(twin) || !good) return outcome;
        const own = await target.rename(tag.tagId, { name: target.name() });
        const { entries, exchanges } = await target.second.lookUp(undefined, tag.name);
        return entries.some(({ name }) => name === tag.name)
          ? holds()
          : broken(
              `the update ${whatCame(own)}, and a tag of another account with the same name is no longer listed`,
              own,
              ...exchanges,
            );
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
      tags: 3,
      check: async (target) => {
        const { tag, theirs } = await tagUnknownToSecond(target);
        const exchange = await target.second.delete(tag.tagId, { open: true });
        const outcome = allOf(
          await othersStay(target, exchange, [tag], 'delete by the second account', FIRSTS),
          notConfirmed(exchange),
        );
        if (outcome.kind !== 'holds' || theirs === undefined) return outcome;
        const ours = await ifDecided(() => target.delete(theirs.tagId, { open: true }));
        if (ours === undefined) return outcome;
        return allOf(
          await othersStay(target.second, ours, [theirs], 'delete by the first account', SECONDS),
          notConfirmed(ours),
        );
      },
    },
    idsAlike,
    {
      id: 'account/names-are-its-own',
      effort: 'standard',
      section: '1',
      sentences: ['1/account'],
      level: 'advisory',
      text: 'Two accounts can each have a tag of the same name.',
      cause: 'The index that keeps names unique leaves out the account.',
      tags: 2,
      check: async (target) => {
        const tag = await target.makeTag();
        const exchange = await target.second.create({ name: tag.name });
        if (accepted(exchange)) return holds();
        const twin = await target.second.create({ name: target.name() });
        return accepted(twin)
          ? broken(`${whatCame(exchange)} to a create with a name that another account uses`, exchange, twin)
          : undecided('failure', `the second account cannot create a tag: it ${whatCame(twin)}`, twin);
      },
    },
  ],
};

const notConfirmed = (exchange: Exchange): Outcome =>
  statusOf(exchange) === 200
    ? broken(`${whatCame(exchange)} to the delete of a tag that the account does not have`, exchange)
    : holds();

function staysHidden(tag: Tag, list: Exchange, before: readonly Exchange[] = []): Outcome {
  const entries = listedIn(list);
  if (entries === undefined)
    return undecided('failure', `the list of the second account ${whatCame(list)}`, list);
  return entries.some(({ name }) => name === tag.name)
    ? broken(`the list of the second account shows the tag ${quote(tag.name)} of the first`, ...before, list)
    : holds();
}

/**
 * Makes a tag whose tag_id the second account does not have. If each account numbers its own tags, the same id could
 * belong to a tag there that somebody needs. Where no id is likely to be issued twice, also makes a tag of the second
 * account, whose tag_id the first one does not have.
 *
 * @throws Undecided if the second account may have that tag_id.
 */
async function tagUnknownToSecond(
  target: Target,
): Promise<{ readonly tag: Tag; readonly theirs?: Tag | undefined }> {
  const { second } = target;
  const tag = await target.makeTag();
  const theirs = await second.makeTag();
  if (areSparse([tag.tagId, theirs.tagId])) return { tag, theirs };
  const before = listedIn(await second.list());
  const next = await second.makeTag();
  const after = listedIn(await second.list());
  const shows = (tagId: string): boolean => after?.some((entry) => entry.tagId === tagId) === true;
  // A page that shows a new tag leaves out another one.
  const isWhole = before?.every(({ tagId }) => shows(tagId)) === true && shows(next.tagId);
  // A higher id could be the next one there.
  const ids = [tag.tagId, theirs.tagId, next.tagId];
  const isPassed = (countUp(ids) || differWidely(ids)) && (await doIdsRest(target));
  if (!isWhole || !isPassed || shows(tag.tagId))
    throw new Undecided(
      'choice',
      'the second account may have a tag with the same tag_id, which must not be touched',
    );
  return { tag };
}
