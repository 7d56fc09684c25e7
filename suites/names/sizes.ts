import { type Exchange, filterQuery } from '../../lib/check.ts';

/** A body of more bytes may be refused: the specification leaves size limits open (8). */
const MOST_BODY = 8 * 1024;

export const hasLargeBody = ({ ask: { body } }: Exchange): boolean =>
  typeof body === 'string' && Buffer.byteLength(body) > MOST_BODY;

/** A query of more encoded bytes may be refused (8). */
const MOST_QUERY = 1_500;

/** The names, each once, that are strings and fit into a query which may not be refused for its length. */
export const queryable = (...names: readonly unknown[]): string[] => [
  ...new Set(
    names.filter(
      (name): name is string => typeof name === 'string' && filterQuery(name).length <= MOST_QUERY,
    ),
  ),
];
