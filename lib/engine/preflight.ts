import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import { lineOf, whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { filterQuery } from '../spec/requests.ts';
import { listedIn } from './listing.ts';
import type { Session } from './session.ts';

/** The first step that did not work, told so that a person knows what to mend. */
export interface Obstacle {
  readonly step: 'reach the target' | 'log in' | 'list' | 'create' | 'find what was created' | 'delete';
  readonly why: string;
  readonly exchanges: readonly Exchange[];
}

const PLACE = 'preflight';

/** A connection that broke may hold the next time. */
const MOST_TIMES = 3;
const isBroken = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(({ failure }) => failure?.kind === 'closed');

/**
 * Reaches the target, logs in, lists, creates, finds and deletes one tag, before anything is judged. What it learns on
 * the way (which form of a request without a body works, whose tags are there) the whole run uses.
 *
 * @returns what stood in the way, or undefined.
 */
export async function preflight(session: Session): Promise<Obstacle | undefined> {
  for (let time = 1; ; time++) {
    const obstacle = await flight(session, time === 1 ? PLACE : `${PLACE} ${time}`);
    if (obstacle === undefined || !isBroken(obstacle.exchanges) || time === MOST_TIMES) return obstacle;
    // What it made may be there all the same.
    await step('delete', () => removeAll(session));
  }
}

async function step(
  name: Obstacle['step'],
  work: () => Promise<Obstacle | undefined>,
): Promise<Obstacle | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { step: name, why: error.message, exchanges: exchangesOf(error) };
  }
}

const exchangesOf = ({ outcome }: Undecided): readonly Exchange[] =>
  'exchanges' in outcome ? outcome.exchanges : [];

async function removeAll(session: Session): Promise<undefined> {
  await Promise.all(session.ledger.records.map((record) => session.remove(record)));
}

/** @param place from which the name of its tag follows. */
async function flight(session: Session, place: string): Promise<Obstacle | undefined> {
  const login = await step('log in', async () => {
    await session.account.token();
    return undefined;
  });
  if (session.client.stopped !== undefined) {
    const { stopped, last } = session.client;
    return { step: 'reach the target', why: stopped, exchanges: last === undefined ? [] : [last] };
  }
  let made: Made | undefined;
  return (
    login ??
    (await step('list', () => list(session))) ??
    (await inventoryOfSecond(session)) ??
    (await step('create', async () => {
      const result = await make(session, place);
      if ('step' in result) return result;
      made = result;
      return undefined;
    })) ??
    (await step('delete', async () => (made?.tagId === undefined ? undefined : remove(session, made.tagId))))
  );
}

interface Made {
  /** Undefined where the tag cannot be told for sure. */
  readonly tagId: string | undefined;
}

/** Lists once for the inventory, with Content-Type first, as section 5 demands, then without. */
async function list(session: Session): Promise<Obstacle | undefined> {
  let exchange = await session.list();
  if (isClientError(exchange)) {
    session.contentType.list = false;
    const without = await session.list();
    if (accepted(without)) exchange = without;
    else session.contentType.list = true;
  }
  session.before ??= listedIn(exchange);
  if (session.before !== undefined) {
    await listNothing(session);
    return undefined;
  }
  return obstacle('list', accepted(exchange) ? 'without a list that can be read' : '', exchange);
}

/** Lists by a name that no tag has: what is shown all the same is somebody's, and the filter shows it under any name. */
async function listNothing(session: Session): Promise<void> {
  if (session.ledger.records.length === 0) await session.list(filterQuery(session.names.plain(PLACE)));
}

/** Lists the second account as well, so that its strangers are known before anything is done there. */
async function inventoryOfSecond({ second }: Session): Promise<undefined> {
  for (let time = 1; ; time++) {
    try {
      await second?.list();
      if (second !== undefined) await listNothing(second);
      return;
    } catch (error) {
      // What concerns the second account says so by itself.
      if (!(error instanceof Undecided)) throw error;
      if (!isBroken(exchangesOf(error)) || time === MOST_TIMES) return;
    }
  }
}

async function make(session: Session, place: string): Promise<Made | Obstacle> {
  const name = session.names.plain(place);
  const { record, exchange } = await session.create({ name }, name);
  if (!accepted(exchange)) return obstacle('create', '', exchange);
  const { good, seen } = await session.settling.until(
    () => session.look(undefined, name),
    ({ entries }) => entries.length > 0,
  );
  if (!good) {
    return {
      step: 'find what was created',
      why: `${lineOf(exchange)} ${whatCame(exchange)}, but no list shows the tag, filtered by its name or not`,
      exchanges: [exchange, ...seen.exchanges],
    };
  }
  // A page of the list may hide tags; the run then reads filtered lists where it has to be sure.
  const whole = listedIn(await session.list());
  session.paged = whole !== undefined && !whole.some((tag) => tag.name === name);
  return { tagId: record.seen ? record.tagId : undefined };
}

/** Deletes with Content-Type first, as section 5 demands, then without. */
async function remove(session: Session, tagId: string): Promise<Obstacle | undefined> {
  let deleted = await session.delete(tagId);
  if (isClientError(deleted)) {
    session.contentType.delete = false;
    const without = await session.delete(tagId);
    if (accepted(without) || without.failure !== undefined) deleted = without;
    if (!accepted(without)) session.contentType.delete = true;
  }
  return accepted(deleted) ? undefined : obstacle('delete', '', deleted);
}

const isClientError = (exchange: Exchange): boolean => statusOf(exchange) >= 400 && statusOf(exchange) < 500;

function obstacle(step: Obstacle['step'], addition: string, exchange: Exchange): Obstacle {
  const why = `${lineOf(exchange)} ${whatCame(exchange)}${addition === '' ? '' : ` ${addition}`}`;
  return { step, why, exchanges: [exchange] };
}
