import type { Account } from '../account/account.ts';
import type { TagRecord } from '../account/tags.ts';
import { whatCame } from '../http/wording.ts';
import { evidence } from '../judging/evidence.ts';
import type { Masker } from '../judging/masker.ts';
import { Undecided } from '../outcome.ts';
import { Permits } from '../permits.ts';
import { listedIn, namesIn } from '../spec/reading.ts';
import { ask, pathOf } from '../spec/requests.ts';
import type { Session } from './session.ts';

/** A tag that the run made, or may have made, and that could not be shown to be gone. */
export interface Residue {
  readonly name: string;
  readonly tag_id?: string;
  readonly why: string;
  /** A command that would remove it. */
  readonly curl?: string;
}

/** A tag of the run that a list shows. Without a tag_id that tells it from all others it is left alone. */
interface Remaining {
  readonly tagId?: string;
  readonly name: string;
  readonly why: string;
}

/** This many tags are looked up or removed at once: each may come with a large list. */
const AT_ONCE = 4;

/** Removes what is left of the run in one account, looks whether it is gone, and says what is not. */
export async function removeAll(account: Account, session: Session, masker: Masker): Promise<Residue[]> {
  const { records } = account.tags;
  const inWords = ({ names, tagId }: TagRecord, why: string): Residue =>
    residue(session, masker, { name: [...names][0] ?? '', why, ...(tagId === undefined ? {} : { tagId }) });
  try {
    if (records.length === 0) return [];
    const since = performance.now();
    const lanes = new Permits(AT_ONCE);
    await Promise.all([
      account.list(),
      ...records.map((record) => lanes.use(1, () => account.remove(record))),
    ]);
    // An acknowledged delete may have had no effect, or not show yet: it is sent once more.
    const left = await removeRemaining(account, session, since);
    const { seen } = await session.settling.until(
      async () => ({
        left: left.length === 0 ? left : await removeRemaining(account, session, since),
        exchanges: [],
      }),
      (look) => look.left.length === 0,
    );
    const unconfirmed = records.flatMap((record): Residue[] => {
      const { state, shownAs, tagId } = record;
      if (state === 'intended' && shownAs !== undefined)
        return [inWords(record, 'its tag_id is listed under another name, so it was left alone')];
      const isListed = seen.left.some((one) => one.tagId === tagId);
      return state === 'alive' && !isListed ? [inWords(record, 'its removal was not acknowledged')] : [];
    });
    return [...seen.left.map((tag) => residue(session, masker, tag)), ...unconfirmed];
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return records
      .filter(({ state, isUnfound }) => state !== 'refused' && state !== 'removed' && !isUnfound)
      .map((record) => inWords(record, error.message));
  }
}

/** Deletes what the lists still show, and returns what that was. */
async function removeRemaining(
  account: Account,
  session: Session,
  since: number,
): Promise<readonly Remaining[]> {
  const left = await remaining(account, session, since);
  await Promise.all(
    left.map(async ({ tagId }) => {
      try {
        if (tagId !== undefined) await account.delete(tagId);
      } catch (error) {
        // One tag that cannot be addressed does not keep the others.
        if (!(error instanceof Undecided)) throw error;
      }
    }),
  );
  return left;
}

/**
 * The run's tags that the lists show.
 *
 * @param since when tidying up began, by `performance.now()`.
 * @throws Undecided where the list cannot be read.
 */
async function remaining(account: Account, session: Session, since: number): Promise<readonly Remaining[]> {
  const { names, isPaged } = session;
  const whole = await account.list();
  const listed = listedIn(whole);
  if (listed === undefined)
    throw new Undecided(
      'failure',
      `what is left cannot be told: the list ${whatCame(whole)} and cannot be read`,
    );
  const filtered = isPaged ? await filteredByName(account, since) : [];
  const own = [...listed, ...filtered].flatMap(({ tagId, name }): Remaining[] => {
    if (typeof name !== 'string' || !names.isOwn(name)) return [];
    return account.ownership.isStranger(tagId)
      ? [{ name, why: 'it is listed with a tag_id that the tag of somebody else has' }]
      : [{ tagId, name, why: 'it is still listed' }];
  });
  const unaddressable = namesIn(whole)
    .filter((name) => names.isOwn(name) && !listed.some((tag) => tag.name === name))
    .map((name) => ({ name, why: 'it is listed with a tag_id that is none' }));
  return [...new Map([...own, ...unaddressable].map((tag) => [JSON.stringify(tag), tag])).values()];
}

/** Looks each tag up by its name, because a page of the list may leave it out. */
async function filteredByName(account: Account, since: number) {
  const { records, keepsDeleted } = account.tags;
  // An earlier acknowledged delete is believed, unless some delete turned out to have had no effect.
  const isBelieved = ({ state, removedAt = since }: TagRecord): boolean =>
    state === 'removed' && removedAt < since && !keepsDeleted;
  const lanes = new Permits(AT_ONCE);
  const looks = await Promise.all(
    records
      .filter((record) => record.state !== 'refused' && !isBelieved(record))
      .map(({ names: [name = ''] }) => lanes.use(1, () => account.lookUp(undefined, name))),
  );
  return looks.flatMap(({ entries }) => entries);
}

function residue(
  { contentType, settings }: Session,
  masker: Masker,
  { name, tagId, why }: Remaining,
): Residue {
  if (tagId === undefined || tagId === '' || tagId === '.' || tagId === '..')
    return masker.deep({ name, why });
  const request = ask('delete', pathOf.delete(tagId), { contentType: contentType.delete, extra: [] });
  const headers = [...request.headers, ['Authorization', 'Bearer $TOKEN'] as const];
  const exchange = { number: 0, ask: { ...request, headers }, durationMs: 0 };
  const { curl } = evidence(exchange, settings.base, masker, () => true);
  return masker.deep({ name, tag_id: tagId, why, curl });
}
