import { evidence } from '../judging/evidence.ts';
import type { Masker } from '../judging/masker.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { ask, pathOf } from './asks.ts';
import { listedIn, type Listed } from './listing.ts';
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

/** Removes what is left of the run, looks whether it is gone, and says what is not. Never throws for the target's sake. */
export async function cleanUp(session: Session, masker: Masker): Promise<Residue[]> {
  try {
    if (session.ledger.records.length === 0) return [];
    const since = performance.now();
    await Promise.all([session.list(), ...session.ledger.records.map((record) => session.remove(record))]);
    // A deletion that was acknowledged may not have been carried out, or not show yet: asked again, then believed.
    const left = await removeRemaining(session, since);
    const { seen } = await session.settle(
      async () => ({ left: left.length === 0 ? left : await removeRemaining(session, since), exchanges: [] }),
      (look) => look.left.length === 0,
    );
    const listed = seen.left.map((tag) =>
      residue(session, masker, String(tag.name), 'it is still listed', tag.tagId),
    );
    const unseen = session.ledger.records
      .filter((record) => record.state === 'alive' && !seen.left.some(({ tagId }) => tagId === record.tagId))
      .map((record) => unresolved(session, masker, record, 'its removal was not acknowledged'));
    return [...listed, ...unseen];
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return session.ledger.records
      .filter(({ state }) => state === 'alive' || state === 'pending')
      .map((record) => unresolved(session, masker, record, error.message));
  }
}

/** Asks once more to delete what the lists still show; returns what that was. */
async function removeRemaining(session: Session, since: number): Promise<Listed[]> {
  const left = await remaining(session, since);
  await Promise.all(left.map(({ tagId }) => session.delete(tagId)));
  return left;
}

/**
 * Tags in the lists that are the run's: by name where a list may hide some.
 *
 * @param since when tidying up began.
 */
async function remaining(session: Session, since: number): Promise<Listed[]> {
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
      ? await Promise.all(names.map(async (name) => (await session.look(undefined, name)).entries))
      : []),
  ];
  const own = lists
    .flat()
    .filter(
      ({ tagId, name }) =>
        !session.ownership.isStranger(tagId) && typeof name === 'string' && session.names.isOwn(name),
    );
  return [...new Map(own.map((tag) => [tag.tagId, tag])).values()];
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
