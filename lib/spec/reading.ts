import { accepted, type Exchange, memberOf } from '../http/exchange.ts';

/**
 * Lenient readers of answers. They drive the run, so a target whose bodies depart from the specification can still be
 * tested. The schemas in `bodies.ts` judge the bodies.
 */

/** A tag as an answer shows it. A numeric tag_id is read as a string. */
export interface Listed {
  readonly tagId: string;
  readonly name: unknown;
}

/** A listed name as text; of another type than a string, as JSON. A target may keep a name as it was wrongly sent. */
export const textOfName = (name: unknown): string =>
  typeof name === 'string' ? name : (JSON.stringify(name) ?? '');

/** A cache: lists may be long, and each is read in many places. */
const lists = new WeakMap<Exchange, readonly Listed[]>();

/** The tags in the answer to a list, or undefined if it cannot be read as one. */
export function listedIn(exchange: Exchange): readonly Listed[] | undefined {
  const items = itemsIn(exchange);
  if (items === undefined) return undefined;
  const listed = lists.get(exchange) ?? items.flatMap((item) => tagIn(item) ?? []);
  lists.set(exchange, listed);
  return listed;
}

/** False for an accepted list that has an item without a usable tag_id or name; true for any other exchange. */
export function isListRead(exchange: Exchange): boolean {
  if (exchange.ask.operation !== 'list' || !accepted(exchange)) return true;
  const items = itemsIn(exchange);
  return items !== undefined && items.every((item) => typeof tagIn(item)?.name === 'string');
}

/** The names in the answer to a list, also of items without a usable tag_id. */
export const namesInList = (exchange: Exchange): string[] =>
  (itemsIn(exchange) ?? []).flatMap((item) => {
    const name: unknown = (item as { name?: unknown } | null)?.name;
    return typeof name === 'string' ? name : [];
  });

/** The tag in the answer to a create, or undefined if it shows none. */
export const createdIn = (exchange: Exchange): Listed | undefined => tagIn(taggingIn(exchange));

/** The token in the answer to a login, whatever its status. */
export function tokenIn(exchange: Exchange): string | undefined {
  const token = memberOf(exchange, 'access_token');
  return typeof token === 'string' && token !== '' ? token : undefined;
}

const taggingIn = (exchange: Exchange): unknown =>
  accepted(exchange) ? memberOf(exchange, 'tagging') : undefined;

function itemsIn(exchange: Exchange): readonly unknown[] | undefined {
  const tagging = taggingIn(exchange);
  return Array.isArray(tagging) ? tagging : undefined;
}

/** A longer tag_id is not usable: it fits into no path. */
const MOST_ID = 4_096;

function tagIn(item: unknown): Listed | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { tag_id: id, name } = item as { tag_id?: unknown; name?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return id === '' || String(id).length > MOST_ID ? undefined : { tagId: String(id), name };
}
