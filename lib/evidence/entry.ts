import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { USER_AGENT } from '../http/on-the-wire.ts';
import { header, type Answer, type Ask, type Exchange, type HeaderLine } from '../http/exchange.ts';
import { digestOf } from '../judging/sent-body.ts';
import { rawText } from '../judging/evidence.ts';
import type { Masker } from '../judging/masker.ts';
import { Secret } from '../secret.ts';
import { LOGIN_PATH, TAGGING_PATH } from '../spec/operations.ts';
import { filterIn, filterQuery } from '../spec/requests.ts';
import { MOST_BODY_BYTES, type HarEntry } from './har.ts';
import { headerStandIn, loginStandIn } from './sent-secrets.ts';
import type { StandIns } from './stand-ins.ts';
import { withoutOthersTexts } from './others-texts.ts';

/** What turns the exchanges of one run into entries. */
export interface Writing {
  /** The base URL of the target. */
  readonly base: URL;
  readonly masker: Masker;
  readonly standIns: StandIns;
  /** Whether a text is one that the run sent. */
  readonly isOwn: (text: string) => boolean;
  /** The time of day of a moment by `performance.now()`. */
  readonly timeOf: (moment: number) => Date;
  /** The milliseconds from the start of the run to a moment by `performance.now()`. */
  readonly sinceStart: (moment: number) => number;
}

/** The page that all entries belong to: some viewers show only entries of a page. */
export const PAGE = 'run';

const VERSION = 'HTTP/1.1';

/** An exchange as an entry, without the requirements that rest on it, which are known at the end of the run. */
export function entryOf(exchange: Exchange, writing: Writing): Omit<HarEntry, '_requirements'> {
  const { ask, answer, failure, number, durationMs, beside } = exchange;
  const { masker } = writing;
  const ms = Math.max(0, Math.round(durationMs * 1_000) / 1_000);
  const received = (failure?.bytes?.length ?? 0) > 0 ? rawText(exchange, masker) : undefined;
  return {
    pageref: PAGE,
    startedDateTime: writing.timeOf(exchange.startedAt ?? 0).toISOString(),
    time: ms,
    request: request(ask, writing),
    response: response(exchange, writing),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    _at: Math.round(writing.sinceStart(exchange.startedAt ?? 0) * 1_000) / 1_000,
    _number: number,
    _operation: ask.operation,
    _regular: ask.regular,
    ...(beside === undefined ? {} : { _beside: beside }),
    ...(failure === undefined ? {} : { _failure: failure.kind }),
    ...(received === undefined ? {} : { _received: received }),
    ...(answer?.framing === undefined ? {} : { _framing: masked(answer.framing, writing) }),
  };
}

/** Masks the secrets of the run in a text. */
export const masked = (text: string, { masker, standIns }: Writing): string =>
  masker.text(text, standIns.inText);

/** The end of the path of a list. To find out whose a tag is, the run may filter by the name of a stranger's tag. */
function withoutStrangersName(end: string, standIns: StandIns): string {
  const name = filterIn(end.slice(1));
  const isFilter = name !== undefined && end === `?${filterQuery(name)}`;
  return isFilter && standIns.hasReplaced(name) ? `?${filterQuery(standIns.of(name, 'text'))}` : end;
}

function request(ask: Ask, writing: Writing): HarEntry['request'] {
  const { base, standIns } = writing;
  const known = [LOGIN_PATH, TAGGING_PATH].find((one) => ask.path.startsWith(one)) ?? '';
  const path = known + masked(withoutStrangersName(ask.path.slice(known.length), standIns), writing);
  const query = path.includes('?') ? path.slice(path.indexOf('?') + 1) : '';
  const body = ask.body instanceof Secret ? loginStandIn(ask.body, standIns) : ask.body;
  const content =
    body === undefined ? undefined : contentOf(Buffer.from(body), (text) => masked(text, writing));
  return {
    method: ask.method,
    url: base.href.replace(/\/+$/, '') + path,
    httpVersion: VERSION,
    cookies: [],
    headers: [USER_AGENT, ...ask.headers].map((line) => headerOf(line, writing)),
    queryString:
      query === '' ? [] : [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
    ...(content === undefined
      ? {}
      : {
          postData: {
            mimeType: String(ask.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? ''),
            text: content.text ?? '',
            ...(content.encoding === undefined ? {} : { _encoding: content.encoding }),
            ...(content._sha256 === undefined ? {} : { _length: content.size, _sha256: content._sha256 }),
          },
        }),
    headersSize: -1,
    bodySize: content?.size ?? 0,
  };
}

function response({ ask, answer, failure }: Exchange, writing: Writing): HarEntry['response'] {
  const empty = { httpVersion: VERSION, cookies: [], redirectURL: '', headersSize: -1, bodySize: -1 };
  if (answer === undefined)
    return {
      ...empty,
      status: 0,
      statusText: '',
      headers: [],
      content: { size: 0, mimeType: '' },
      _error: masked(failure?.message ?? 'no answer', writing),
    };
  const { mimeType, ...content } = { ...answerContent(ask, answer, writing), mimeType: typeOf(answer) };
  return {
    ...empty,
    status: answer.status,
    statusText: STATUS_CODES[answer.status] ?? '',
    headers: answer.headers.map((line) => headerOf(line, writing)),
    content: { mimeType: masked(mimeType, writing), ...content },
    redirectURL: masked(header(answer, 'location') ?? '', writing),
  };
}

const typeOf = (answer: Answer): string => header(answer, 'content-type') ?? '';

function answerContent(ask: Ask, answer: Answer, writing: Writing): Content {
  const sent = ask.headers.flatMap(([, value]) => (value instanceof Secret ? [value.reveal()] : []));
  const mask = (text: string): string => {
    // A target may repeat a credential that was refused: nearly the right one is a secret, too.
    const own = sent.reduce(
      (rest, value) => rest.replaceAll(value, () => headerStandIn(new Secret(value, ''), writing.standIns)),
      text,
    );
    const isJson = answer.json.value !== undefined;
    const shown =
      ask.operation === 'list' ? withoutOthersTexts(own, writing.isOwn, writing.standIns, isJson) : own;
    return masked(shown, writing);
  };
  // Only the start of a large answer that is not JSON was kept, so its digest is not the digest of the answer.
  if (answer.length !== undefined) return { size: answer.length, _length: answer.length };
  return contentOf(viewOf(answer.bytes), mask);
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

interface Content {
  readonly size: number;
  readonly text?: string;
  readonly encoding?: 'base64';
  readonly _length?: number;
  readonly _sha256?: string;
}

/** A body as text, or as base64 if it is no text in UTF-8 without a byte order mark; or only its length and digest. */
function contentOf(bytes: Buffer, mask: (text: string) => string): Content {
  const startsWithMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  const shown = mask(bytes.toString(encoding));
  if (Buffer.byteLength(shown, encoding) > MOST_BODY_BYTES)
    return { size: bytes.length, _length: bytes.length, _sha256: digestOf(Buffer.from(shown, encoding)) };
  if (encoding === 'utf8' && !startsWithMark) return { size: bytes.length, text: shown };
  return { size: bytes.length, text: Buffer.from(shown, encoding).toString('base64'), encoding: 'base64' };
}

/** The values of cookies identify somebody, and are secrets like tokens. */
function headerOf([name, value]: HeaderLine, writing: Writing): { name: string; value: string } {
  const { masker, standIns } = writing;
  const shown =
    value instanceof Secret
      ? headerStandIn(value, standIns)
      : /^(?:set-)?cookie$/i.test(name)
        ? value.replace(/(?<==)[^;]+/, (cookie) => standIns.of(cookie))
        : masked(value, writing);
  return { name: masker.name(name, standIns.inText), value: shown };
}
