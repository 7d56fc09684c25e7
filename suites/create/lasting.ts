import {
  accepted,
  answers,
  broken,
  createdIn,
  holds,
  type Outcome,
  quote,
  type Requirement,
  type Tag,
  type Target,
  undecided,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { FOLLOWED_BY_NUL, withNul } from '../ids-in-paths.ts';
import { OTHER_LETTERS, updated } from '../listed-tags.ts';
import { anonymousEffect, carriedOut, sendRefusedWrites } from '../refused-writes.ts';
import { signsInSecondAccount } from './ids.ts';
import { makesOneTag } from './parts.ts';
import { isTaken } from '../update/effect.ts';

/** The number of tags that are kept to the end of the run. */
const KEPT = 2;

/**
 * Makes a tag, if possible with the name of a deleted one: a target may repeat a delete by the name of its tag later.
 */
async function keeperOfUsedName(target: Target): Promise<Tag> {
  // No filter by another name of the run may find this tag.
  const newName = (): string => target.names.lettersOf(OTHER_LETTERS);
  const tag = await target.makeTag(newName());
  if (target.settings.effort === 'quick') return tag;
  const remove = await target.delete(tag.tagId);
  if (answers.isClientError(remove)) return tag;
  const lacking = new Undecided('failure', 'the name of a deleted tag gave no tag to keep', remove);
  if (target.facts.room < KEPT) throw lacking;
  // The specification leaves open whether the name of a deleted tag can be used again.
  const again = accepted(remove) ? await target.create({ name: tag.name }, { open: true }) : undefined;
  const tagId = again === undefined ? undefined : createdIn(again)?.tagId;
  if (tagId !== undefined && (await target.untilListed(tagId, tag.name)).good)
    return { tagId, name: tag.name };
  if (target.facts.room < KEPT) throw lacking;
  return target.makeTag(newName());
}

/** The end of a name with a capital, an accent and an emoji. A target may rewrite such names later. */
const RICH = 'KÉ😀z';

/** Gives a tag a name that ends so if lists then show it, or else a plain name; undefined if that fails. */
async function richlyNamed(target: Target, tag: Tag): Promise<Tag | undefined> {
  const { tagId } = tag;
  const name = target.names.endingIn(RICH);
  if (target.settings.effort !== 'quick' && accepted(await target.rename(tagId, { name }, { open: true }))) {
    const { good } = await target.untilListed(tagId, name);
    if (good) return { tagId, name };
  }
  return updated(target, tag);
}

/** Checks that the first tags of a run, one of which was renamed, can be updated and deleted at its end. */
async function stillChangeable(target: Target, untouched: Tag, renamed: Tag): Promise<Outcome> {
  const name = target.name();
  const update = await target.rename(untouched.tagId, { name });
  const shown = await target.untilListed(untouched.tagId, name);
  // An update that is sent once more may be refused because the tag has the new name already.
  if (!shown.good || (!accepted(update) && !isTaken(update)))
    return broken(
      `an update of a tag that was made first ${whatCame(update)} at the end of the run${accepted(update) ? ', but has no effect' : ''}, though it worked at the start`,
      update,
      ...shown.seen.exchanges,
    );
  if (!target.facts.deletesWork) return holds();
  const cut =
    target.settings.effort === 'quick'
      ? undefined
      : await target.delete(withNul(renamed.tagId), { open: true });
  const remove = await target.delete(renamed.tagId);
  const gone = await target.untilGone(renamed);
  if (accepted(remove) && gone.good) return holds();
  return cut !== undefined && accepted(cut) && gone.good
    ? broken(`the delete of ${FOLLOWED_BY_NUL} ${whatCame(cut)}, and removed the tag`, cut, remove)
    : broken(
        `a delete of a tag that was made first ${whatCame(remove)} at the end of the run${accepted(remove) ? ', but has no effect' : ''}, though other tags were deleted`,
        remove,
        ...gone.seen.exchanges,
      );
}

export const persists: Requirement = {
  id: 'create/persists',
  section: '4.2',
  sentences: [
    '1/create',
    '1/tag-members',
    '2/tag-name-meaning',
    '2/tag-id-in-paths',
    '4.2/path',
    '4.2/status-200-tag-id',
    '4.4/status-200-name',
    '4.4/status-200-tag-id',
  ],
  level: 'derived',
  derivation: 'Create assigns the identifier that paths and lists use (2), and list returns the tags (4.4).',
  text: 'A created tag is listed exactly once, under its tag_id and with its name.',
  signs: ['create-lost', 'made-twice'],
  cause: 'The write is not committed, goes to another store than the read, or is lost under load.',
  tags: 2,
  check: async (target) => {
    const name = target.name();
    const exchange = await target.create({ name });
    const created = createdIn(exchange);
    if (created === undefined)
      return undecided('failure', `create ${whatCame(exchange)} without a tag_id`, exchange);
    if (created.tagId === '.' || created.tagId === '..') {
      return broken(
        `the tag_id is ${quote(created.tagId)}, which cannot stand in a path (RFC 3986, 3.3)`,
        exchange,
      );
    }
    const { seen, good } = await target.untilListed(created.tagId, name);
    const ids = seen.entries.map(({ tagId }) => tagId);
    const others = ids.filter((id) => id !== created.tagId);
    if (others.length > 0) {
      return broken(
        `create gave the tag_id ${quote(created.tagId)}, but the name is listed under ${quote(others)}`,
        exchange,
        ...seen.exchanges,
      );
    }
    if (good) {
      const outcome = target.settings.effort === 'quick' ? holds() : await makesOneTag(target);
      await signsInSecondAccount(target, 1);
      return outcome;
    }
    const listed = seen.entries[0];
    return listed === undefined
      ? broken(`create ${whatCame(exchange)}, but no list shows the tag`, exchange, ...seen.exchanges)
      : broken(
          `the tag is listed with the name ${quote(listed.name)}, not ${quote(name)}`,
          exchange,
          ...seen.exchanges,
        );
  },
};

export const lasts: Requirement = {
  id: 'create/lasts',
  section: '4.2',
  sentences: ['4.2/path'],
  level: 'derived',
  derivation: 'Only delete (4.5) removes a tag, and only update (4.3) renames it.',
  text: 'A tag that nobody updates or deletes is unchanged at the end of the run, even if updates and deletes of it were refused, and can then be updated and deleted.',
  signs: ['name-of-another'],
  cause:
    'Tags are kept in memory or in a cache that evicts them, a write to one tag changes others, a write is repeated later, by the name of its tag, or a refused write is carried out later.',
  when: 'throughout',
  tags: KEPT,
  check: async (target) => {
    const untouched = await keeperOfUsedName(target);
    target.note({ keeper: untouched });
    const other = await richlyNamed(target, await target.makeTag());
    const isSent = other !== undefined && target.settings.effort !== 'quick';
    const refused = isSent ? await sendRefusedWrites(target, other) : { sent: [] };
    const finding = other === undefined ? undefined : anonymousEffect(other, refused);
    if (finding !== undefined) return finding;
    const renamed = refused.effect === undefined ? other : undefined;
    return target.run('after the others', async () => {
      for (const keeper of renamed === undefined ? [untouched] : [untouched, renamed]) {
        const { entries, exchanges } = await target.lookUp(keeper.tagId, keeper.name);
        const now = entries.find(({ tagId }) => tagId === keeper.tagId)?.name;
        if (now !== keeper.name) {
          const before = carriedOut(keeper === renamed ? refused.sent : [], now);
          return broken(
            `${now === undefined ? 'a tag that nobody deleted is no longer listed' : `a tag that nobody renamed is now named ${quote(now)}`}${before.why}`,
            ...before.exchanges,
            ...exchanges,
          );
        }
      }
      return renamed === undefined ? holds() : stillChangeable(target, untouched, renamed);
    });
  },
};
