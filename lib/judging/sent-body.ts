import { createHash } from 'node:crypto';
import { z } from 'zod';
import { cut } from '../http/wording.ts';
import { Secret } from '../secret.ts';
import { shellQuote } from './curl.ts';
import type { Masker } from './masker.ts';

/** The most characters of a body, sent or received, that evidence shows. A longer body is not part of a command. */
export const MOST_BODY = 4_000;

export const bodyFileSchema = z.object({
  name: z.string(),
  bytes: z.int(),
  sha256: z.string().optional().describe('Left out if the body holds a secret.'),
  recipe: z.string().optional().describe('A shell command that makes the file, if there is a short one.'),
});

/** A file from which a command reads a body. The report does not contain the file. */
type BodyFile = z.infer<typeof bodyFileSchema>;

/** The body of a request in three views: as readers see it, as arguments of `curl`, and as the file that these name. */
export interface SentBody {
  readonly shown: string;
  readonly args: readonly string[];
  readonly file?: BodyFile;
}

/**
 * Masks a body once, and shortens it after that: half a secret would not be recognised any more.
 *
 * @param number the number of the exchange, which gives the file its name.
 */
export function sentBody(body: string | Uint8Array | Secret, number: number, masker: Masker): SentBody {
  // The shell fills in the secret; a file could not.
  if (body instanceof Secret) return inline(masker.text(body.label));
  const bytes = Buffer.from(body);
  const utf8 = bytes.toString();
  const isText = Buffer.from(utf8).equals(bytes);
  const text = isText ? utf8 : bytes.toString('latin1');
  const masked = masker.text(text);
  // An argument of a command ends at a NUL, and is text in the encoding of the terminal.
  if (isText && !text.includes('\0') && masked.length <= MOST_BODY) return inline(masked);
  const name = `body-${number}.bin`;
  const recipe = isText && !text.includes('\0') ? recipeOfText(masked) : recipeOfBytes(bytes);
  const isWhole = masked === text;
  return {
    shown: cut(masked, MOST_BODY),
    args: ['--data-binary', `@${name}`],
    file: {
      name,
      bytes: bytes.length,
      // If one word of a text is unknown, the digest of the text confirms a guess of that word.
      ...(isWhole ? { sha256: digestOf(bytes) } : {}),
      ...(recipe === undefined || (!isText && !isWhole) ? {} : { recipe: `${recipe} > ${name}` }),
    },
  };
}

const inline = (text: string): SentBody => ({
  shown: cut(text, MOST_BODY),
  args: ['--data-raw', shellQuote(text)],
});

/** SHA-256 in hexadecimal digits. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The most characters that a recipe spells out. */
const MOST_SPELLED = 500;

/** A command that prints a text most of which is one character repeated. */
function recipeOfText(text: string): string | undefined {
  const run = longestRun(text);
  if (run === undefined) return undefined;
  const { character, times, start } = run;
  const end = start + times * character.length;
  if (text.length - (end - start) > MOST_SPELLED) return undefined;
  const [before, after] = [text.slice(0, start), text.slice(end)];
  return [
    `{ printf %s ${shellQuote(before)}`,
    `yes ${shellQuote(character)} | head -n ${times} | tr -d '\\n'`,
    `printf %s ${shellQuote(after)}; }`,
  ].join('; ');
}

const FEWEST_REPEATED = 100;

/** The longest repetition of one character other than a line feed, if it is long enough to shorten. */
function longestRun(
  text: string,
): { readonly character: string; readonly times: number; readonly start: number } | undefined {
  let longest = { character: '', start: 0, end: 0 };
  let [character, start, at] = ['', 0, 0];
  const endRun = (): void => {
    const times = (at - start) / character.length;
    if (character !== '\n' && times >= FEWEST_REPEATED && at - start > longest.end - longest.start)
      longest = { character, start, end: at };
  };
  for (const next of text) {
    if (next !== character) {
      endRun();
      [character, start] = [next, at];
    }
    at += next.length;
  }
  endRun();
  return longest.end === 0
    ? undefined
    : { ...longest, times: (longest.end - longest.start) / longest.character.length };
}

/** A command that prints a few bytes that are no text. */
function recipeOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_SPELLED) return undefined;
  const spelled = Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && !`%\\'`.includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `printf '${spelled.join('')}'`;
}
