import { setImmediate as cycle } from 'node:timers/promises';
import { createSecureContext, rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { buildConnector, Client } from 'undici';
import { Permits } from '../permits.ts';
import { startOf, type Answer, type Failure } from './exchange.ts';
import { readJson } from './json.ts';
import { Tape } from './tape.ts';
import { unreadable } from './unreadable.ts';

/** A request as it goes out: every secret revealed. It is made for the wire and never kept. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

/** What carries a request to the target and back. It never throws, never redirects and never retries. */
export interface Transport {
  send(wire: Wire, timeoutMs: number): Promise<Answer | Failure>;
  close(): Promise<void>;
}

/** The most bytes of content that are read of one answer, before and after its content coding is undone. */
export const MAX_CONTENT_BYTES = 2 * 1024 * 1024;

/** JSON of more bytes is parsed anew each time that somebody reads it. */
const MAX_KEPT_JSON = 256 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;

/** One connection at a time, and the bytes that came over it since the last request. */
interface Line {
  readonly client: Client;
  readonly tape: Tape;
}

/**
 * A transport over real connections to one origin.
 *
 * @param base the base URL; its path, if any, stands before every path that is asked.
 * @param connections the most connections at once.
 * @param ca a certificate authority to trust beside those of the system, as PEM.
 */
export function connect(base: URL, connections: number, ca?: string): Transport {
  const connector = buildConnector(
    // Made once: to read all those certificates takes longer than the rest of a handshake.
    ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) },
  );
  const lines: Line[] = [];
  const idle: Line[] = [];
  const open = (): Line => {
    const tape = new Tape();
    const client = new Client(base.origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Servers commonly drop idle connections after two to five seconds without saying so. Dropping them first keeps
      // a request from racing with the close.
      keepAliveTimeout: 1_000,
      keepAliveMaxTimeout: 1_000,
      connect: (options, callback) =>
        connector(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          tape.listenTo(socket);
          callback(null, socket);
        }),
    });
    const line = { client, tape };
    lines.push(line);
    return line;
  };
  const take = async (): Promise<Line> => {
    for (;;) {
      const line = idle.pop() ?? (lines.length < connections ? open() : undefined);
      if (line !== undefined) return line;
      await cycle();
    }
  };
  const slots = new Permits(connections);
  const prefix = base.pathname.replace(/\/+$/, '');
  return {
    send: (wire, timeoutMs) =>
      slots.use(1, async () => {
        const line = await take();
        line.tape.rewind();
        try {
          return await exchangeOver(line, { ...wire, path: prefix + wire.path }, timeoutMs);
        } finally {
          // Some servers close without having said so: a cycle of the event loop later that is known.
          setImmediate(() => idle.push(line));
        }
      }),
    close: async () => void (await Promise.all(lines.map(({ client }) => client.destroy()))),
  };
}

async function exchangeOver(
  { client, tape }: Line,
  wire: Wire,
  timeoutMs: number,
): Promise<Answer | Failure> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await client.request({
      method: wire.method,
      path: wire.path,
      headers: wire.headers.flat(),
      body: wire.body ?? null,
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      responseHeaders: 'raw',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_CONTENT_BYTES) {
        response.body.destroy();
        return tooLarge;
      }
      chunks.push(chunk);
    }
    return await finish(response.statusCode, rawHeaders(response.headers), Buffer.concat(chunks));
  } catch (error) {
    return failureOf(error, signal.aborted, timeoutMs, tape.bytes);
  }
}

/** With `responseHeaders: 'raw'` undici hands over a flat list of names and values; its types do not say so. */
function rawHeaders(flat: unknown): [string, string][] {
  const list = flat as readonly (string | Buffer)[];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    pairs.push([String(list[at]).toLowerCase(), String(list[at + 1])]);
  }
  return pairs;
}

const tooLarge: Failure = {
  kind: 'oversized',
  message: `the answer is larger than ${MAX_CONTENT_BYTES / 1024 / 1024} MB, where reading stopped`,
};

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
  'x-gzip': (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
  deflate: (bytes) => promisify(inflate)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
  br: (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: MAX_CONTENT_BYTES }),
};

/** Undoes the content coding (RFC 9110, 8.4: without `Accept-Encoding` any coding is acceptable) and reads the JSON. */
export async function finish(
  status: number,
  headers: Answer['headers'],
  content: Uint8Array,
): Promise<Answer | Failure> {
  let bytes = content;
  let framing = transferProblem(headers) ?? lengthProblem(headers, content.length);
  const codings = headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  for (const coding of bytes.length === 0 ? [] : codings.toReversed()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    try {
      if (decode === undefined) throw new Error(`unknown coding ${coding}`);
      bytes = await decode(bytes);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return tooLarge;
      framing ??= `the content is not in the coding that Content-Encoding names, ${JSON.stringify(coding)}`;
      break;
    }
  }
  const problem = framing === undefined ? {} : { framing };
  const json = readJson(bytes);
  const answer: Answer = { status, headers, bytes, json, ...problem };
  if (bytes.length <= MAX_KEPT_JSON) return answer;
  if (json.value === undefined) return startOf(answer, json);
  // What is parsed takes several times as much memory as the text, and exchanges may be kept to the end of the run.
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

/**
 * RFC 9112, 6.1 and 7.4: chunked stands once and last, and no other transfer coding is sent to a client that has not
 * said in TE that it takes it. `identity` is a relic (RFC 2616, 3.6) that changes nothing.
 */
function transferProblem(headers: Answer['headers']): string | undefined {
  const values = headers.filter(([name]) => name === 'transfer-encoding').map(([, value]) => value);
  const codings = values
    .flatMap((value) => value.toLowerCase().split(','))
    .map((coding) => coding.replace(/;.*/s, '').trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.every((coding) => coding === 'chunked') && codings.length <= 1) return undefined;
  const stated = `Transfer-Encoding says ${JSON.stringify(values.join(', '))}`;
  const foreign = codings.find((coding) => coding !== 'chunked');
  return foreign === undefined
    ? `${stated}, but content is chunked once at most`
    : `${stated}, but the request allows no transfer coding beside chunked`;
}

/** RFC 9110, 8.6, and RFC 9112, 6.3: a length that is stated is the length of the content, and stated once. */
function lengthProblem(headers: Answer['headers'], length: number): string | undefined {
  const stated = new Set(
    headers.filter(([name]) => name === 'content-length').map(([, value]) => value.trim()),
  );
  const wrong = [...stated].find((value) => value.replace(/^0+(?=\d)/, '') !== String(length));
  return wrong === undefined || headers.some(([name]) => name === 'transfer-encoding')
    ? undefined
    : `Content-Length says ${JSON.stringify(wrong)}, but the content has ${length} bytes`;
}

const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|HOSTNAME_MISMATCH/;
const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EACCES|UND_ERR_CONNECT_TIMEOUT)$/;

function failureOf(error: unknown, timedOut: boolean, timeoutMs: number, bytes: Uint8Array): Failure {
  const { code = '', name, message } = rootOf(error);
  if (UNTRUSTED.test(code)) {
    return { kind: 'untrusted', message: `the certificate does not verify (${message}, ${code})` };
  }
  if (UNREACHABLE.test(code))
    return { kind: 'unreachable', message: `no connection could be made (${code})` };
  if (timedOut || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return { kind: 'timeout', message: `no complete answer came within ${timeoutMs} ms` };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    return {
      kind: 'unreachable',
      message: `no TLS connection could be made (${code}): does it speak https?`,
    };
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { kind: 'oversized', message: `the header section is larger than ${MAX_HEADER_BYTES / 1024} KB` };
  }
  const isMalformed =
    // undici asserts that a status has three digits.
    code === 'ERR_ASSERTION' ||
    code.startsWith('HPE_') ||
    name === 'HTTPParserError' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';
  const oddity = isMalformed || message === 'bad response' ? unreadable(bytes) : undefined;
  if (oddity !== undefined) {
    return {
      kind: 'unreadable',
      message: `the answer holds what the HTTP client of this suite cannot read: ${oddity}`,
      bytes,
    };
  }
  if (isMalformed) {
    // undici says so wherever its parser stops behind a Content-Length, even in the head.
    const why =
      code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
        ? 'it stopped making sense before as much had come as Content-Length says'
        : message;
    return { kind: 'malformed', message: `the answer is not well-framed HTTP (${why})`, bytes };
  }
  return {
    kind: 'closed',
    message: `the connection was closed before the answer was complete (${code || message})`,
  };
}

/** Several addresses tried in vain come as one AggregateError: its first part says why. */
function rootOf(error: unknown): { code?: string; name?: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  return error instanceof Error ? error : { message: String(error) };
}
