import type { Account } from '../account/account.ts';
import { bearsLettersOf } from '../account/name-forms.ts';
import type { Names } from '../account/names.ts';
import type { TagRecord } from '../account/tag-record.ts';
import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import { Permits } from '../permits.ts';
import { listedIn, namesInList, textOfName, type Listed } from '../spec/reading.ts';
import { filterQuery } from '../spec/requests.ts';
import { AT_ONCE, type Session } from './session.ts';

/** A tag of the run that is still listed, or may exist. Without a tag_id it is left alone. */
export interface Remaining {
  readonly name: string;
  readonly tagId?: string | undefined;
  /** The tag_id that its create gave, if it may be that of a stranger's tag: no delete must be sent for it. */
  readonly givenId?: string;
  /** `left`: the last readable list shows it. `may be left`: it is not known whether it exists. */
  readonly state: 'left' | 'may be left';
  readonly why: string;
  /** The answer to the last delete, if it was refused. */
  readonly refusal?: Exchange | undefined;
}

/** The reason for a tag that no create was answered with, and whose name holds letters of the run. */
const HOLDS_LETTERS =
  'its name contains random letters of this run, but another user may have copied it, so it was left alone';

/** The reason for a tag with a common name. */
export const MAY_BE_STRANGERS =
  'a tag with this name exists, but no answer shows whether this run or another user made it';

/** The share of the requests left that may look for tags by their names. The others may remove the tags found. */
const LOOKS_SHARE = 1 / 2;

/** Why a listed tag that is not known to be the run's may be left of it, or undefined. */
function whyMaybeOwn(
  { ownership, tags }: Account,
  names: Names,
  tagId: string,
  name: string,
): string | undefined {
  if (ownership.isOwn(name) || names.holdsPiece(name)) return HOLDS_LETTERS;
  // A tag with a common name may have come back after its delete, or another user's may have its tag_id.
  return tags.wasDeleted(tagId, name) ? MAY_BE_STRANGERS : undefined;
}

/**
 * Deletes the run's tags that lists still show, and returns them.
 *
 * @param lookedFor the tags to look for by their names if the unfiltered list may not show them.
 * @param isChosen which of them to delete; by default all.
 */
export async function removeRemaining(
  account: Account,
  session: Session,
  lookedFor: () => readonly TagRecord[],
  isChosen: (tag: Remaining) => boolean = () => true,
): Promise<readonly Remaining[]> {
  const askedAt = performance.now();
  const left = await remaining(account, session, lookedFor);
  // If tag_ids are reused, a list that lags may show a deleted tag whose tag_id another tag has by now. It may lag longer than the
  // settle time, so if others make tags meanwhile, no tag_id is deleted twice.
  const mayBeLate = (tagId: string): boolean => {
    const { state, removedAt = 0 } = account.tags.withId(tagId) ?? {};
    const isLate = account.ownership.haveStrangersChanged || askedAt - removedAt < session.settling.mostMs;
    return state === 'removed' && account.tags.deleted.givesIdsAgain && isLate;
  };
  // If one tag cannot be addressed, the others are removed all the same.
  return Promise.all(
    left.map(async (tag): Promise<Remaining> => {
      const { tagId } = tag;
      if (tagId === undefined || mayBeLate(tagId) || !isChosen(tag)) return tag;
      const exchange = await ifDecided(async () => account.delete(tagId));
      const given = givenIdOf(account, tag);
      if (exchange !== undefined && statusOf(exchange) === 404 && given !== undefined)
        await ifDecided(async () => account.delete(given));
      return exchange !== undefined && isRefusedDelete(exchange) ? { ...tag, refusal: exchange } : tag;
    }),
  );
}

/**
 * The tag_id that the create of a listed tag gave, if lists show the tag with another one, as if they round numbers. Undefined if a
 * stranger's tag may have that tag_id by now: a delete of the tag was acknowledged, or the run used the name twice.
 */
function givenIdOf({ tags, ownership }: Account, { name, tagId }: Remaining): string | undefined {
  const [record, another] = tags.records.filter(({ names }) => names.has(name));
  if (record?.given === undefined || another !== undefined || record.given.tagId === tagId) return undefined;
  const { given, isLikelyGone, removal } = record;
  const mayBeFreed = isLikelyGone || (removal !== undefined && accepted(removal));
  return mayBeFreed || ownership.strangers.has(given.tagId) ? undefined : given.tagId;
}

/** Whether a delete failed, and not because its token ended: the token is for all scopes, so 403 counts. */
const isRefusedDelete = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 500 || [400, 403, 404, 405, 409, 410, 422].includes(statusOf(exchange));

/**
 * The run's tags that lists show.
 *
 * @throws Undecided if the list cannot be read.
 */
async function remaining(
  account: Account,
  { names, pageSize, deletedReappear, client }: Session,
  lookedFor: () => readonly TagRecord[],
): Promise<readonly Remaining[]> {
  // An answer may depend on earlier requests of its connection.
  const whole = await account.list(undefined, { opensConnection: true });
  const listed = listedIn(whole);
  if (listed === undefined) throw new Undecided('failure', `the list ${whatCame(whole)} and cannot be read`);
  // A page does not show all tags, and if deleted tags have reappeared, neither kind of list is reliable alone.
  const isEnough = pageSize === undefined && !deletedReappear;
  const mostLooks = Math.floor(client.budget.leftForTidying * LOOKS_SHARE);
  const filtered = isEnough ? [] : await filteredByName(account, names, lookedFor(), mostLooks);
  // The target may keep a name in another form.
  const isOwn = (name: string, tagId: string): boolean => {
    const known = account.tags.withId(tagId);
    // A tag that counts as deleted may still exist.
    const isItsId =
      known?.state === 'alive' || (known?.state === 'removed' && !account.tags.deleted.givesIdsAgain);
    return names.isOwn(name) || (isItsId && known.isSeen && bearsLettersOf(name, known));
  };
  const own = [...listed, ...filtered].flatMap(({ tagId, name: shown }): Remaining[] => {
    const name = textOfName(shown);
    if (!isOwn(name, tagId)) {
      const why = whyMaybeOwn(account, names, tagId, name);
      return why === undefined ? [] : [{ name, state: 'may be left', why }];
    }
    return account.ownership.strangers.has(tagId)
      ? [{ name, state: 'left', why: 'the list shows it with the tag_id of another user’s tag' }]
      : [{ tagId, name, state: 'left', why: 'it is still listed' }];
  });
  const unaddressable = namesInList(whole)
    .filter((name) => names.isOwn(name) && !listed.some((tag) => tag.name === name))
    .map((name): Remaining => ({ name, state: 'left', why: 'the list shows it without a usable tag_id' }));
  return [...new Map([...own, ...unaddressable].map((tag) => [JSON.stringify(tag), tag])).values()];
}

/**
 * The tags that may still exist. Acknowledged deletes from before the tidying count, unless some delete had no effect, or lists
 * showed second tags with names of the run: a page may have left out further ones.
 *
 * @param since when tidying up began, by `performance.now()`.
 */
export function unsettled({ tags }: Account, { accounts }: Session, since: number): readonly TagRecord[] {
  const keepsDeleted = accounts.some((account) =>
    account.tags.records.some(({ outlivedDelete }) => outlivedDelete),
  );
  const isCopied = tags.records.some(({ copies }) => copies.length > 0);
  const isBelieved = ({ state, mayBeTwice, removedAt = since }: TagRecord): boolean =>
    state === 'removed' && removedAt < since && !keepsDeleted && !isCopied && !mayBeTwice;
  return tags.records.filter((record) => record.state !== 'refused' && !isBelieved(record));
}

/** The reason for tags that were named by the target itself, or without a visible character. */
const LEFT_BY_REFUSED =
  'requests that were refused left tags of this name, but another user may have such tags, too, so all were left alone';

const isBlank = (name: unknown): name is string => typeof name === 'string' && name.trim() === '';

/**
 * Tags that refused requests left, one entry for each name: those that checks found, and tags without a visible character in
 * their names, if the target refuses such names and lists are no pages.
 */
export function namelessIn(
  { leftBehind, tags: { records }, ownership }: Account,
  { pageSize }: Session,
): readonly Remaining[] {
  const asked = records.filter(({ names }) => [...names].some(isBlank));
  const isAccepted = asked.some(
    ({ names, creation, updates }) =>
      updates.some(({ name }) => isBlank(name)) || (creation !== undefined && isBlank([...names][0])),
  );
  const [first] = asked;
  const blank =
    first === undefined || isAccepted || pageSize !== undefined
      ? []
      : ownership.strangers.namesSince(first.intendedAt).filter(isBlank);
  return [...new Set([...leftBehind, ...blank])].map((name) => ({
    name,
    state: 'may be left',
    why: LEFT_BY_REFUSED,
  }));
}

/**
 * The lists filtered by the names of these tags: of those that may exist first, then of those deleted last. Where a create got
 * no clear answer, nothing has shown in which form the target keeps its name, so the lists by its likely forms come at the end.
 */
async function filteredByName(
  account: Account,
  forms: Names,
  records: readonly TagRecord[],
  most: number,
): Promise<readonly Listed[]> {
  const lanes = new Permits(AT_ONCE);
  const last = ({ state, removedAt = 0 }: TagRecord): number =>
    state === 'removed' ? removedAt : Number.MAX_VALUE;
  const inOrder = records.toSorted((one, other) => last(other) - last(one));
  const names = inOrder.flatMap((record) => [...record.names]);
  const unanswered = inOrder.flatMap(({ state, names: given }) => (state === 'intended' ? [...given] : []));
  const sought = new Set([...names, ...unanswered.flatMap((name) => forms.likelyForms(name))]);
  const lists = await Promise.all(
    [...sought].slice(0, most).map((name) => lanes.use(1, () => account.list(filterQuery(name)))),
  );
  return lists.flatMap((list) => listedIn(list) ?? []);
}

/**
 * A tag whose tag_id, which its create gave, lists show with a name that may be a stranger's; undefined for any other tag.
 * Either the create gave a stranger's tag_id, or the target kept nothing of the name.
 */
export function ifUnclaimed({ ownership }: Account, record: TagRecord): Remaining | undefined {
  const { state, given, shownAs = given && ownership.strangers.nameOf(given.tagId) } = record;
  if (state !== 'intended' || given === undefined || shownAs === undefined) return undefined;
  // The name may be a stranger's, which no report shows.
  const why = `the tag_id ${quote(given.tagId)} that its create gave is listed with another name, so it was left alone`;
  return { ...mayBeLeft(record, why), givenId: given.tagId };
}

/**
 * A tag of another token that the run's token could not delete; undefined for any other tag. A faulty target may hide such tags from
 * the run's token.
 */
export function ifHidden(record: TagRecord): Remaining | undefined {
  const { state, isOfOtherToken, mayBeGone, removal } = record;
  const isRefused = state === 'removed' && removal !== undefined && !accepted(removal);
  // An earlier delete whose answer was lost may have removed it.
  if (!isRefused || !isOfOtherToken || mayBeGone) return undefined;
  const what = `its create was sent with another token than its delete, which ${whatCame(removal)}`;
  return mayBeLeft(record, `${what}, and no list shows it`);
}

/**
 * A tag that the run could not delete, on a target that takes one account for the other now and then: its create may have been
 * carried out in the other account, whose list shows the tag only at times. Undefined for any other tag.
 */
export function ifElsewhere({ signs }: Session, record: TagRecord): Remaining | undefined {
  const { state, removal } = record;
  if (state !== 'removed' || removal === undefined || accepted(removal)) return undefined;
  if (signs.of('list-of-another').length === 0) return undefined;
  return mayBeLeft(
    record,
    `its delete ${whatCame(removal)}, and lists of one account showed tags of the other, so it may be there`,
  );
}

export const mayBeLeft = ({ name, tagId }: TagRecord, why: string): Remaining => ({
  name,
  tagId,
  state: 'may be left',
  why,
});
