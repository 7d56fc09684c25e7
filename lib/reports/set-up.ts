import type { Exchange } from '../http/exchange.ts';
import type { Masker } from '../judging/masker.ts';
import { TAGGING_PATH } from '../spec/operations.ts';
import { createdIn } from '../spec/reading.ts';
import { encoded } from '../spec/requests.ts';
import type { ReportedRequirement } from './schema.ts';

/** The most tags that are made again to repeat a finding. */
const MOST_SET_UP = 5;

/** The most updates of a tag that are sent again. */
const MOST_UPDATES = 4;

/** What is needed to make a tag of the run again. */
export interface OwnTag {
  /** The name that it was made under. */
  readonly name: string;
  /** The names of acknowledged updates, and when they were sent, by `performance.now()`. */
  readonly updates: readonly { readonly name: string; readonly sentAt: number }[];
  /** Whether it is a tag of the second account. */
  readonly isSecond: boolean;
  /** When it was made, and when it was deleted, by `performance.now()`; undefined if that is not known. */
  readonly madeAt: number | undefined;
  readonly removedAt: number | undefined;
}

/**
 * The tags of the run that the exchanges of a finding need and that other exchanges made.
 *
 * @param own the tags of the run, by tag_id.
 * @param why the sentence of the finding.
 */
export function setUpOf(
  exchanges: readonly Exchange[],
  why: string,
  own: ReadonlyMap<string, OwnTag>,
  masker: Masker,
): NonNullable<ReportedRequirement['setUp']> {
  const setUp = [...own].flatMap(([tagId, tag]) => {
    const { name, updates, isSecond, removedAt } = tag;
    const concerned = exchanges.filter(
      (exchange) => concerns(exchange, tagId, tag) || takesName(exchange, tagId, tag),
    );
    if (tagId === '' || (concerned.length === 0 && !why.includes(JSON.stringify(name)))) return [];
    if (areMakers(exchanges, tagId, tag)) return [];
    const startedAt = Math.min(
      ...(concerned.length === 0 ? exchanges : concerned).map((one) => one.startedAt),
    );
    const earlier = updates
      .filter((update) => update.sentAt < startedAt)
      .slice(-MOST_UPDATES)
      .map((update) => masker.text(update.name));
    return [
      {
        tag_id: masker.text(tagId),
        name: masker.text(name),
        ...(earlier.length === 0 ? {} : { updates: earlier }),
        ...(removedAt !== undefined && removedAt < startedAt ? { gone: true as const } : {}),
        ...(isSecond ? { second: true as const } : {}),
      },
    ];
  });
  return setUp.slice(0, MOST_SET_UP);
}

/** Whether a tag was made by the exchanges themselves, also by one that should have been refused, or after them. */
const areMakers = (exchanges: readonly Exchange[], tagId: string, { name, madeAt }: OwnTag): boolean =>
  madeAt === undefined
    ? exchanges.some((exchange) => createdIn(exchange)?.tagId === tagId)
    : exchanges.every(({ startedAt }) => startedAt < madeAt) ||
      exchanges.some(
        (exchange) =>
          exchange.startedAt < madeAt && (createdIn(exchange)?.tagId === tagId || sends(exchange, name)),
      );

/** Whether a body holds a name: as a string, or as a number or another value that a target may convert to this name. */
const sends = ({ ask: { body } }: Exchange, name: string): boolean =>
  typeof body === 'string' && (body.includes(JSON.stringify(name)) || body === `{"name":${name}}`);

/** Whether an update gives this name. */
const gives = ({ ask: { method, body } }: Exchange, name: string): boolean =>
  method === 'PUT' && typeof body === 'string' && body.includes(JSON.stringify(name));

/** Whether a request updates another tag to a name that this tag had before it. */
function takesName(exchange: Exchange, tagId: string, { name, updates, madeAt = Infinity }: OwnTag): boolean {
  if (exchange.ask.path.endsWith(`/${encoded(tagId)}`)) return false;
  const had = [{ name, sentAt: madeAt }, ...updates].filter(({ sentAt }) => sentAt < exchange.startedAt);
  return had.some((one) => gives(exchange, one.name));
}

/** Whether a request names a tag: in its path, in its filter or in its body. */
function concerns(
  { ask: { path, method, body } }: Exchange,
  tagId: string,
  { name, updates }: OwnTag,
): boolean {
  const names = [name, ...updates.map((update) => update.name)];
  const text = typeof body === 'string' ? body : '';
  const rest = path.startsWith(`${TAGGING_PATH}/`) ? path.slice(TAGGING_PATH.length + 1) : '';
  const after = rest.startsWith(encoded(tagId)) ? rest.slice(encoded(tagId).length) : undefined;
  return (
    // The start of a longer number would be another tag_id.
    (after !== undefined && !/^\d/.test(after)) ||
    names.some((one) => path.endsWith(`?tag=${encoded(one)}`)) ||
    text.includes(`"${tagId}"`) ||
    (method === 'POST' && text.includes(JSON.stringify(name)))
  );
}
