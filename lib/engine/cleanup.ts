import { evidence } from '../judging/evidence.ts';
import type { Masker } from '../judging/masker.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { Permits } from '../permits.ts';
import { ask, pathOf } from '../spec/requests.ts';
import { listedIn, namesIn } from './listing.ts';
import type { Record } from './ledger.ts';
import type { Session } from './session.ts';

/** A tag that the run made, or may have made, and that could not be proved to be gone. */
export interface Residue {
  readonly name: string;
  readonly tag_id?: string;
  readonly why: string;
  /** A command that would remove it. */
  readonly curl?: string;
}

/** So many tags are looked for and removed at once: each of them may hold large lists meanwhile. */
const AT_ONCE = 4;

/** Removes what is left of the run, looks whether it is gone, and says what is not. Never throws for the target's sake. */
export async function cleanUp(session: Session, masker: Masker): Promise<Residue[]> {
  try {
    if (session.ledger.records.length === 0) return [];
    const since = performance.now();
    const lanes = new Permits(AT_ONCE);
    await Promise.all([
      session.list(),
      ...session.ledger.records.map((record) => lanes.use(1, () => session.remove(record))),
    ]);
    // A deletion that was acknowledged may not have been carried out, or not show yet: asked again, then believed.
    const left = await removeRemaining(session, since);
    const { seen } = await session.settling.until(
      async () => ({ left: left.length === 0 ? left : await removeRemaining(session, since), exchanges: [] }),
      (look) => look.left.length === 0,
    );
    const listed = seen.left.map(({ name, tagId, why }) => residue(session, masker, name, why, tagId));
    const disguised = session.ledger.records
      .filter(({ state, disguise }) => state === 'pending' && disguise !== undefined)
      .map((record) =>
        unresolved(session, masker, record, 'its tag_id is listed under another name, so it was left alone'),
      );
    const unseen = session.ledger.records
      .filter((record) => record.state === 'alive' && !seen.left.some(({ tagId }) => tagId === record.tagId))
      .map((record) => unresolved(session, masker, record, 'its removal was not acknowledged'));
    return [...listed, ...disguised, ...unseen];
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return session.ledger.records
      .filter(({ state }) => state !== 'refused' && state !== 'removed')
      .map((record) => unresolved(session, masker, record, error.message));
  }
}

/** A tag of the run that a list shows; without a tag_id by which it could be told from all others, it is left alone. */
interface Left {
  readonly tagId?: string;
  readonly name: string;
  readonly why: string;
}

/** Asks once more to delete what the lists still show; returns what that was. */
async function removeRemaining(session: Session, since: number): Promise<readonly Left[]> {
  const left = await remaining(session, since);
  await Promise.all(
    left.map(async ({ tagId }) => {
      try {
        if (tagId !== undefined) await session.delete(tagId);
      } catch (error) {
        // Of one that cannot be addressed the others are none the worse.
        if (!(error instanceof Undecided)) throw error;
      }
    }),
  );
  return left;
}

/**
 * Tags in the lists that are the run's: by name where a list may hide some.
 *
 * @param since when tidying up began.
 */
async function remaining(session: Session, since: number): Promise<readonly Left[]> {
  const lanes = new Permits(AT_ONCE);
  const whole = await session.list();
  const { records } = session.ledger;
  // A delete that was acknowledged earlier is believed, unless another one turned out not to have been carried out.
  const isBelieved = session.ledger.surviving.length === 0;
  const names = records
    .filter(
      ({ state, removedAt = since }) =>
        state !== 'refused' && !(isBelieved && state === 'removed' && removedAt < since),
    )
    .map(({ names: [name] }) => name ?? '');
  const listed = listedIn(whole);
  if (listed === undefined)
    throw new Undecided(
      'failure',
      `what is left cannot be told: the list ${whatCame(whole)} and cannot be read`,
    );
  const lists = [
    listed,
    ...(session.paged
      ? await Promise.all(
          names.map((name) => lanes.use(1, async () => (await session.look(undefined, name)).entries)),
        )
      : []),
  ];
  const own = lists.flat().flatMap(({ tagId, name }): Left[] => {
    if (typeof name !== 'string' || !session.names.isOwn(name)) return [];
    return session.ownership.isStranger(tagId)
      ? [{ name, why: 'it is listed with a tag_id that the tag of somebody else has' }]
      : [{ tagId, name, why: 'it is still listed' }];
  });
  const unaddressable = namesIn(whole)
    .filter((name) => session.names.isOwn(name) && !listed.some((tag) => tag.name === name))
    .map((name) => ({ name, why: 'it is listed with a tag_id that is none' }));
  const all = [...own, ...unaddressable];
  return [...new Map(all.map((tag) => [JSON.stringify(tag), tag])).values()];
}

function unresolved(session: Session, masker: Masker, record: Record, why: string): Residue {
  return residue(session, masker, [...record.names][0] ?? '', why, record.tagId);
}

function residue(
  session: Session,
  masker: Masker,
  name: string,
  why: string,
  tagId: string | undefined,
): Residue {
  if (tagId === undefined || tagId === '' || tagId === '.' || tagId === '..')
    return masker.deep({ name, why });
  const request = ask('delete', pathOf.delete(tagId), { contentType: session.contentType.delete, extra: [] });
  const withToken = {
    ...request,
    headers: [...request.headers, ['Authorization', 'Bearer $TOKEN'] as const],
  };
  const { curl } = evidence(
    { number: 0, ask: withToken, durationMs: 0 },
    session.settings.base,
    masker,
    () => true,
  );
  return masker.deep({ name, tag_id: tagId, why, curl });
}
