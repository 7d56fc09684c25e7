import type { Evidence } from '../judging/evidence.ts';

/** How a script tells whether the answer to its last request still shows the fault. */
export type Judge =
  /** It does unless the status is this one. */
  | { readonly kind: 'other status'; readonly expected: string }
  /** It does while the status fits this shell pattern, such as `2??`. */
  | { readonly kind: 'status'; readonly pattern: string }
  /** It does unless the Content-Type is JSON. */
  | { readonly kind: 'media type' }
  /** It does unless Cache-Control forbids to store the answer. */
  | { readonly kind: 'cacheable' }
  /** It does while the body begins with a byte order mark. */
  | { readonly kind: 'byte order mark' }
  /** It does unless the body has the name as it was sent. */
  | { readonly kind: 'name' }
  /** It does while the body has this text. */
  | { readonly kind: 'text'; readonly text: string }
  /** It does while the list shows the same tags of the case as often, by their tag_ids and names. */
  | { readonly kind: 'list' }
  /** It does while the answer has this status, media type and shape. */
  | { readonly kind: 'shape' };

/**
 * Chooses how to tell a fault from its sentence; undefined where an answer that `curl` shows does not tell.
 *
 * @param expected the status and body that were expected, as a report has them.
 */
export function judgeOf(reason: string, expected: string | undefined, decisive: Evidence): Judge | undefined {
  const { answer, request } = decisive;
  if (answer === undefined || /Content-Length|Content-Encoding|times out of/.test(reason)) return undefined;
  if (/Content-Type names (?!the charset)|without Content-Type/.test(reason)) return { kind: 'media type' };
  if (/Cache-Control/.test(reason)) return { kind: 'cacheable' };
  const assigned = /the tag_id ("[^"]+") that the client sent/.exec(reason)?.[1];
  if (assigned !== undefined && request.method === 'POST') return { kind: 'text', text: assigned };
  if (/byte order mark/.test(reason)) return { kind: 'byte order mark' };
  const wanted = /\banswered \d{3}, not (\d{3})\b/.exec(reason)?.[1];
  if (wanted !== undefined) return { kind: 'other status', expected: wanted };
  if (expected?.startsWith('a refusal') === true) return { kind: 'status', pattern: '2??' };
  if (answer.status >= 300 && /redirect|plain http/.test(reason)) return { kind: 'status', pattern: '3??' };
  const said = /\banswered \d{3} with the message ("(?:[^"\\]|\\.)+"), not\b/.exec(reason)?.[1];
  if (said !== undefined && !said.includes('…')) return { kind: 'text', text: `"message":${said}` };
  if (/\banswered \d{3} with (?:an|a|the) |\berror (?:true|false), not\b/.test(reason))
    return { kind: 'shape' };
  if (answer.status >= 400 && !/\b(body|but|yet)\b/.test(reason))
    return { kind: 'status', pattern: String(answer.status) };
  if (/name became|holds the name/.test(reason) && request.method === 'POST') return { kind: 'name' };
  if (
    request.method === 'GET' &&
    answer.status === 200 &&
    !/\bthe body\b|, but \S+ is (?:missing|null|an? )/.test(reason)
  )
    return { kind: 'list' };
  return { kind: 'shape' };
}

/** The lines of a list, one for each tag, as the scripts split it. */
export const entriesOf = (body: string): string[] => body.split(/\}[ \t]*,[ \t]*\{/);

/** How many lines contain both texts. */
export const countIn = (entries: readonly string[], one: string, other = ''): number =>
  entries.filter((line) => line.includes(one) && line.includes(other)).length;

/**
 * A body without its values: what is left is the same in every run. A list of objects is the set of their shapes. The
 * scripts do the same with `sed`.
 */
export function shapeOf(body: string): string {
  const line = body.replaceAll(/\s+/g, ' ');
  const inner = /\[\{(.*)\}\]/.exec(line)?.[1];
  if (inner === undefined) return withoutValues(line);
  const shapes = new Set(entriesOf(inner).map((entry) => withoutValues(`${entry},`)));
  return `${withoutValues(line.replace(/\[\{.*\}\]/, '[]'))} ${[...shapes].toSorted().join(' ')}`;
}

const withoutValues = (text: string): string =>
  text
    .replaceAll('""', 'E')
    .replaceAll(/: *"([^"\\]|\\.)*"/g, ':S')
    .replaceAll(/"([^"\\]|\\.)*"([\],])/g, 'S$2')
    .replaceAll(/\d+/g, 'N');
