import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import { isFoldedNameOf } from './name-forms.ts';
import { isRunName, PLAIN_LETTERS } from './names.ts';
import type { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';

/** So many refusals may be due to chance: a user whom lists do not show may have filled a quota for a moment. */
const MOST_BY_CHANCE = 2;

/** Statuses of refusals that are about the request. Others may be about the token, a quota or a rate. */
const OF_REQUESTS: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** A limit to the number of tags that counts deleted tags for a while: for a time between these two, in milliseconds. */
interface Limit {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** From no time to one longer than any run. */
const TIMES: readonly number[] = [0, ...Array.from({ length: 60 }, (_, at) => 5 * 1.15 ** at), Infinity];

const LIMITS: readonly Limit[] = TIMES.slice(1).map((mostMs, at) => ({ leastMs: TIMES[at] ?? 0, mostMs }));

/** Whether a body holds a plain name and nothing else. */
const PLAIN_BODY = new RegExp(`^\\{"name":"[a-z]{${PLAIN_LETTERS}}"\\}$`);

const givesPlainName = ({ ask: { body } }: Exchange): boolean =>
  typeof body === 'string' && PLAIN_BODY.test(body);

/** Whether a request has this plain name, and nothing that is odd. */
const isPlain = ({ ask: { regular, body } }: Exchange, name: string): boolean =>
  regular && name.length === PLAIN_LETTERS && isRunName(name) && body === JSON.stringify({ name });

/** Whether a request with this plain name, and nothing else that is odd, was refused. */
const isRefusedPlain = (exchange: Exchange, name: string): boolean =>
  isPlain(exchange, name) && OF_REQUESTS.has(statusOf(exchange));

/** An update that was refused though nothing was wrong with it, if its tag existed. */
export interface RefusedUpdate {
  readonly tag: TagRecord;
  readonly exchange: Exchange;
}

const FORBIDDEN = 403;

/**
 * Whether a target refused an update to a new name though nothing was wrong with it, if the tag exists. 404 says that there is no
 * such tag, whatever the name.
 *
 * @param permitsAll whether the token is for all scopes: then 403 is a refusal as well.
 */
export function isRefusedUnduly(
  { state, mayBeGone, isContended }: TagRecord,
  exchange: Exchange,
  name = '',
  permitsAll = false,
): boolean {
  const isUnfound = exchange.ask.regular && statusOf(exchange) === 404;
  const isForbidden = permitsAll && isPlain(exchange, name) && statusOf(exchange) === FORBIDDEN;
  return (
    state === 'alive' &&
    !mayBeGone &&
    !isContended &&
    (isUnfound || isForbidden || isRefusedPlain(exchange, name))
  );
}

/** Some targets refuse what overlaps. */
const isAnyAlone = (refused: readonly Exchange[]): boolean =>
  refused.some(({ beside }) => beside === undefined);

/** What an account knows of its updates. */
interface Updates {
  readonly refusedUpdates: readonly RefusedUpdate[];
  readonly tags: { readonly records: readonly TagRecord[] };
}

/** The updates of an account that were refused unduly. 403 counts only where no update was accepted: a ban may end. */
function undulyRefused({ refusedUpdates, tags: { records } }: Updates): readonly RefusedUpdate[] {
  const isAnyAccepted = records.some(({ updates }) => updates.length > 0);
  return refusedUpdates.filter(
    (one) => existedLater(one) && !(isAnyAccepted && statusOf(one.exchange) === FORBIDDEN),
  );
}

/** Records updates that were refused unduly, unless there were few of them, or all overlapped. */
export function noteRefusedUpdates(accounts: readonly Updates[], signs: Signs): void {
  const refused = accounts.flatMap(undulyRefused).map(({ exchange }) => exchange);
  if (refused.length <= MOST_BY_CHANCE || !isAnyAlone(refused)) return;
  // The first one decides the finding.
  const plainFirst = refused.toSorted(
    (one, other) => Number(givesPlainName(other)) - Number(givesPlainName(one)),
  );
  for (const exchange of plainFirst)
    signs.record(
      'update-refused',
      `the update of an existing tag to a new name ${whatCame(exchange)}`,
      exchange,
    );
}

/** Whether a list had shown the tag of a refused update, and a later update or delete by the same path was acknowledged. */
function existedLater({ tag: { isSeen, updates, removal }, exchange }: RefusedUpdate): boolean {
  const acknowledged = [...updates.map((update) => update.exchange), removal].filter(
    (one) => one !== undefined && accepted(one),
  );
  const isLater = (one: Exchange | undefined): boolean =>
    one !== undefined && one.startedAt > exchange.startedAt && one.ask.path === exchange.ask.path;
  return isSeen && acknowledged.some(isLater);
}

/**
 * Records creates of plain names that were refused at random. No limit explains them, because others were accepted while as
 * many tags counted. They are no signs if there were few of them, or if all overlapped with other requests.
 *
 * @param accounts the tags of each account: a limit may be that of one account, or of all.
 */
export function noteRefusedCreates(accounts: readonly (readonly TagRecord[])[], signs: Signs): void {
  const all = accounts.flat();
  // A name that a tag has, or had, may be taken.
  const isTaken = ({ names, intendedAt }: TagRecord): boolean =>
    all.some(
      (one) =>
        one.state !== 'refused' &&
        one.intendedAt < intendedAt &&
        [...names].some((name) => isFoldedNameOf(name, one)),
    );
  const refused = all.filter(isRefused).filter((record) => !isTaken(record));
  if (refused.length <= MOST_BY_CHANCE || !isAnyAlone(refused.map(({ refusal }) => refusal))) return;
  const explains = (limit: Limit): boolean => {
    const ofAll = unexplainedBy(limit, all, refused);
    const ofEach = accounts.flatMap((records) =>
      unexplainedBy(
        limit,
        records,
        refused.filter((one) => records.includes(one)),
      ),
    );
    return Math.min(ofAll.length, ofEach.length) <= MOST_BY_CHANCE;
  };
  if (LIMITS.some(explains)) return;
  for (const { names, refusal } of refused)
    signs.record(
      'create-refused',
      `the create of the new name ${quote([...names][0])} ${whatCame(refusal)}, though others were accepted while as many tags existed`,
      refusal,
    );
}

type Refused = TagRecord & { readonly refusal: Exchange };

const isRefused = (record: TagRecord): record is Refused =>
  record.refusal !== undefined && isRefusedPlain(record.refusal, [...record.names][0] ?? '');

/** The refused creates at which no more tags counted than at an accepted one. */
function unexplainedBy(
  limit: Limit,
  records: readonly TagRecord[],
  refused: readonly Refused[],
): readonly Refused[] {
  // An account in which no create was accepted may be full of others' tags.
  const most = Math.max(-1, ...records.filter(isMade).map((record) => leastCounted(limit, records, record)));
  return refused.filter(({ refusal }) => mostCounted(limit, records, refusal) <= most);
}

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

type Made = TagRecord & { readonly creation: Exchange };

/** Whether an accepted create surely made a tag. An answer of 200 may be that of an error. */
const isMade = (record: TagRecord): record is Made =>
  record.creation !== undefined && record.state !== 'intended' && record.state !== 'refused';

/** How many tags surely count during an accepted create. */
function leastCounted({ leastMs }: Limit, records: readonly TagRecord[], { creation: create }: Made): number {
  return records.filter(isMade).filter(({ creation, removal, removedAt = Infinity, mayBeGone }) => {
    // A tag that was found to be gone may have been gone for any time.
    const goneAt = removal?.startedAt ?? (removedAt === Infinity ? Infinity : 0);
    return !mayBeGone && endOf(creation) <= create.startedAt && goneAt + leastMs > endOf(create);
  }).length;
}

/** How many tags may count during a create. */
const mostCounted = ({ mostMs }: Limit, records: readonly TagRecord[], create: Exchange): number =>
  records.filter(
    ({ state, intendedAt, removedAt = Infinity }) =>
      state !== 'refused' && intendedAt <= endOf(create) && removedAt + mostMs >= create.startedAt,
  ).length;
