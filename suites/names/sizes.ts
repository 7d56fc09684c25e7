import { type Exchange, filterQuery, PLAIN_LETTERS } from '../../lib/check.ts';

/** A body of more bytes may be refused: the specification leaves size limits open (8). */
const MOST_BODY = 2 * 1024;

export const hasLargeBody = ({ ask: { body } }: Exchange): boolean =>
  typeof body === 'string' && Buffer.byteLength(body) > MOST_BODY;

/** A query of more encoded bytes may be refused (8): a limit of 1 500 may count the path, too. */
const MOST_QUERY = 1_450;

/** As much of a text as fits into such a query behind a plain name. */
export function queryableEnd(text: string): string {
  const sizeOf = (value: string): number => filterQuery(value).length;
  let left = MOST_QUERY - sizeOf('x'.repeat(PLAIN_LETTERS));
  const characters = [...text];
  const end = characters.findIndex((character) => (left -= sizeOf(character) - sizeOf('')) < 0);
  return end < 0 ? text : characters.slice(0, end).join('');
}

/** The names, each once, that are strings and fit into a query which may not be refused for its length. */
export const queryable = (...names: readonly unknown[]): string[] => [
  ...new Set(
    names.filter(
      (name): name is string => typeof name === 'string' && filterQuery(name).length <= MOST_QUERY,
    ),
  ),
];

/** Every small letter once, in no order that a word or a keyboard has. */
const LETTERS = 'qmzkxwjvbyfpgtchdlnruasoei';

/** This many letters, no two alike in a row: a target may refuse a name with repeated letters. */
export const variedLetters = (count: number): string =>
  LETTERS.repeat(Math.ceil(Math.max(0, count) / LETTERS.length)).slice(0, Math.max(0, count));
