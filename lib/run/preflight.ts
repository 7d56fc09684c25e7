import type { Account } from '../account/account.ts';
import { formOf } from '../account/names.ts';
import type { TagRecord } from '../account/tag-record.ts';
import { attemptsWorth, isOfOutage } from '../http/retryable.ts';
import { accepted, isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import { lineOf, whatCame } from '../http/wording.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import { createdIn, isListRead, listedIn } from '../spec/reading.ts';
import { filterQuery } from '../spec/requests.ts';
import { listWhile } from './damage.ts';
import type { Obstacle, Session } from './session.ts';
import { slipAtLogin } from './slip.ts';

/**
 * Reaches the target, logs in, lists, then creates, finds and deletes a tag, before any check. The run learns which tags
 * are strangers', whether lists are paged, and whether requests without a body need a Content-Type.
 *
 * @returns the step that failed, or undefined.
 */
export function preflight(session: Session): Promise<Obstacle | undefined> {
  const { first } = session;
  return repeat(async () => {
    // A create of the last attempt may have made a tag although it got no answer.
    await ifDecided(() => Promise.all(first.tags.records.map((record) => first.remove(record))));
    return flight(session);
  });
}

/**
 * Repeats work that failed at closed connections or in an outage. Another time-out would double the longest wait, and logins
 * are few.
 *
 * @param attempt does the work once. Returns the exchanges in which it failed, or undefined.
 */
async function repeat<T extends Pick<Obstacle, 'exchanges'>>(
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  for (let number = 1; ; number++) {
    const failure = await attempt();
    const passing = (failure?.exchanges ?? []).filter(
      (exchange) =>
        exchange.failure?.kind === 'closed' ||
        // The name of a create whose answer got lost may be taken by its own tag.
        exchange.followsLost === true ||
        (exchange.ask.operation !== 'login' && isOfOutage(exchange)),
    );
    if (number >= attemptsWorth(passing)) return failure;
  }
}

async function flight(session: Session): Promise<Obstacle | undefined> {
  const { first, client } = session;
  let step: Obstacle['step'] = 'log in';
  try {
    const slip = await slipAtLogin(first.logins);
    if (slip !== undefined && client.stopped === undefined)
      return { step, why: answerTo(slip.exchange), exchanges: [slip.exchange], slip: slip.slip };
    await first.logins.token();
    step = 'list';
    await list(session);
    await listSecond(session);
    step = 'create';
    const created = await create(session);
    step = 'find what was created';
    await find(session, created);
    step = 'delete';
    await remove(session, created.record);
    await ifDecided(() => lookForDeleted(first));
    return undefined;
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    const { stopped, last } = client;
    if (step === 'log in' && stopped !== undefined)
      return { step: 'reach the target', why: stopped, exchanges: last === undefined ? [] : [last] };
    return { step, why: error.message, exchanges: error.outcome.exchanges };
  }
}

const answerTo = (exchange: Exchange): string => `${lineOf(exchange)} ${whatCame(exchange)}`;

/** Fails a step, because of this exchange. */
const failed = (exchange: Exchange, addition = '', ...more: readonly Exchange[]): Undecided =>
  new Undecided('failure', `${answerTo(exchange)}${addition}`, exchange, ...more);

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
async function list(session: Session): Promise<void> {
  const { first } = session;
  const sent = await inFormThatWorks(session, 'list', () => first.list());
  const exchange = await untilReadable(first, session, sent);
  session.before ??= listedIn(exchange);
  if (session.before === undefined)
    throw failed(exchange, accepted(exchange) ? ' without a list that can be read' : '');
  await listNothing(first, session);
}

/**
 * Requests a list again while it cannot be read, because a server that has just started may fail at first. If the account
 * has no tags, the list has to hold an empty array (4.4).
 *
 * @returns the last list.
 */
async function untilReadable(account: Account, { signs }: Session, first: Exchange): Promise<Exchange> {
  // Other refusals may be due to the token.
  const isUnreadable = (list: Exchange): boolean =>
    listedIn(list) === undefined && (accepted(list) || statusOf(list) === 404 || statusOf(list) >= 500);
  const last = await listWhile(account, isUnreadable, first);
  if (isUnreadable(last))
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
async function listSecond(session: Session): Promise<void> {
  const { second } = session;
  if (second === undefined) return;
  await repeat(async () => {
    try {
      await untilReadable(second, session, await second.list());
      await listNothing(second, session);
      return undefined;
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      return error.outcome;
    }
  });
}

/** The tag of the preflight, and its create. */
interface Created {
  readonly name: string;
  readonly record: TagRecord;
  readonly exchange: Exchange;
}

async function create({ first, names }: Session): Promise<Created> {
  const name = names.plain();
  const { record, exchange } = await first.create({ name }, [name]);
  if (!accepted(exchange)) throw failed(exchange);
  return { name, record, exchange };
}

/** A list with fewer tags is no page. */
const LEAST_PAGE = 2;

/** Looks for the tag. The run learns in which letter case the target keeps names, and whether lists are pages. */
async function find(session: Session, { name, exchange }: Created): Promise<void> {
  const { first, settling, names } = session;
  const form = formOf(createdIn(exchange)?.name, name);
  const keptName = form?.[0]?.(name) ?? name;
  const { good, seen } = await settling.until(
    () => first.lookUp(undefined, ...new Set([keptName, name])),
    ({ entries }) => entries.length > 0,
  );
  const kept = seen.entries.some((tag) => tag.name === name) ? name : keptName;
  if (form !== undefined && kept !== name) names.keepIn(form);
  if (!good) {
    // No other request was under way, so the reason is no overlap.
    if (seen.exchanges.every(isListRead))
      session.signs.record(
        'create-lost',
        'the first create, beside which nothing was sent, was acknowledged, and no list shows the tag',
        exchange,
        ...seen.exchanges,
      );
    throw failed(exchange, ', but no list shows the tag, filtered by its name or not', ...seen.exchanges);
  }
  // An unfiltered list may come from a cache. It is a page only if later lists leave out the tag, too.
  const { seen: last } = await settling.until(
    async () => {
      const list = await first.list();
      return { listed: listedIn(list) ?? [], exchanges: [list] };
    },
    ({ listed }) => listed.some((tag) => tag.name === kept),
    { late: 'ignored' },
  );
  if (last.listed.length >= LEAST_PAGE && last.listed.every((tag) => tag.name !== kept))
    settling.notePage(last.listed.length);
}

/** Deletes the tag, unless it is not certain which one it is. */
async function remove(session: Session, { isSeen, tagId }: TagRecord): Promise<void> {
  if (!isSeen || tagId === undefined) return;
  const deleted = await inFormThatWorks(session, 'delete', () => session.first.delete(tagId));
  if (!accepted(deleted)) throw failed(deleted);
}

/** Lists the deleted tag's name. A run that has not seen a tag disappear may make only a few tags. */
async function lookForDeleted(first: Account): Promise<void> {
  const names = first.tags.records.flatMap(({ state, names: [name] }) =>
    state === 'removed' && name !== undefined ? name : [],
  );
  await Promise.all(names.map((name) => first.list(filterQuery(name))));
}
