import type { Exchange } from './exchange.ts';

/** Control, format and bidirectional characters: anything that a terminal or a reader could be misled by. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

const escapeOf = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** What continuous integration takes for commands in a log: `::error::` at the start of a line, `##[error]` anywhere. */
const COMMAND = /(?<=^\s*):(?=:)|(?<=#)#/g;

/** Text from the target made harmless for a terminal and a log: control and format characters, and commands, as escapes. */
export const harmless = (text: string): string => text.replace(UNSAFE, escapeOf).replace(COMMAND, escapeOf);

/** More than this of one value is of no use to anybody. */
const MOST_QUOTED = 4_000;

/**
 * A value from the target as JSON in one line, harmless. It is shortened to what a reader wants only after secrets are
 * masked in it: half a secret is not recognised any more.
 */
export function quote(value: unknown): string {
  return harmless(cut(JSON.stringify(value) ?? 'undefined', MOST_QUOTED));
}

/** A text that is too long, cut with its length stated. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;

/** Shortens what is quoted in a sentence. */
export const withShortQuotes = (sentence: string, most = 120): string =>
  sentence.replace(/"(?:[^"\\]|\\.)*"?/gs, (quoted) =>
    quoted.length <= most ? quoted : `${cut(quoted, most)}"`,
  );

/** `answered 201`, or `gave no answer: …`. */
export function whatCame({ answer, failure }: Exchange): string {
  return answer === undefined
    ? `gave no answer: ${failure?.message ?? 'unknown'}`
    : `answered ${answer.status}`;
}

/** `POST /api/v2/tagging` */
export const lineOf = ({ ask }: Exchange): string => `${ask.method} ${ask.path}`;
