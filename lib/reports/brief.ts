import { cut, harmless } from '../http/wording.ts';
import type { Evidence } from '../judging/evidence.ts';
import type { ReportedRequirement } from './schema.ts';

/** The most characters of a body in brief. */
const MOST = 300;

const MOST_TITLE = 100;

/**
 * One exchange in two lines for a terminal: what was sent, and what came back. An HTML page is represented by its
 * title.
 */
export function inBrief(
  { request, answer, failure, came }: Evidence,
  most = MOST,
): [sent: string, came: string] {
  const sent = `${request.method} ${request.url}${request.body === undefined ? '' : `  ${cut(request.body, most)}`}`;
  if (answer === undefined)
    return [harmless(sent), harmless(`${failure ?? ''}${came === undefined ? '' : `  ${came}`}`)];
  const type = answer.headers
    .find((text) => text.startsWith('content-type: '))
    ?.slice('content-type: '.length);
  const start = `${answer.status}${type === undefined ? '' : ` ${type}`}`;
  return [harmless(sent), harmless(`${start}  ${titleOf(answer.body) ?? cut(answer.body, most)}`)];
}

/** The title of a page of HTML, or undefined for any other text. */
function titleOf(text: string): string | undefined {
  if (!/^\s*<(?:!doctype html|html|head)\b/i.test(text)) return undefined;
  const title = /<title[^>]*>\s*([^<]*?)\s*</i.exec(text)?.[1] ?? '';
  return title === '' ? 'a page without a title' : `a page titled "${cut(title, MOST_TITLE)}"`;
}

/** The case for which a property does not hold, in words. A timeline stands on lines of its own. */
export const caseLine = ({ told, isCutShort }: NonNullable<ReportedRequirement['example']>): string =>
  `The smallest case found${isCutShort === true ? ' before the search reached its limit' : ''}:${told.includes('\n') ? '\n' : ' '}${told}`;

/** The command that repeats a request; if it sends a file, a second line says what the file holds. */
export function repeatLines({ curl, file }: Evidence): string[] {
  if (file === undefined) return [harmless(curl)];
  const { name, bytes, sha256, recipe } = file;
  const digest = sha256 === undefined ? 'with a secret in it' : `SHA-256 ${sha256}`;
  const made = recipe === undefined ? '' : `; to make it: ${recipe}`;
  return [harmless(curl), harmless(`(${name} is no part of the report: ${bytes} bytes, ${digest}${made})`)];
}
