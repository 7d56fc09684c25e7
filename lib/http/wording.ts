import type { Exchange } from './exchange.ts';

/** Control, format and bidirectional characters, which can mislead terminals and readers. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

const escapeOf = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Commands that CI systems read from logs: `::error::` at the start of a line, `##[error]` anywhere. */
const COMMAND = /(?<=^\s*):(?=:)|(?<=#)#/g;

/** Makes text from the target harmless for terminals and logs: escapes control characters, format characters and commands. */
export const harmless = (text: string): string => text.replace(UNSAFE, escapeOf).replace(COMMAND, escapeOf);

/** The most characters of one quoted value. */
const MOST_QUOTED = 4_000;

/**
 * Quotes a value from the target as harmless JSON in one line. `withShortQuotes` shortens it further after secrets are
 * masked, because half a secret would not be recognised.
 */
export function quote(value: unknown): string {
  return harmless(cut(JSON.stringify(value) ?? 'undefined', MOST_QUOTED));
}

/** Matches JSON strings in a text; the last one may be cut off. */
export const STRING_LITERALS = /"(?:[^"\\]|\\.)*"?/gs;

/** The same, and strings in apostrophes: some targets write a list in their own language, not in JSON. */
export const ANY_LITERALS = /"(?:[^"\\]|\\.)*"?|(?<![\p{L}\p{N}])'(?:[^'\\\n]|\\.)*'/gsu;

/** Matches a whole literal without escapes. */
const PLAIN = /^"[^"\\]*"$/;

/** The value of a string literal; the literal itself if it is not valid. */
export function unquoted(literal: string): string {
  if (literal.startsWith("'")) return literal.slice(1, -1);
  // Most literals are plain, and lists have many.
  if (PLAIN.test(literal)) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

/** Cuts a text that is too long, and appends its length. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;

/** Matches the path of a request that is longer than any that people read. */
const LONG_PATH = /(?<= \/)[^\s"]{200,}/g;

/** Shortens the quotations and the paths in a sentence. */
export const withShortQuotes = (sentence: string, most = 120): string =>
  sentence
    .replace(STRING_LITERALS, (quoted) => (quoted.length <= most ? quoted : `${cut(quoted, most)}"`))
    .replace(LONG_PATH, (path) => cut(path, most));

/** `answered 201`, or `gave no answer: …`. */
export function whatCame({ answer, failure }: Exchange): string {
  return answer === undefined
    ? `gave no answer: ${failure?.message ?? 'unknown'}`
    : `answered ${answer.status}`;
}

/** `POST /api/v2/tagging` */
export const lineOf = ({ ask }: Pick<Exchange, 'ask'>): string => `${ask.method} ${ask.path}`;
