import { type Exchange, jsonOf, type Secret, wordPattern } from '../../lib/check.ts';

/** A shorter password may stand in any answer. */
const SHORTEST = 4;

/** Nothing but letters, or nothing but digits: such a password may be a word or a number of any message. */
const ORDINARY = /^(\p{L}{1,15}|\d{1,15})$/u;

/** Whether a password may be a word or a number of any answer. */
export const isOrdinary = (password: Secret): boolean => ORDINARY.test(password.reveal());

/** Whether an answer repeats a password: as a whole value or, if it is no ordinary word, as a word of its own. */
export function repeats(exchange: Exchange, password: Secret): boolean {
  const text = password.reveal();
  if (text.length < SHORTEST) return false;
  const values = stringsIn(jsonOf(exchange) ?? new TextDecoder().decode(exchange.answer?.bytes));
  if (values.includes(text)) return true;
  if (ORDINARY.test(text) || text.trim() === '') return false;
  return values.some((value) => wordPattern(text).test(value));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
