import type { Account } from '../account/account.ts';
import { formOf } from '../account/names.ts';
import { isOfOutage } from '../http/attempts.ts';
import { accepted, isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import { lineOf, whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { createdIn, listedIn } from '../spec/reading.ts';
import { filterQuery } from '../spec/requests.ts';
import { repeat } from './attempt.ts';
import { ASKED_AGAIN } from './damage.ts';
import type { Obstacle, Session } from './session.ts';
import { slipAtLogin } from './slip.ts';

/**
 * The exchanges that are worth another preflight: closed connections and gateway errors. Another time-out would double the
 * longest wait, and logins are few.
 */
const passingIn = (obstacle: Obstacle | undefined): readonly Exchange[] =>
  (obstacle?.exchanges ?? []).filter(
    (exchange) =>
      exchange.failure?.kind === 'closed' || (exchange.ask.operation !== 'login' && isOfOutage(exchange)),
  );

/**
 * Reaches the target, logs in, lists, then creates, finds and deletes a tag, before any check. The run learns which tags
 * are strangers', whether lists are paged, and whether requests without a body need a Content-Type.
 *
 * @returns the step that failed, or undefined.
 */
export function preflight(session: Session): Promise<Obstacle | undefined> {
  const { first } = session;
  return repeat(
    () => flight(session),
    passingIn,
    async () => {
      // A create without an answer may have made a tag.
      await step('delete', () => Promise.all(first.tags.records.map((record) => first.remove(record))));
      return true;
    },
  );
}

/** Runs one step. Returns an obstacle if the step returns one or throws `Undecided`. */
async function step(name: Obstacle['step'], work: () => Promise<unknown>): Promise<Obstacle | undefined> {
  try {
    const result = await work();
    return isObstacle(result) ? result : undefined;
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { step: name, why: error.message, exchanges: error.outcome.exchanges };
  }
}

const isObstacle = (result: unknown): result is Obstacle =>
  typeof result === 'object' && result !== null && 'step' in result;

async function flight(session: Session): Promise<Obstacle | undefined> {
  const { first, client } = session;
  const login = await step('log in', async () => {
    const found = await slipAtLogin(first.logins);
    if (found !== undefined) return { ...obstacle('log in', found.exchange), slip: found.slip };
    return first.logins.token();
  });
  if (client.stopped !== undefined)
    return {
      step: 'reach the target',
      why: client.stopped,
      exchanges: client.last === undefined ? [] : [client.last],
    };
  let tagId: string | undefined;
  return (
    login ??
    (await step('list', () => list(session))) ??
    (await listSecond(session)) ??
    (await step('create', async () => {
      const made = await make(session);
      if (!isObstacle(made)) ({ tagId } = made);
      return made;
    })) ??
    (await step('delete', async () => (tagId === undefined ? undefined : remove(session, tagId)))) ??
    (await lookForDeleted(session))
  );
}

/**
 * Sends a request without a body: first with Content-Type, as section 5 requires, and if it is refused, without. The run
 * uses the form that works.
 *
 * @returns the accepted exchange, or the refusal of the first one.
 */
async function inFormThatWorks(
  { contentType }: Session,
  operation: 'list' | 'delete',
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  const exchange = await send();
  if (!isClientError(exchange)) return exchange;
  contentType[operation] = false;
  const without = await send();
  if (accepted(without)) return without;
  contentType[operation] = true;
  return without.failure === undefined ? exchange : without;
}

/** Requests the list for the inventory. */
async function list(session: Session): Promise<Obstacle | undefined> {
  const { first } = session;
  const sent = await inFormThatWorks(session, 'list', () => first.list());
  const exchange = await untilReadable(first, session, sent);
  session.before ??= listedIn(exchange);
  if (session.before === undefined)
    return obstacle('list', exchange, accepted(exchange) ? ' without a list that can be read' : '');
  await listNothing(first, session);
  return undefined;
}

/**
 * Requests a list again while it cannot be read, because a server that has just started may fail at first. If the account
 * has no tags, the list has to hold an empty array (4.4).
 *
 * @returns the last list.
 */
async function untilReadable(account: Account, { signs }: Session, exchange: Exchange): Promise<Exchange> {
  let last = exchange;
  // Other refusals may be due to the token.
  const isUnreadable = (): boolean =>
    listedIn(last) === undefined && (accepted(last) || statusOf(last) === 404 || statusOf(last) >= 500);
  for (let time = 0; time < ASKED_AGAIN && isUnreadable(); time++) last = await account.list();
  if (isUnreadable())
    signs.record(
      'list-broken',
      `the list ${whatCame(last)} before the run made its first tag, and cannot be read`,
      last,
    );
  return last;
}

/** Filters by a name that no tag has. Any tag that the list shows is a stranger's. */
async function listNothing(account: Account, { names }: Session): Promise<void> {
  if (account.tags.records.length === 0) await account.list(filterQuery(names.plain()));
}

/** Lists the second account, to know its strangers. Requirements about two accounts report if that fails. */
async function listSecond(session: Session): Promise<undefined> {
  const { second } = session;
  if (second === undefined) return undefined;
  await repeat(
    () =>
      step('list', async () => {
        await untilReadable(second, session, await second.list());
        await listNothing(second, session);
      }),
    passingIn,
    () => Promise.resolve(true),
  );
  return undefined;
}

/** A list with fewer tags is no page. */
const LEAST_PAGE = 2;

/** @returns the tag_id of the new tag, which is undefined if it is not certain; or an obstacle. */
async function make(session: Session): Promise<{ readonly tagId: string | undefined } | Obstacle> {
  const { first } = session;
  const name = session.names.plain();
  const { record, exchange } = await first.create({ name }, [name]);
  if (!accepted(exchange)) return obstacle('create', exchange);
  const form = formOf(createdIn(exchange)?.name, name);
  const keptName = form?.[0]?.(name) ?? name;
  const { good, seen } = await session.settling.until(
    () => first.lookUp(undefined, ...new Set([keptName, name])),
    ({ entries }) => entries.length > 0,
  );
  const kept = seen.entries.some((tag) => tag.name === name) ? name : keptName;
  if (form !== undefined && kept !== name) session.names.keepIn(form);
  if (!good) {
    const why = `${lineOf(exchange)} ${whatCame(exchange)}, but no list shows the tag, filtered by its name or not`;
    return { step: 'find what was created', why, exchanges: [exchange, ...seen.exchanges] };
  }
  // An unfiltered list may come from a cache. It is a page only if later lists leave out the tag, too.
  const { seen: last } = await session.settling.until(
    async () => {
      const list = await first.list();
      return { listed: listedIn(list) ?? [], exchanges: [list] };
    },
    ({ listed }) => listed.some((tag) => tag.name === kept),
    { late: 'ignored' },
  );
  if (last.listed.length >= LEAST_PAGE && last.listed.every((tag) => tag.name !== kept))
    session.settling.notePage(last.listed.length);
  return { tagId: record.isSeen ? record.tagId : undefined };
}

async function remove(session: Session, tagId: string): Promise<Obstacle | undefined> {
  const deleted = await inFormThatWorks(session, 'delete', () => session.first.delete(tagId));
  return accepted(deleted) ? undefined : obstacle('delete', deleted);
}

/** Lists the deleted tag's name. A run that has not seen a tag disappear may make only a few tags. */
async function lookForDeleted({ first }: Session): Promise<undefined> {
  const names = first.tags.records.flatMap(({ state, names: [name] }) =>
    state === 'removed' && name !== undefined ? name : [],
  );
  // It is no obstacle if this list cannot be read.
  await step('delete', () => Promise.all(names.map((name) => first.list(filterQuery(name)))));
  return undefined;
}

const obstacle = (name: Obstacle['step'], exchange: Exchange, addition = ''): Obstacle => ({
  step: name,
  why: `${lineOf(exchange)} ${whatCame(exchange)}${addition}`,
  exchanges: [exchange],
});
