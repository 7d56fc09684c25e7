import type { Exchange } from '../../lib/check.ts';

/** Patterns of text that disclose internals of a server. */
const INTERNALS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a stack trace', pattern: /^\s*at .*[\w)]\.\w{1,5}:\d+:\d+\)?$/m },
  { what: 'a stack trace', pattern: /^\s*at .*\(?node:[\w/]+:\d+:\d+\)?$/m },
  { what: 'a stack trace', pattern: /\\n\s*at [\w.$<>]+ ?\(/ },
  {
    what: 'a stack trace',
    // `trace` may also be the id of a request: only a list of frames counts, or a text with a line number.
    pattern:
      /Traceback \(most recent call last\)|"trace"\s*:\s*(\[\s*\{|"[^"]*\.\w{1,5}[:(]\d+)|#\d+ [\w/\\.-]+\.\w+\(\d+\)|\bat [\w.$]+\([\w]+\.java:\d+\)/,
  },
  {
    what: 'a query',
    pattern:
      /SQLSTATE\[|\bselect\b.{1,200}\bfrom\s+\S+(\s+(as\s+)?\w+)?\s+where\s+\S+\s*([=<>]|(not\s+)?(like|in)\b|is\s+(not\s+)?null)|\binsert into\b.{1,100}\bvalues\s*\(|\bsyntax error (at or )?near\b/is,
  },
  {
    what: 'a file path',
    // A path after a host name is that of a URL, not a file path.
    pattern:
      /(?<![\w.%-]|[\w/]:?\/)\\?\/(var|home|usr|srv|opt|app|root)(\\?\/[\w.-]+)+\.(?!(html?|css|png|svg|ico|jpe?g|gif|webp|woff2?)\b)\w{1,4}\b|\b[A-Z]:\\\\?[\w ]+\\\\?[\w .\\-]+\.\w{1,4}\b/,
  },
];

/** The number of bytes of an answer that are searched. */
const SEARCHED = 200_000;

/** The kind of internals that the body of an answer discloses, or undefined. */
export function internalsIn({ ask, answer }: Exchange): string | undefined {
  if (answer === undefined) return undefined;
  const text = visible(new TextDecoder().decode(answer.bytes.subarray(0, SEARCHED)));
  const sent = [decoded(ask.path), typeof ask.body === 'string' ? ask.body : ''].map(unescaped);
  return INTERNALS.find(({ pattern }) => {
    const found = pattern.exec(text)?.[0];
    // An answer may repeat what the request said.
    return found !== undefined && !sent.some((one) => one.includes(unescaped(found)));
  })?.what;
}

/**
 * The text of an HTML page without markup, scripts and styles, because their links are URLs of the site; any other text
 * unchanged.
 */
const visible = (text: string): string =>
  /^\s*</.test(text)
    ? text.replace(/<(script|style)\b.*?<\/\1\s*>/gis, ' ').replace(/<\/?[a-z][^<>]*>/gi, ' ')
    : text;

/** A text without the backslashes that JSON may add, so that it can be compared. */
const unescaped = (text: string): string => text.replaceAll('\\', '').trim();

function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '));
  } catch {
    return path;
  }
}
