import { statusOf, type Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import { isRunName, PLAIN_LETTERS } from './names.ts';
import type { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';

/** So many refusals may be due to chance: a user whom lists do not show may have filled a quota for a moment. */
const MOST_BY_CHANCE = 2;

/** Statuses of refusals that are about the request. Others may be about the token, a quota or a rate. */
const OF_REQUESTS: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/** A limit to the number of tags for which deleted tags count for a while: for a time between these two, in milliseconds. */
interface Limit {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** From no time to one longer than any run. */
const TIMES: readonly number[] = [0, ...Array.from({ length: 60 }, (_, at) => 5 * 1.15 ** at), Infinity];

const LIMITS: readonly Limit[] = TIMES.slice(1).map((mostMs, at) => ({ leastMs: TIMES[at] ?? 0, mostMs }));

/**
 * Records creates of plain names that were refused at random. No limit explains them, because others were accepted while as
 * many tags counted. They are no signs if there were few of them, or if all overlapped with other requests: some targets refuse what
 * overlaps.
 *
 * @param accounts the tags of each account: a limit may be that of one account, or of all.
 */
export function noteRefusedAtRandom(accounts: readonly (readonly TagRecord[])[], signs: Signs): void {
  const all = accounts.flat();
  const refused = all.filter(isRefusedPlain);
  const isAlone = refused.some(({ refusal }) => refusal.beside === undefined);
  if (refused.length <= MOST_BY_CHANCE || !isAlone) return;
  const explains = (limit: Limit): boolean => {
    const ofAll = unexplainedBy(limit, all);
    const ofEach = accounts.flatMap((records) => unexplainedBy(limit, records));
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

function isRefusedPlain(record: TagRecord): record is Refused {
  const { refusal, names } = record;
  if (refusal === undefined || !OF_REQUESTS.has(statusOf(refusal))) return false;
  const [name = ''] = names;
  const isPlain = name.length === PLAIN_LETTERS && isRunName(name);
  return isPlain && refusal.ask.regular && refusal.ask.body === JSON.stringify({ name });
}

/** The refused creates at which no more tags counted than at an accepted one. */
function unexplainedBy(limit: Limit, records: readonly TagRecord[]): readonly Refused[] {
  const most = Math.max(0, ...records.map(({ creation }) => leastCounted(limit, records, creation)));
  return records.filter(isRefusedPlain).filter(({ refusal }) => mostCounted(limit, records, refusal) <= most);
}

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

/** How many tags surely count during a create; 0 without a create. */
function leastCounted({ leastMs }: Limit, records: readonly TagRecord[], create?: Exchange): number {
  if (create === undefined) return 0;
  return records.filter(({ creation, removal, removedAt = Infinity, mayBeGone }) => {
    const isMade = creation !== undefined && !mayBeGone && endOf(creation) <= create.startedAt;
    return isMade && (removal?.startedAt ?? removedAt) + leastMs > endOf(create);
  }).length;
}

/** How many tags may count during a create. */
const mostCounted = ({ mostMs }: Limit, records: readonly TagRecord[], create: Exchange): number =>
  records.filter(
    ({ state, intendedAt, removedAt = Infinity }) =>
      state !== 'refused' && intendedAt <= endOf(create) && removedAt + mostMs >= create.startedAt,
  ).length;
