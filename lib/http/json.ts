import type { Json } from './exchange.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The most levels of JSON that are read. The interface nests three; deeper nesting would exhaust the stack. */
const MAX_DEPTH = 64;

const NOT_JSON = 'the body is not well-formed JSON';

const STARTS_LIKE_JSON = /^[ \t\r\n]*[[{"\-\dtfn]/;

/**
 * Parses bytes as JSON in UTF-8 without a byte order mark (RFC 8259, 8.1).
 *
 * @returns the value, the problem, or both if the text can be parsed in spite of the problem.
 */
export function readJson(bytes: Uint8Array): Json {
  if (bytes.length === 0) return { problem: 'the body is empty' };
  let text: string;
  let problem: string | undefined;
  try {
    text = strict.decode(bytes);
  } catch {
    text = Buffer.from(bytes).toString('latin1');
    problem = 'the body is not UTF-8';
  }
  if (text.startsWith('\uFEFF')) {
    text = text.slice(1);
    problem = 'the body starts with a byte order mark';
  }
  // When parsing fails, V8 scans the whole text for the line number in its message. This test spares that for HTML pages.
  if (!STARTS_LIKE_JSON.test(text)) return { problem: problem ?? NOT_JSON };
  if (deeperThan(text, MAX_DEPTH))
    return { problem: `the body nests its JSON deeper than ${MAX_DEPTH} levels` };
  try {
    const value: unknown = JSON.parse(text);
    return problem === undefined ? { value } : { value, problem };
  } catch {
    return { problem: problem ?? NOT_JSON };
  }
}

/** Counts brackets outside strings, so that no recursive function runs on hostile JSON. */
function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > limit) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
