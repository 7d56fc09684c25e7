import { z } from 'zod';
import { type Exchange } from '../http/exchange.ts';
import { listedIn } from '../engine/listing.ts';
import { quote } from '../http/wording.ts';
import { Secret } from '../secret.ts';
import type { Masker } from './masker.ts';

/** An exchange as data for reports: masked, with strangers' names left out, and cut to what a reader can use. */
export const evidenceSchema = z.object({
  number: z.int().describe('Counts the exchanges of the run from 1, in the order in which they were sent.'),
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(z.string()),
    body: z.string().optional(),
  }),
  answer: z
    .object({
      status: z.int(),
      headers: z.array(z.string()),
      body: z.string(),
      bytes: z.int().describe('Length of the content in bytes.'),
    })
    .optional(),
  failure: z.string().optional().describe('Why there is no answer.'),
  durationMs: z.number(),
  curl: z.string().describe('A command that repeats the request; secrets stand as shell variables.'),
});

export type Evidence = z.infer<typeof evidenceSchema>;

/** Bodies and headers are shown up to this many characters. */
const MOST = 2_000;

/** The one place where an exchange becomes data. */
export function evidence(
  exchange: Exchange,
  base: URL,
  masker: Masker,
  isOwn: (name: string) => boolean,
): Evidence {
  const { ask, answer, failure, number } = exchange;
  const url = `${base.href.replace(/\/+$/, '')}${ask.path}`;
  const headers = ask.headers.map(([name, value]): [string, string] => [name, shown(value)]);
  const body = ask.body === undefined ? undefined : bodyText(ask.body);
  return masker.deep({
    number,
    request: {
      method: ask.method,
      url,
      headers: headers.map(line),
      ...(body === undefined ? {} : { body: cut(body) }),
    },
    ...(answer === undefined
      ? {}
      : {
          answer: {
            status: answer.status,
            headers: answer.headers.map(([name, value]) => cut(line([name, value]))),
            body: cut(answerText(exchange, isOwn)),
            bytes: answer.bytes.length,
          },
        }),
    ...(failure === undefined ? {} : { failure: failure.message }),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    curl: curl(ask.method, url, headers, body),
  });
}

const line = ([name, value]: readonly [string, string]): string => `${name}: ${value}`;
const shown = (value: string | Secret): string => (value instanceof Secret ? value.label : value);

function bodyText(body: string | Uint8Array | Secret): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : shown(body);
}

function cut(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}… (${text.length} characters)`;
}

/** Tag names in lists that are not the run's are somebody's data. */
function answerText(exchange: Exchange, isOwn: (name: string) => boolean): string {
  const { answer, ask } = exchange;
  if (answer === undefined) return '';
  const text = new TextDecoder().decode(answer.bytes.subarray(0, 4 * MOST));
  if (ask.operation !== 'list') return text;
  const body = answer.json.value;
  if (listedIn(exchange) === undefined || typeof body !== 'object' || body === null) {
    return text.replace(/("name"\s*:\s*)"((?:[^"\\]|\\.)*)"?/g, (whole, key: string, name: string) =>
      isOwn(name) ? whole : `${key}"[another's]"`,
    );
  }
  const tags = (body as { tagging: unknown[] }).tagging;
  const named = tags.map((tag) => {
    const name: unknown = typeof tag === 'object' && tag !== null && 'name' in tag ? tag.name : undefined;
    return typeof name !== 'string' || isOwn(name)
      ? { own: true, tag }
      : { own: false, tag: { ...(tag as object), name: "[another's]" } };
  });
  // The run's own tags first, so that cutting never hides the ones that matter.
  const ordered =
    tags.length <= 10 ? named : [...named.filter(({ own }) => own), ...named.filter(({ own }) => !own)];
  const rest = ordered.length - 25;
  const list = JSON.stringify({ ...body, tagging: ordered.slice(0, 25).map(({ tag }) => tag) });
  return rest > 0 ? `${list} and ${rest} more tags` : list;
}

const SHELL_VARIABLE = /\$(TOKEN|PASSWORD|HEADER)\w*/;

/** Quotes for a POSIX shell; labels of secrets stay outside single quotes, so that the shell fills them in. */
export function shellQuote(text: string): string {
  if (SHELL_VARIABLE.test(text))
    return `"${text.replace(/["\\`]/g, '\\$&').replace(/\$(?!(TOKEN|PASSWORD|HEADER))/g, '\\$&')}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curl(
  method: string,
  url: string,
  headers: readonly [string, string][],
  body: string | undefined,
): string {
  const parts = ['curl', '-i', '-X', method, shellQuote(url)];
  for (const pair of headers) parts.push('-H', shellQuote(line(pair)));
  if (body !== undefined) parts.push('--data-binary', shellQuote(body));
  return parts.join(' ');
}

/** One exchange in two lines, for a terminal: what was sent, and what came. */
export function inBrief({ request, answer, failure }: Evidence): [string, string] {
  const sent = `${request.method} ${request.url}${request.body === undefined ? '' : `  ${quoteText(request.body)}`}`;
  if (answer === undefined) return [sent, failure ?? ''];
  const type = answer.headers
    .find((text) => text.startsWith('content-type: '))
    ?.slice('content-type: '.length);
  return [sent, `${answer.status}${type === undefined ? '' : ` ${type}`}  ${quoteText(answer.body)}`];
}

const quoteText = (text: string): string => quote(text, 300).slice(1, -1).replaceAll('\\"', '"');
