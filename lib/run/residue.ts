import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../account/account.ts';
import { canList } from './lock.ts';
import { commonNamesOfUpdates } from '../account/made-by-updates.ts';
import type { TagRecord } from '../account/tag-record.ts';
import { evidence } from '../judging/evidence.ts';
import { Undecided } from '../outcome.ts';
import { Permits } from '../permits.ts';
import { ask, pathOf } from '../spec/requests.ts';
import {
  ifElsewhere,
  ifHidden,
  ifUnclaimed,
  MAY_BE_STRANGERS,
  mayBeLeft,
  namelessIn,
  removeRemaining,
  unsettled,
  type Remaining,
} from './remaining.ts';
import { removeInTurn } from './remove-in-turn.ts';
import { recordLoss, recordMangled, recordRefusals } from './residue-signs.ts';
import { AT_ONCE, type Session } from './session.ts';

/** A tag that the run made, or may have made, and that may still exist. */
export interface Residue extends Pick<Remaining, 'name' | 'state' | 'why'> {
  readonly tag_id?: string;
  /** A command that would remove it. */
  readonly curl?: string;
}

/** Removes the run's tags from one account, checks that they are gone, and returns those that may not be. */
export async function removeAll(account: Account, session: Session): Promise<Residue[]> {
  const { records } = account.tags;
  if (records.length === 0) return [];
  const since = performance.now();
  const lanes = new Permits(AT_ONCE);
  // A token must not end during the wait, because the budget may allow no other login.
  if (account.logins.mayLackToken) await untilNoneComes(session, records);
  const isReadable = await canList(account);
  // Tags that certainly exist come first, then those that probably do: the budget or the time may not suffice for all.
  const rank = ({ state, isSeen }: TagRecord): number => (state === 'alive' ? (isSeen ? 0 : 1) : 2);
  const inOrder = records.toSorted((one, other) => rank(one) - rank(other));
  const untouched = await untouchedBy(
    // Tags of creates and updates without a clear answer, and tags whose delete was refused, are looked for below.
    inOrder.filter(
      ({ state, refusesDelete, shownAs, given }) =>
        !refusesDelete &&
        (!isReadable || state !== 'intended' || shownAs !== undefined || given !== undefined),
    ),
    (record) => lanes.use(1, () => account.remove(record)),
  );
  let left: readonly Remaining[] = [];
  const removeListed = async (
    lookedFor: (record: TagRecord) => boolean,
    isChosen?: (tag: Remaining) => boolean,
  ): Promise<readonly Remaining[]> =>
    (left = await removeRemaining(
      account,
      session,
      () => unsettled(account, session, since).filter(lookedFor),
      isChosen,
    ));
  try {
    if (isReadable) await untilNoneComes(session, records);
    // An acknowledged delete may have had no effect yet, or none at all: it is sent once more.
    const first = await removeListed(() => true);
    const isOfFirst = ({ tagId, names }: TagRecord): boolean =>
      first.some((tag) => tag.tagId === tagId || names.has(tag.name));
    await session.settling.until(
      async () => ({ left: first.length > 0 ? await removeListed(isOfFirst) : first, exchanges: [] }),
      (look) => look.left.length === 0,
      // These looks keep no exchanges, which a finding about late effects would need.
      { late: 'ignored', kind: 'gone' },
    );
    // Where each look takes many requests, few would be left.
    if (left.length > 0 && session.pageSize === undefined && !session.deletedReappear) {
      // The last of these rounds deletes one tag at the most.
      const refusals = new Map(left.map(({ tagId, refusal }) => [tagId, refusal]));
      await removeInTurn((isChosen) => removeListed(isOfFirst, isChosen), session.settling.mostMs);
      left = left.map((tag) => ({ ...tag, refusal: tag.refusal ?? refusals.get(tag.tagId) }));
    }
    recordRefusals(session, left);
    const unlisted = records.filter(
      ({ tagId }) => tagId === undefined || !left.some((one) => one.tagId === tagId),
    );
    const unshown = await Promise.all(
      unlisted.map((record) => lanes.use(1, () => lookAgain(account, session, record))),
    );
    return onceEach([...left, ...unshown.flatMap((tag) => tag ?? []), ...mayBeOwn(account, session)]).map(
      (tag) => residue(session, tag),
    );
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    // The settle time is not over, so only tags whose delete was refused twice are recorded.
    recordRefusals(
      session,
      left.filter(({ tagId = '' }) => account.tags.withId(tagId)?.refusesDelete === true),
    );
    const why = error.message;
    const unknown = records.flatMap(
      (record) => unverified(account, session, record, untouched.has(record), why) ?? [],
    );
    // The last readable list showed these tags, and the effect of the later delete is not known.
    const unseen = left
      .filter(({ tagId }) => tagId === undefined || unknown.every((one) => one.tagId !== tagId))
      .map((tag): Remaining => ({ ...tag, state: 'may be left', why }));
    return onceEach([...unknown, ...unseen, ...mayBeOwn(account, session)]).map((tag) =>
      residue(session, tag),
    );
  } finally {
    await recordMangled(account, session);
  }
}

/**
 * The common names of tags on a target that makes several tags of one create: a second tag of such a name, and a stranger's, look
 * alike.
 */
function namesakes({ tags, commonNames }: Account): readonly string[] {
  const { records } = tags;
  if (records.every(({ copies }) => copies.length === 0)) return [];
  const names = new Set(records.flatMap((record) => [...record.names]));
  const unknown = commonNames.newOf(names).filter(({ tagId }) => tags.withId(tagId) === undefined);
  return unknown.map(({ name }) => name);
}

/** Tags of which no answer shows whether the run made them. */
function mayBeOwn(account: Account, session: Session): readonly Remaining[] {
  const { tags, ownership } = account;
  const ofUpdates = commonNamesOfUpdates(tags.records, session.names, ownership.strangers);
  return [
    ...namelessIn(account, session),
    ...[...namesakes(account), ...ofUpdates].map((name): Remaining => ({
      name,
      state: 'may be left',
      why: MAY_BE_STRANGERS,
    })),
  ];
}

/** Removes duplicates: a tag that is listed without a tag_id may also be there with the tag_id from its create. */
const onceEach = (told: readonly Remaining[]): readonly Remaining[] =>
  told.filter(
    (tag, at) =>
      tag.tagId !== undefined ||
      told.every(
        ({ name, tagId, givenId }, place) =>
          name !== tag.name || (tagId === undefined && (place >= at || givenId !== tag.givenId)),
      ),
  );

/** How much longer the target may carry out a create that got no answer, in milliseconds. */
const mayComeForMs = ({ client }: Session, { state, givenUpAt }: TagRecord): number =>
  state === 'intended' && givenUpAt !== undefined
    ? givenUpAt + client.timeLimit.mostMs - performance.now()
    : 0;

/** Waits, if there is time, until the target can no longer carry out creates that got no answer. */
async function untilNoneComes(session: Session, records: readonly TagRecord[]): Promise<void> {
  const leftMs = session.client.leftMs - session.tidyingMs();
  const ms = Math.min(leftMs, Math.max(...records.map((record) => mayComeForMs(session, record))));
  // A timer ends up to a millisecond early, and drops the fraction of its time.
  if (ms > 0) await sleep(Math.ceil(ms) + 1);
}

/** Removes tags, each independently of the others. Returns those for which no delete was sent. */
async function untouchedBy(
  records: readonly TagRecord[],
  remove: (record: TagRecord) => Promise<void>,
): Promise<ReadonlySet<TagRecord>> {
  const untouched = new Set<TagRecord>();
  await Promise.all(
    records.map(async (record) => {
      try {
        await remove(record);
      } catch (error) {
        if (!(error instanceof Undecided)) throw error;
        if (!error.wasSent) untouched.add(record);
      }
    }),
  );
  return untouched;
}

/** Looks for a tag that the unfiltered list does not show, because that list may be a page. */
async function lookAgain(
  account: Account,
  session: Session,
  record: TagRecord,
): Promise<Remaining | undefined> {
  const unclaimed = ifUnclaimed(account, record);
  if (unclaimed !== undefined) return unclaimed;
  const { state, given, tagId, isSeen, isUnfound, isAcknowledged, outlivedDelete, removal, isLikelyGone } =
    record;
  if (mayComeForMs(session, record) > 0)
    return mayBeLeft(record, 'its create got no answer, and the target may still carry it out');
  if (state === 'intended' && given !== undefined && !isUnfound)
    return mayBeLeft(record, 'its create was answered with a tag_id, and no list could be asked whose it is');
  // If lists have never shown a tag of the run, they do not prove that the create made none.
  if (state === 'intended' && isAcknowledged && account.tags.records.every((one) => !one.isSeen))
    return mayBeLeft(record, 'its create was acknowledged, and the lists show no tag of this run');
  const common = ifCommon(account, record);
  if (common !== undefined) return common;
  if (state === 'removed' && removal === undefined && !isLikelyGone && account.losesCreates)
    return mayBeLeft(record, 'no list shows it, but lists leave out other tags of this run, too');
  const hidden = ifHidden(record) ?? ifElsewhere(session, record);
  if (hidden !== undefined) return hidden;
  if (state !== 'alive' && !outlivedDelete) return undefined;
  try {
    const { entries, exchanges } = await account.lookUp(tagId, ...record.names);
    if (entries.some((one) => one.tagId === tagId && record.names.has(String(one.name))))
      return { ...mayBeLeft(record, 'it is still listed'), state: 'left' };
    // The name may be a stranger's, which no report shows.
    if (entries.some((one) => one.tagId === tagId))
      return mayBeLeft(record, 'its tag_id is listed with another name, so it was left alone');
    recordLoss(session, record, exchanges);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return mayBeLeft(record, error.message);
  }
  return isSeen
    ? undefined
    : mayBeLeft(record, 'its create was answered with this tag_id, but no list shows it');
}

/**
 * The state of a tag if no list can be read.
 *
 * @param isUntouched whether tidying up sent no delete for it.
 * @param why why no list can be read.
 */
function unverified(
  account: Account,
  session: Session,
  record: TagRecord,
  isUntouched: boolean,
  why: string,
): Remaining | undefined {
  const unclaimed = ifUnclaimed(account, record);
  if (unclaimed !== undefined) return unclaimed;
  const { state, isSeen, isUnfound, mayBeGone, outlivedDelete } = record;
  if (state === 'refused') return undefined;
  const hidden = ifHidden(record);
  if (hidden !== undefined) return hidden;
  if (state === 'removed' && !outlivedDelete)
    return session.deletesWork ? undefined : mayBeLeft(record, `it was deleted, and ${why}`);
  const common = ifCommon(account, record);
  if (common !== undefined) return common;
  if (state === 'intended')
    return isUnfound ? undefined : mayBeLeft(record, `no answer shows whether its create made a tag; ${why}`);
  const isKnown = outlivedDelete || (isUntouched && isSeen && !mayBeGone);
  return { ...mayBeLeft(record, why), state: isKnown ? 'left' : 'may be left' };
}

/** A tag with a common name that a create without a clear answer may have made, as a list shows it. */
function ifCommon(account: Account, record: TagRecord): Remaining | undefined {
  const name = account.maybeMadeAs(record);
  return name === undefined ? undefined : { ...mayBeLeft(record, MAY_BE_STRANGERS), name };
}

/** What the report tells of a tag. */
export function residue(
  { contentType, settings, masker }: Session,
  { name, tagId, state, why }: Remaining,
): Residue {
  const told = { name: masker.text(name), state, why: masker.text(why) };
  if (tagId === undefined || tagId === '' || tagId === '.' || tagId === '..') return told;
  const request = ask('delete', pathOf.delete(tagId), { contentType: contentType.delete, extra: [] });
  const headers = [...request.headers, ['Authorization', 'Bearer $TOKEN'] as const];
  const exchange = { number: 0, ask: { ...request, headers }, durationMs: 0 };
  const { curl } = evidence(exchange, settings.base, masker, () => true);
  return { ...told, tag_id: masker.text(tagId), curl: masker.text(curl) };
}
