import type { Account } from '../account/account.ts';
import { canList } from './lock.ts';
import { bearsLettersOf } from '../account/ownership.ts';
import type { TagRecord } from '../account/tag-record.ts';
import { statusOf, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { evidence } from '../judging/evidence.ts';
import type { Masker } from '../judging/masker.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import { Permits } from '../permits.ts';
import { listedIn, namesIn, type Listed } from '../spec/reading.ts';
import { ask, filterQuery, pathOf } from '../spec/requests.ts';
import { recordLoss, recordRefusals } from './residue-signs.ts';
import type { Session } from './session.ts';

/** A tag that the run made, or may have made, and that could not be shown to be gone. */
export interface Residue {
  readonly name: string;
  readonly tag_id?: string;
  /** `left`: the last list that could be read shows it. `may be left`: nothing tells whether the target still has it. */
  readonly state: 'left' | 'may be left';
  readonly why: string;
  /** A command that would remove it. */
  readonly curl?: string;
}

/** A tag of the run that a list shows, or that may be there. Without a tag_id of its own it is left alone. */
interface Remaining extends Pick<Residue, 'name' | 'state' | 'why'> {
  readonly tagId?: string | undefined;
  /** The answer to the last delete, if it was refused. */
  readonly refusal?: Exchange | undefined;
}

/** A tag of a name that anybody may give. */
const MAY_BE_STRANGERS =
  'no answer tells for sure whether its create made the tag that is there, which may be somebody else’s';

/** This many tags are looked up or removed at once: each may come with a large list. */
const AT_ONCE = 4;

/** Removes what is left of the run in one account, looks whether it is gone, and says what is not. */
export async function removeAll(
  account: Account,
  session: Session,
  masker: Masker,
  lockPausesMs?: readonly number[],
): Promise<Residue[]> {
  const { records } = account.tags;
  if (records.length === 0) return [];
  const since = performance.now();
  const lanes = new Permits(AT_ONCE);
  const isReadable = await canList(account, lockPausesMs);
  // What exists for sure comes first, then what most likely does: the budget or the time may not be enough to look for all.
  const rank = ({ state, isSeen }: TagRecord): number => (state === 'alive' ? (isSeen ? 0 : 1) : 2);
  const inOrder = records.toSorted((one, other) => rank(one) - rank(other));
  const untouched = await untouchedBy(
    // Tags of creates and updates whose answers do not tell what they made are looked for below, as well as those whose
    // delete was refused.
    inOrder.filter(
      ({ state, refusesDelete, shownAs }) =>
        !refusesDelete && (!isReadable || state !== 'intended' || shownAs !== undefined),
    ),
    (record) => lanes.use(1, () => account.remove(record)),
  );
  let left: readonly Remaining[] = [];
  try {
    // An acknowledged delete may have had no effect, or not show yet: it is sent once more.
    left = await removeRemaining(account, session, () => unsettled(account, session, since));
    const first = left;
    const isOfFirst = ({ tagId, names }: TagRecord): boolean =>
      first.some((tag) => tag.tagId === tagId || names.has(tag.name));
    const { seen } = await session.settling.until(
      async () => {
        if (first.length > 0)
          left = await removeRemaining(account, session, () =>
            unsettled(account, session, since).filter(isOfFirst),
          );
        return { left, exchanges: [] };
      },
      (look) => look.left.length === 0,
    );
    recordRefusals(session, seen.left);
    const unlisted = records.filter(
      ({ tagId }) => tagId === undefined || !seen.left.some((one) => one.tagId === tagId),
    );
    const unshown = await Promise.all(
      unlisted.map((record) => lanes.use(1, () => lookAgain(account, session, record))),
    );
    const told = [...seen.left, ...unshown.flat()];
    // A tag that is listed without a tag_id may have one from its create: one line about it is enough.
    const all = told.filter(
      (tag, at) =>
        tag.tagId !== undefined ||
        told.every((other, place) => other.name !== tag.name || (other.tagId === undefined && place >= at)),
    );
    return all.map((tag) => residue(session, masker, tag));
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    // The last look is not the end of the settle time: only a second refusal tells that the tag cannot be deleted.
    recordRefusals(
      session,
      left.filter(({ tagId = '' }) => account.tags.withId(tagId)?.refusesDelete === true),
    );
    return records
      .flatMap((record) => unverified(account, record, untouched.has(record), error.message))
      .map((tag) => residue(session, masker, tag));
  }
}

/** Removes tags, each whatever becomes of the others. Returns those for which no delete was sent. */
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

/** A tag that the list of all tags does not show, which may be a page of them. */
async function lookAgain(account: Account, session: Session, record: TagRecord): Promise<Remaining[]> {
  const { state, shownAs, given, tagId, isSeen, isAcknowledged, outlivedDelete } = record;
  const tag = { name: lastNameOf(record), tagId };
  const isUnclaimed = given !== undefined && account.ownership.isStranger(given.tagId);
  if (state === 'intended' && (shownAs !== undefined || isUnclaimed))
    return [
      {
        ...tag,
        state: 'may be left',
        why: 'the tag_id that its create gave is listed under another name, so it was left alone',
      },
    ];
  // Where the lists have shown no tag of the run, they do not tell that the create made none.
  if (state === 'intended' && isAcknowledged && account.tags.records.every((one) => !one.isSeen))
    return [
      {
        ...tag,
        state: 'may be left',
        why: 'its create was acknowledged, and the lists show no tag of this run',
      },
    ];
  if (account.mayHaveMade(record)) return [{ ...tag, state: 'may be left', why: MAY_BE_STRANGERS }];
  if (state !== 'alive' && !outlivedDelete) return [];
  try {
    const { entries, exchanges } = await account.lookUp(tagId, ...record.names);
    if (entries.some((one) => one.tagId === tagId && record.names.has(String(one.name))))
      return [{ ...tag, state: 'left', why: 'it is still listed' }];
    recordLoss(session, record, exchanges);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return [{ ...tag, state: 'may be left', why: error.message }];
  }
  return isSeen
    ? []
    : [
        {
          ...tag,
          state: 'may be left',
          why: 'its create was answered with this tag_id, but no list shows it',
        },
      ];
}

/**
 * What is known of a tag where no list can be read.
 *
 * @param isUntouched whether tidying up sent no delete for it.
 * @param why why no list can be read.
 */
function unverified(account: Account, record: TagRecord, isUntouched: boolean, why: string): Remaining[] {
  const { state, tagId, isSeen, isUnfound, mayBeGone, outlivedDelete } = record;
  const tag = { name: lastNameOf(record), tagId };
  if (state === 'refused' || (state === 'removed' && !outlivedDelete)) return [];
  if (account.mayHaveMade(record)) return [{ ...tag, state: 'may be left', why: MAY_BE_STRANGERS }];
  if (state === 'intended')
    return isUnfound
      ? []
      : [{ ...tag, state: 'may be left', why: `no answer tells whether its create made it; ${why}` }];
  const isKnown = outlivedDelete || (isUntouched && isSeen && !mayBeGone);
  return [{ ...tag, state: isKnown ? 'left' : 'may be left', why }];
}

const lastNameOf = ({ names }: TagRecord): string => [...names].at(-1) ?? '';

/**
 * Deletes what the lists still show, and returns what that was.
 *
 * @param lookedFor the tags to look for by their names where the list without a filter may not show them.
 */
async function removeRemaining(
  account: Account,
  session: Session,
  lookedFor: () => readonly TagRecord[],
): Promise<readonly Remaining[]> {
  const left = await remaining(account, session, lookedFor);
  // Where tag_ids are given again, a list that is late may still show a deleted tag whose tag_id another one has by now.
  const mayBeLate = (tagId: string): boolean => {
    const { state, removedAt = 0 } = account.tags.withId(tagId) ?? {};
    const isLate = state === 'removed' && performance.now() - removedAt < session.settling.mostMs;
    return isLate && account.tags.givesIdsAgain;
  };
  // A tag that cannot be addressed does not keep the others from being removed.
  return Promise.all(
    left.map(async (tag): Promise<Remaining> => {
      const { tagId } = tag;
      if (tagId === undefined || mayBeLate(tagId)) return tag;
      const exchange = await ifDecided(async () => account.delete(tagId));
      return exchange !== undefined && isRefusedDelete(exchange) ? { ...tag, refusal: exchange } : tag;
    }),
  );
}

/** Whether a delete failed for another reason than its token. */
const isRefusedDelete = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 500 || [400, 404, 405, 409, 410, 422].includes(statusOf(exchange));

/**
 * The run's tags that the lists show.
 *
 * @throws Undecided where the list cannot be read.
 */
async function remaining(
  account: Account,
  { names, pageSize, haveComeBack }: Session,
  lookedFor: () => readonly TagRecord[],
): Promise<readonly Remaining[]> {
  const whole = await account.list();
  const listed = listedIn(whole);
  if (listed === undefined) throw new Undecided('failure', `the list ${whatCame(whole)} and cannot be read`);
  // A page does not show all tags, and where deleted tags have come back, neither kind of list is to be believed alone.
  const isEnough = pageSize === undefined && !haveComeBack;
  const filtered = isEnough ? [] : await filteredByName(account, lookedFor());
  // The target may keep a name in a form of its own.
  const isOwn = (name: string, tagId: string): boolean => {
    const living = account.tags.living(tagId);
    return names.isOwn(name) || (living?.isSeen === true && bearsLettersOf(name, living));
  };
  const own = [...listed, ...filtered].flatMap(({ tagId, name }): Remaining[] => {
    if (typeof name !== 'string' || !isOwn(name, tagId)) return [];
    return account.ownership.isStranger(tagId)
      ? [{ name, state: 'left', why: 'it is listed with a tag_id that the tag of somebody else has' }]
      : [{ tagId, name, state: 'left', why: 'it is still listed' }];
  });
  const unaddressable = namesIn(whole)
    .filter((name) => names.isOwn(name) && !listed.some((tag) => tag.name === name))
    .map((name): Remaining => ({ name, state: 'left', why: 'it is listed with a tag_id that is none' }));
  return [...new Map([...own, ...unaddressable].map((tag) => [JSON.stringify(tag), tag])).values()];
}

/**
 * The tags that may be there. An earlier acknowledged delete is believed, unless some delete turned out to have had no
 * effect.
 *
 * @param since when tidying up began, by `performance.now()`.
 */
function unsettled({ tags }: Account, { accounts }: Session, since: number): readonly TagRecord[] {
  const keepsDeleted = accounts.some((account) => account.tags.keepsDeleted);
  const isBelieved = ({ state, removedAt = since }: TagRecord): boolean =>
    state === 'removed' && removedAt < since && !keepsDeleted;
  return tags.records.filter((record) => record.state !== 'refused' && !isBelieved(record));
}

/** Looks each tag up by its names alone, because the list without a filter has been requested already. */
async function filteredByName(account: Account, records: readonly TagRecord[]): Promise<readonly Listed[]> {
  const lanes = new Permits(AT_ONCE);
  const names = new Set(records.flatMap((record) => [...record.names]));
  const lists = await Promise.all(
    [...names].map((name) => lanes.use(1, () => account.list(filterQuery(name)))),
  );
  return lists.flatMap((list) => listedIn(list) ?? []);
}

function residue(
  { contentType, settings }: Session,
  masker: Masker,
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
