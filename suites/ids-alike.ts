import {
  accepted,
  ifDecided,
  type Requirement,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { othersStay } from './neighbours.ts';
import { survey } from './scopes/survey.ts';
import { lackOfTags } from './spare-account.ts';
import { idForm } from './unknown-ids.ts';

/** The most tags that are made in the account whose ids are lower. */
const MOST_MADE = 16;

const WHY = 'no tag_id was given in both accounts';

/** @throws Undecided, with why no tag can be made in the second account. */
async function makeInSecond(target: Target): Promise<Tag> {
  try {
    return await target.second.makeTag();
  } catch (error) {
    throw (error instanceof Undecided && (await lackOfTags(target))) || error;
  }
}

/**
 * Makes a tag in each account until both have the same tag_id. If each account numbers its own tags, the one with the
 * lower numbers soon reaches the tag_id of the other's tag.
 *
 * @throws Undecided if tag_ids are unique across accounts, or if the numbers are too far apart.
 */
async function tagsAlike(target: Target): Promise<readonly [Tag, Tag]> {
  const { second } = target;
  const known = target.facts.tags.map(({ tagId }) => tagId);
  if (known.length > 0 && idForm(known) !== 'integer') throw new Undecided('choice', WHY);
  let [one, other] = [await target.makeTag(), await makeInSecond(target)];
  for (let made = 0; idForm([one.tagId, other.tagId]) === 'integer' && made < MOST_MADE; made++) {
    const [mine, theirs] = [BigInt(one.tagId), BigInt(other.tagId)];
    if (mine === theirs) return [one, other];
    const gap = mine > theirs ? mine - theirs : theirs - mine;
    if (gap > MOST_MADE) break;
    const [lagging, behind, ahead] = mine < theirs ? [target, one, theirs] : [second, other, mine];
    await lagging.delete(behind.tagId);
    const next = await lagging.makeTag();
    if (mine < theirs) one = next;
    else other = next;
    // Both accounts use one sequence, or the target reused the id of the deleted tag.
    if (!/^\d+$/.test(next.tagId) || BigInt(next.tagId) > ahead || next.tagId === behind.tagId) break;
  }
  throw new Undecided('choice', WHY);
}

export const idsAlike: Requirement = {
  id: 'account/ids-alike',
  effort: 'standard',
  section: '1',
  sentences: ['1/account'],
  level: 'derived',
  derivation:
    'The API is for one account (1), and a token stands for one account (5): a tag_id in a path means the tag of that account.',
  text: 'If both accounts have a tag of the same tag_id, an update and a delete by one account affect only the tag of that account.',
  cause: 'The tag is found by the tag_id and the account, and written by the tag_id alone.',
  // The check comes first, because later the ids of the two accounts are far apart.
  when: 'first',
  tags: 4,
  check: async (target) => {
    // The survey must come before any other request: logins of other checks could end its tokens.
    await ifDecided(() => survey(target));
    const { second } = target;
    const [tag, twin] = await tagsAlike(target);
    const mine = { tagId: tag.tagId, name: target.name() };
    const theirs = { tagId: twin.tagId, name: target.name() };
    const update = await target.rename(mine.tagId, { name: mine.name });
    if (!accepted(update)) return undecided('failure', `the update ${whatCame(update)}`, update);
    const ofTheirs = await othersStay(second, update, [twin], 'update by the other account');
    if (ofTheirs.kind !== 'holds') return ofTheirs;
    const back = await second.rename(theirs.tagId, { name: theirs.name });
    if (!accepted(back)) return undecided('failure', `the update ${whatCame(back)}`, back);
    const ofMine = await othersStay(target, back, [mine], 'update by the other account');
    if (ofMine.kind !== 'holds') return ofMine;
    const remove = await target.delete(mine.tagId);
    if (!accepted(remove)) return undecided('failure', `the delete ${whatCame(remove)}`, remove);
    return othersStay(second, remove, [theirs], 'update or the delete by the other account');
  },
};
