import {
  allOf,
  broken,
  type Exchange,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  statusOf,
  type Suite,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { namesAreItsOwn, privateLists, sameName } from './accounts/together.ts';
import { SEPARATE } from './accounts/separate.ts';
import { doIdsRest } from './freed-ids.ts';
import { idsAlike } from './ids-alike.ts';
import { othersStay } from './neighbours.ts';
import { areSparse, countUp, differWidely } from './unknown-ids.ts';

const FIRSTS = "the first account's tag";
const SECONDS = "the second account's tag";

export const accounts: Suite = {
  topic: 'account',
  requirements: [
    ...privateLists,
    {
      id: 'account/update-is-private',
      effort: 'standard',
      section: '1',
      sentences: ['1/account'],
      level: 'derived',
      derivation: SEPARATE,
      text: "An update by another account's tag_id has no effect on that tag.",
      cause: 'The tag is looked up by its tag_id alone.',
      tags: 3,
      check: async (target) => {
        const { tag, theirs } = await tagUnknownToSecond(target);
        const exchange = await target.second.rename(tag.tagId, { name: target.name() }, { open: true });
        const outcome = await othersStay(target, exchange, [tag], 'update by the second account', FIRSTS);
        if (outcome.kind !== 'holds') return outcome;
        if (theirs === undefined) return outcome;
        // The tag_id may be that of a stranger's tag in the first account, which is not touched.
        const ours = await ifDecided(() =>
          target.rename(theirs.tagId, { name: target.name() }, { open: true }),
        );
        if (ours === undefined) return outcome;
        return othersStay(target.second, ours, [theirs], 'update by the first account', SECONDS);
      },
    },
    sameName,
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
    namesAreItsOwn,
  ],
};

const notConfirmed = (exchange: Exchange): Outcome =>
  statusOf(exchange) === 200
    ? broken(`${whatCame(exchange)} to the delete of a tag that the account does not have`, exchange)
    : holds();

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
  // Other checks delete tags of the run meanwhile.
  const ofRun = new Set(second.facts.tags.map(({ tagId }) => tagId));
  // A page that shows a new tag leaves out another one.
  const isWhole =
    before?.every(({ tagId }) => ofRun.has(tagId) || shows(tagId)) === true && shows(next.tagId);
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
