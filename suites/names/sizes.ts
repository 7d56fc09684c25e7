import { type Exchange, generated, spec } from '../../lib/check.ts';

/** The most bytes of a body that every target must accept. Size limits are open (8). */
const MOST_BODY = 2 * 1024;

export const hasLargeBody = ({ ask: { body } }: Exchange, most = MOST_BODY): boolean =>
  typeof body === 'string' && Buffer.byteLength(body) > most;

/** The most encoded bytes of a query that every target must accept (8). A limit of 1 500 may include the path. */
const MOST_QUERY = 1_450;

/** As much of a text as fits into such a query after a plain name. */
export function queryableEnd(text: string): string {
  const sizeOf = (value: string): number => spec.filterQuery(value).length;
  let left = MOST_QUERY - sizeOf('x'.repeat(generated.plainLetters));
  const characters = [...text];
  const end = characters.findIndex((character) => (left -= sizeOf(character) - sizeOf('')) < 0);
  return end < 0 ? text : characters.slice(0, end).join('');
}

/** The names that are strings and fit into such a query, without duplicates. */
export const queryable = (...names: readonly unknown[]): string[] => [
  ...new Set(
    names.filter(
      (name): name is string => typeof name === 'string' && spec.filterQuery(name).length <= MOST_QUERY,
    ),
  ),
];

/** Every lower-case letter once, in an order that occurs in no word and on no keyboard. */
const LETTERS = 'qmzkxwjvbyfpgtchdlnruasoei';

/** This many letters, without equal neighbours: a target may refuse a name with repeated letters. */
export const variedLetters = (count: number): string =>
  LETTERS.repeat(Math.ceil(Math.max(0, count) / LETTERS.length)).slice(0, Math.max(0, count));
