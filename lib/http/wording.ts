import type { Exchange } from './exchange.ts';

/** Control, format and bidirectional characters: anything that a terminal or a reader could be misled by. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

const escapeOf = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

/** Text from the target made harmless for a terminal: control and format characters as escapes. */
export const harmless = (text: string): string => text.replace(UNSAFE, escapeOf);

/** A value from the target as JSON in one line, harmless, cut with its length stated. */
export function quote(value: unknown, most = 120): string {
  const text = JSON.stringify(value) ?? 'undefined';
  const shown = text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
  return harmless(shown);
}

/** `answered 201`, or `gave no answer: …`. */
export function whatCame({ answer, failure }: Exchange): string {
  return answer === undefined
    ? `gave no answer: ${failure?.message ?? 'unknown'}`
    : `answered ${answer.status}`;
}

/** `POST /api/v2/tagging` */
export const lineOf = ({ ask }: Exchange): string => `${ask.method} ${ask.path}`;
