import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { startOf, type Answer, type Failure } from './exchange.ts';
import { tooLarge } from './failures.ts';
import { readJson } from './json.ts';

/** The most bytes of content that are read from one answer, before and after decoding. */
export const MAX_CONTENT_BYTES = 2 * 1024 * 1024;

/** JSON of more bytes is not kept parsed, but parsed at each access. */
const MAX_KEPT_JSON = 256 * 1024;

/**
 * Converts a received message to an answer: decodes its content (RFC 9110, 8.4: a request without `Accept-Encoding`
 * permits any coding) and parses the JSON.
 *
 * @param content the received content, without its transfer coding.
 * @returns a failure only if the decoded content is too large.
 */
export async function finish(
  status: number,
  headers: Answer['headers'],
  content: Uint8Array,
): Promise<Answer | Failure> {
  let bytes = content;
  let framing = transferProblem(headers) ?? lengthProblem(headers, content.length);
  const codings = bytes.length === 0 ? [] : codingsIn(valuesOf(headers, 'content-encoding'));
  for (const coding of codings.toReversed()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    try {
      if (decode === undefined) throw new Error(`unknown coding ${coding}`);
      bytes = await decode(bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
        return tooLarge(MAX_CONTENT_BYTES);
      // The text of the header is shown as it came: a secret in other letters would not be recognised.
      framing ??= `the content is not in the coding that Content-Encoding names, ${JSON.stringify(valuesOf(headers, 'content-encoding').join(', '))}`;
      break;
    }
  }
  const problem = framing === undefined ? {} : { framing };
  const json = readJson(bytes);
  const answer: Answer = { status, headers, bytes, json, ...problem };
  if (bytes.length <= MAX_KEPT_JSON) return answer;
  if (json.value === undefined) return startOf(answer, json);
  // A parsed value takes several times the memory of its text, and an exchange may be kept to the end of the run.
  return {
    status,
    headers,
    bytes,
    get json() {
      return readJson(bytes);
    },
    ...problem,
  };
}

const valuesOf = (headers: Answer['headers'], name: string): string[] =>
  headers.filter(([key]) => key === name).map(([, value]) => value);

/** The codings in these header values, without `identity`, which changes nothing. */
const codingsIn = (lists: readonly string[]): string[] =>
  lists
    .flatMap((list) => list.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
  'x-gzip': (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
  deflate: (bytes) => promisify(inflate)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
  br: (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
};

/**
 * RFC 9112, 6.1 and 7.4: `chunked` is applied once and last, and a client that sends no `TE` permits no other transfer
 * coding. `identity` is obsolete (RFC 2616, 3.6) and changes nothing.
 */
function transferProblem(headers: Answer['headers']): string | undefined {
  const values = valuesOf(headers, 'transfer-encoding');
  const codings = codingsIn(values.map((value) => value.replace(/;[^,]*/g, '')));
  if (codings.every((coding) => coding === 'chunked') && codings.length <= 1) return undefined;
  const stated = `Transfer-Encoding says ${JSON.stringify(values.join(', '))}`;
  return codings.every((coding) => coding === 'chunked')
    ? `${stated}, but content may be chunked only once`
    : `${stated}, but the request permits no transfer coding other than chunked`;
}

/** RFC 9110, 8.6, and RFC 9112, 6.3: Content-Length is the length of the content, and two values do not differ. */
function lengthProblem(headers: Answer['headers'], length: number): string | undefined {
  const stated = valuesOf(headers, 'content-length').map((value) => value.trim());
  const wrong = stated.find((value) => value.replace(/^0+(?=\d)/, '') !== String(length));
  return wrong === undefined || valuesOf(headers, 'transfer-encoding').length > 0
    ? undefined
    : `Content-Length says ${JSON.stringify(wrong)}, but the content has ${length} bytes`;
}
