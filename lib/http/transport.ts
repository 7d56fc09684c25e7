import { setImmediate as nextCycle } from 'node:timers/promises';
import { createSecureContext, rootCertificates } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { Permits } from '../permits.ts';
import { connectionOver, type Connection } from './connection.ts';
import type { Answer, Failure } from './exchange.ts';
import { failureOf, MAX_HEADER_BYTES, tooLarge } from './failures.ts';
import { finish, MAX_CONTENT_BYTES } from './message.ts';
import { Tape } from './tape.ts';

export { finish } from './message.ts';

/** A request as it goes out, with every secret revealed. It is made for sending and never kept. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

/** Carries a request to the target and its answer back. It never throws, follows no redirect and never sends twice. */
export interface Transport {
  send(wire: Wire, timeoutMs: number): Promise<Answer | Failure>;
  close(): Promise<void>;
  /** What the first connection was like; undefined as long as there was none. */
  readonly connection?: Connection | undefined;
}

/** A connection for one request at a time, and the bytes that it received since the last request was sent. */
interface Line {
  readonly client: Client;
  readonly tape: Tape;
}

/**
 * Connects to one origin.
 *
 * @param base the base URL. Its path is put before the path of every request.
 * @param connections the most connections at a time.
 * @param ca a certificate authority to trust beside those of the system, as PEM.
 */
export function connect(base: URL, connections: number, ca?: string): Transport {
  const connector = buildConnector(
    // Made once: reading all the root certificates takes longer than the rest of a handshake.
    ca === undefined ? {} : { secureContext: createSecureContext({ ca: [...rootCertificates, ca] }) },
  );
  let connection: Connection | undefined;
  const lines: Line[] = [];
  const idle: Line[] = [];
  const open = (): Line => {
    const tape = new Tape();
    const client = new Client(base.origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Servers commonly close idle connections after two to five seconds without notice. Closing them first avoids
      // sending a request on a connection that is just being closed.
      keepAliveTimeout: 1_000,
      keepAliveMaxTimeout: 1_000,
      connect: (options, callback) =>
        connector(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          tape.listenTo(socket);
          connection ??= connectionOver(socket);
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
      await nextCycle();
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
          // Some servers close a connection without having said so. One cycle of the event loop later undici knows.
          setImmediate(() => idle.push(line));
        }
      }),
    get connection() {
      return connection;
    },
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
        return tooLarge(MAX_CONTENT_BYTES);
      }
      chunks.push(chunk);
    }
    return await finish(response.statusCode, rawHeaders(response.headers), Buffer.concat(chunks));
  } catch (error) {
    return failureOf(error, { timedOut: signal.aborted, timeoutMs, bytes: tape.bytes });
  }
}

/** With `responseHeaders: 'raw'` undici returns a flat list of names and values, which its types do not say. */
function rawHeaders(flat: unknown): [string, string][] {
  const list = flat as readonly (string | Buffer)[];
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    pairs.push([String(list[at]).toLowerCase(), String(list[at + 1])]);
  }
  return pairs;
}
