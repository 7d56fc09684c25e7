import { z } from 'zod';
import { slim, type Answer, type Ask, type Exchange } from '../http/exchange.ts';
import { FIRST_BYTES } from '../http/first-bytes.ts';
import { cut, harmless } from '../http/wording.ts';
import { Secret } from '../secret.ts';
import { LOGIN_PATH, TAGGING_PATH } from '../spec/operations.ts';
import { curl } from './curl.ts';
import { listText, withoutNames } from './list-text.ts';
import type { Masker } from './masker.ts';
import { bodyFileSchema, digestOf, MOST_BODY, sentBody } from './sent-body.ts';

/** The most characters that are shown of a URL or a header line. The command holds the whole URL. */
const MOST_LINE = 2_000;

/** An exchange as data for reports: masked, without other people's names, and cut to a length that a reader can use. */
export const evidenceSchema = z.object({
  number: z.int().describe('Counts the exchanges of the run from 1, in the order in which they were sent.'),
  request: z.object({
    method: z.string(),
    url: z.string().describe(`At most ${MOST_LINE} characters.`),
    headers: z.array(z.string()),
    body: z.string().optional().describe(`At most ${MOST_BODY} characters.`),
  }),
  answer: z
    .object({
      status: z.int(),
      headers: z.array(z.string()),
      body: z.string().describe(`At most ${MOST_BODY} characters.`),
      bytes: z.int().describe('Length of the content in bytes.'),
      sha256: z
        .string()
        .optional()
        .describe(
          'Digest of the content, if `body` is shortened. Left out if the content was not kept whole, holds a secret or is a list.',
        ),
    })
    .optional(),
  failure: z.string().optional().describe('Why there is no answer.'),
  came: z
    .string()
    .optional()
    .describe(
      'The first bytes that came instead of an answer, escaped as in a JSON string, if they show why there is none.',
    ),
  durationMs: z.number(),
  decides: z.literal(true).optional().describe('It is the exchange that decides the finding.'),
  curl: z.string().describe('A command that repeats the request. Secrets stand as shell variables.'),
  file: bodyFileSchema
    .optional()
    .describe('The file that `curl` sends as the body, if the body is too large or not text.'),
});

export type Evidence = z.infer<typeof evidenceSchema>;

/**
 * Turns an exchange into data. Nothing else does. Each text is masked once, and cut after that: half a secret would not
 * be recognised any more.
 *
 * @param base the base URL of the target.
 * @param isOwn whether a name is one that the run gave to a tag.
 * @param meant tag_ids and names of the tags that a finding is about: they come first in a list.
 */
export function evidence(
  exchange: Omit<Exchange, 'startedAt'>,
  base: URL,
  masker: Masker,
  isOwn: (name: string) => boolean,
  meant?: ReadonlySet<string>,
): Evidence {
  const { ask, answer, failure, number } = withoutBulk(exchange);
  const url = shownUrl(base, ask.path, masker);
  const headers = ask.headers.map(([name, value]) => shownHeader(name, labelled(value), masker));
  const body = ask.body === undefined ? undefined : sentBody(ask.body, number, masker);
  return {
    number,
    request: {
      method: ask.method,
      url: cut(url, MOST_LINE),
      headers,
      ...(body === undefined ? {} : { body: body.shown }),
    },
    ...(answer === undefined ? {} : { answer: answerShown(ask, answer, masker, isOwn, meant) }),
    ...(failure === undefined ? {} : { failure: masker.text(failure.message) }),
    ...((failure?.bytes?.length ?? 0) > 0 ? { came: rawText(exchange, masker) } : {}),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    curl: curl(ask.method, url, headers, body?.args ?? []),
    ...(body?.file === undefined ? {} : { file: body.file }),
  };
}

const labelled = (value: string | Secret): string => (value instanceof Secret ? value.label : value);

const shownHeader = (name: string, value: string, masker: Masker): string =>
  `${masker.name(name)}: ${masker.text(value)}`;

/** The paths of the specification are never masked, whatever the secrets are. */
function shownUrl(base: URL, path: string, masker: Masker): string {
  const known = [LOGIN_PATH, TAGGING_PATH].find((one) => path.startsWith(one)) ?? '';
  const start = base.href.replace(/\/+$/, '');
  return `${masker.text(start)}${known}${masker.text(path.slice(known.length))}`;
}

/** Keeps only the start of a large body, unless it is a list: the tags to show are chosen from the whole of it. */
const withoutBulk = <T extends Pick<Exchange, 'ask' | 'answer'>>(exchange: T): T =>
  exchange.ask.operation === 'list' && exchange.answer?.json.value !== undefined ? exchange : slim(exchange);

function answerShown(
  ask: Ask,
  answer: Answer,
  masker: Masker,
  isOwn: (name: string) => boolean,
  meant: ReadonlySet<string> | undefined,
): NonNullable<Evidence['answer']> {
  const { status, bytes, length } = answer;
  const text = answerText(ask, answer, isOwn, meant);
  const masked = length === undefined ? masker.text(text) : masker.startOf(text);
  const isWhole = length === undefined && ask.operation !== 'list' && masked === text;
  return {
    status,
    headers: answer.headers.map(([name, value]) => cut(shownHeader(name, value, masker), MOST_LINE)),
    body: cut(masked, MOST_BODY),
    bytes: length ?? bytes.length,
    ...(isWhole && masked.length > MOST_BODY ? { sha256: digestOf(bytes) } : {}),
  };
}

const decoder = new TextDecoder();

function answerText(
  ask: Ask,
  { json, bytes }: Answer,
  isOwn: (name: string) => boolean,
  meant: ReadonlySet<string> | undefined,
): string {
  const text = decoder.decode(bytes);
  if (ask.operation !== 'list') return text;
  const { value } = json;
  return typeof value === 'object' && value !== null
    ? listText(value, isOwn, meant)
    : withoutNames(text, isOwn);
}

/** The most characters that are shown of an answer that could not be parsed. */
const MOST_RAW = 200;

/** What came instead of an answer, escaped. Content is left out if it may hold a token or other people's tags. */
export function rawText({ ask, failure }: Pick<Exchange, 'ask' | 'failure'>, masker: Masker): string {
  const bytes = failure?.bytes ?? new Uint8Array();
  const text = decoder.decode(bytes);
  const masked = bytes.length < FIRST_BYTES ? masker.text(text) : masker.startOf(text);
  const hidesContent = ask.operation === 'login' || ask.operation === 'list';
  const end = hidesContent ? masked.search(/\r?\n\r?\n|[{[]/) : -1;
  const shown = end === -1 ? masked : `${masked.slice(0, end)}…`;
  return cut(harmless(JSON.stringify(shown).slice(1, -1)), MOST_RAW);
}
