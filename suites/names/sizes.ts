import { type Exchange, filterQuery } from '../../lib/check.ts';

/** A body beyond this size, in bytes, may be refused (8). */
const MOST_BODY = 8 * 1024;

export const hasLargeBody = ({ ask: { body } }: Exchange): boolean =>
  typeof body === 'string' && Buffer.byteLength(body) > MOST_BODY;

/** A query from this size on, as it is written, may be refused (8). */
const MOST_QUERY = 1_500;

/** Those of some names that fit into a query of a size that may not be refused, each once. */
export const queryable = (...names: readonly unknown[]): string[] => [
  ...new Set(
    names.filter(
      (name): name is string => typeof name === 'string' && filterQuery(name).length <= MOST_QUERY,
    ),
  ),
];
