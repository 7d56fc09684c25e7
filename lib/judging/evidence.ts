import { z } from 'zod';
import { slim, type Answer, type Ask, type Exchange } from '../http/exchange.ts';
import { TAPE_BYTES } from '../http/tape.ts';
import { cut, harmless } from '../http/wording.ts';
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
  came: z
    .string()
    .optional()
    .describe(
      'The first bytes of what came in its place, as a JSON string would hold them, where they show why.',
    ),
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
  const { ask, answer, failure, number } = readable(exchange);
  const url = `${base.href.replace(/\/+$/, '')}${ask.path}`;
  const headers = ask.headers.map(([name, value]): [string, string] => [name, masker.text(shown(value))]);
  const body = ask.body === undefined ? undefined : masker.text(bodyText(ask.body));
  // Masked before it is cut: half a secret would not be recognised any more.
  const shortened = (text: string): string => cut(masker.text(text), MOST);
  return masker.deep({
    number,
    request: {
      method: ask.method,
      url,
      headers: headers.map(line),
      ...(body === undefined ? {} : { body: shortened(body) }),
    },
    ...(answer === undefined
      ? {}
      : {
          answer: {
            status: answer.status,
            headers: answer.headers.map(([name, value]) => shortened(line([name, value]))),
            body: cut(answerText(ask, answer, masker, isOwn), MOST),
            bytes: answer.length ?? answer.bytes.length,
          },
        }),
    ...(failure === undefined ? {} : { failure: failure.message }),
    ...((failure?.bytes?.length ?? 0) > 0 ? { came: rawText(exchange, masker) } : {}),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    curl: curl(ask.method, url, headers, body),
  });
}

const line = ([name, value]: readonly [string, string]): string => `${name}: ${value}`;
const shown = (value: string | Secret): string => (value instanceof Secret ? value.label : value);

function bodyText(body: string | Uint8Array | Secret): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : shown(body);
}

/** Of a large body its start, unless it is a list, whose tags are chosen from all of it. */
const readable = (exchange: Exchange): Exchange =>
  exchange.ask.operation === 'list' && exchange.answer?.json.value !== undefined ? exchange : slim(exchange);

/** So much of what could not be parsed shows what is wrong with it. */
const MOST_RAW = 200;

/** What came in place of an answer, escaped. Tokens and other people's tags stand in bodies: these are left out. */
function rawText({ ask, failure }: Exchange, masker: Masker): string {
  const bytes = failure?.bytes ?? new Uint8Array();
  const text = new TextDecoder().decode(bytes);
  const sure = bytes.length < TAPE_BYTES ? masker.text(text) : masker.startOf(text);
  const isTelling = ask.operation === 'login' || ask.operation === 'list';
  const end = isTelling ? sure.search(/\r?\n\r?\n|[{[]/) : -1;
  const shown = end === -1 ? sure : `${sure.slice(0, end)}…`;
  return cut(harmless(JSON.stringify(shown).slice(1, -1)), MOST_RAW);
}

/** Members whose text says nothing of a tag. */
const TELLING = new Set(['tag_id', 'id', 'message', 'error', 'code', 'status']);

/** How many tags of a list a reader is shown. */
const MOST_TAGS = 25;

/** Lists hold other people's tags, whose names are somebody's data: text that is not the run's is left out of them. */
function answerText(ask: Ask, answer: Answer, masker: Masker, isOwn: (name: string) => boolean): string {
  const body = answer.json.value;
  if (ask.operation === 'list' && typeof body === 'object' && body !== null)
    return masker.text(listText(body, isOwn));
  const text = new TextDecoder().decode(answer.bytes);
  const masked = answer.length === undefined ? masker.text(text) : masker.startOf(text);
  return ask.operation === 'list' ? withoutStrings(masked, isOwn) : masked;
}

function listText(body: object, isOwn: (name: string) => boolean): string {
  const kept = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return isOwn(value) || TELLING.has(key) ? value : "[another's]";
    if (Array.isArray(value)) return value.map((item) => kept(item, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, kept(item, name)]));
  };
  const tags: unknown = 'tagging' in body ? body.tagging : undefined;
  if (!Array.isArray(tags)) return JSON.stringify(kept(body, ''));
  // The run's own tags first, so that cutting never hides the ones that matter.
  const mine = (tag: unknown): boolean =>
    [...JSON.stringify(tag).matchAll(STRING)].some(([literal]) => isOwn(unquoted(literal)));
  const ordered = tags.length <= 10 ? tags : [...tags.filter(mine), ...tags.filter((tag) => !mine(tag))];
  const shown = JSON.stringify(kept({ ...body, tagging: ordered.slice(0, MOST_TAGS) }, ''));
  return tags.length > MOST_TAGS ? `${shown} and ${tags.length - MOST_TAGS} more tags` : shown;
}

const STRING = /"(?:[^"\\]|\\.)*"?/gs;

/** In what is no JSON, every quoted text that is neither the run's nor the name of a member. */
const withoutStrings = (text: string, isOwn: (name: string) => boolean): string =>
  text.replace(STRING, (literal, at: number) =>
    isOwn(unquoted(literal)) || /^\s*:/.test(text.slice(at + literal.length, at + literal.length + 20))
      ? literal
      : '"[another\'s]"',
  );

function unquoted(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

const SHELL_VARIABLE = /\$(?=[A-Z_]*(?:TOKEN|PASSWORD|HEADER))/;

/** Quotes for a POSIX shell; labels of secrets stay outside single quotes, so that the shell fills them in. */
export function shellQuote(text: string): string {
  if (!SHELL_VARIABLE.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text.replace(/["\\`]/g, '\\$&').replace(/\$(?![A-Z_]*(?:TOKEN|PASSWORD|HEADER))/g, '\\$&');
  return `"${escaped}"`;
}

function curl(
  method: string,
  url: string,
  headers: readonly [string, string][],
  body: string | undefined,
): string {
  const parts = ['curl', '-i', '-X', method, shellQuote(url)];
  for (const pair of headers) parts.push('-H', shellQuote(line(pair)));
  if (body !== undefined) parts.push('--data-raw', shellQuote(body));
  return parts.join(' ');
}

/** One exchange in two lines, for a terminal: what was sent, and what came. */
export function inBrief({ request, answer, failure, came }: Evidence): [string, string] {
  const sent = `${request.method} ${request.url}${request.body === undefined ? '' : `  ${cut(request.body, 300)}`}`;
  if (answer === undefined)
    return [harmless(sent), harmless(`${failure ?? ''}${came === undefined ? '' : `  ${came}`}`)];
  const type = answer.headers
    .find((text) => text.startsWith('content-type: '))
    ?.slice('content-type: '.length);
  return [
    harmless(sent),
    harmless(`${answer.status}${type === undefined ? '' : ` ${type}`}  ${cut(answer.body, 300)}`),
  ];
}
