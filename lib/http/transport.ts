import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import type { Answer, Failure } from './exchange.ts';
import { failureOf } from './failures.ts';
import { Connections, type OpenConnection } from './connections.ts';
import { finish } from './message.ts';
import { receive } from './reception.ts';
import { forwarding, type Route } from './route.ts';

/** A request to send, with every secret revealed. It is never kept. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** Whether the body is sent in chunks, without Content-Length. */
  readonly isInChunks?: boolean;
  /** Whether the body is sent in two pieces, the second one a little after the first. */
  readonly isInPieces?: boolean;
  /** Whether it has to be the first request of a connection. */
  readonly opensConnection?: boolean;
}

/** Sends requests and returns their answers. It never throws, follows no redirects and repeats nothing. */
export interface Transport {
  send(wire: Wire, timeoutMs: number): Promise<Answer | Failure>;
  close(): Promise<void>;
  /** The properties of the first connection; undefined before it. */
  readonly connection?: Connection | undefined;
  /**
   * Whether the target sent bytes that belong to no request. Earlier answers on that connection may then belong to other requests.
   */
  readonly hasStrayBytes?: boolean;
  /** Whether such bytes came on a connection whose requests had all been answered. */
  readonly hasUnasked?: boolean;
}

/**
 * Connects to one origin.
 *
 * @param base the base URL. Its path precedes the path of every request.
 * @param mostConnections the most connections at the same time.
 */
export function connect(base: URL, mostConnections: number, route: Route = {}): Transport {
  const { origin, prefix: proxyPrefix, headers: proxyHeaders, refusal } = forwarding(base, route.proxy);
  const connections = new Connections(origin, mostConnections, route);
  const prefix = proxyPrefix + base.pathname.replace(/\/+$/, '');
  return {
    send: async ({ headers, path, ...wire }, timeoutMs) => {
      const sent = { ...wire, path: prefix + path, headers: [...proxyHeaders, ...headers] };
      const came = await connections.use(
        (connection) => exchangeOver(connection, sent, timeoutMs),
        wire.opensConnection,
      );
      return refusal !== undefined && 'status' in came && came.status === 407
        ? { kind: 'unreachable', message: refusal }
        : came;
    },
    get connection() {
      return connections.first;
    },
    get hasStrayBytes() {
      return connections.hasStrayBytes;
    },
    get hasUnasked() {
      return connections.hasUnasked;
    },
    close: () => connections.close(),
  };
}

/** The most bytes of a chunk. They are few, so that a chunk may end inside a character. */
const CHUNK_BYTES = 32;

function inChunks(body: string | Uint8Array): Readable {
  const bytes = Buffer.from(body);
  const starts = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, at) => at * CHUNK_BYTES);
  return Readable.from(starts.map((start) => bytes.subarray(start, start + CHUNK_BYTES)));
}

/** How long after the first piece of a body the second one is sent, in milliseconds. */
const PIECE_MS = 30;

async function* piecesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const middle = body.length >> 1;
  yield body.subarray(0, middle);
  await sleep(PIECE_MS);
  yield body.subarray(middle);
}

/** The body as the HTTP library takes it, and the headers that the library cannot add to it. */
function contentOf({ body, isInChunks = false, isInPieces = false }: Wire) {
  if (body === undefined) return { body: null, headers: [] };
  if (isInChunks) return { body: inChunks(body), headers: [] };
  if (!isInPieces) return { body, headers: [] };
  const bytes = Buffer.from(body);
  // Without it, the library would send a stream in chunks.
  return { body: Readable.from(piecesOf(bytes)), headers: ['Content-Length', String(bytes.length)] };
}

async function exchangeOver(
  connection: OpenConnection,
  wire: Wire,
  timeoutMs: number,
): Promise<Answer | Failure> {
  const { method, path } = wire;
  const content = contentOf(wire);
  const headers = [...wire.headers.flat(), ...content.headers];
  const came = await receive(connection.client, { method, path, headers, body: content.body }, timeoutMs);
  if ('error' in came) {
    const { error, timedOut } = came;
    return failureOf(connection.endedBy ?? error, { timedOut, timeoutMs, bytes: connection.received.bytes });
  }
  return 'kind' in came ? came : finish(came.status, came.headers, came.content);
}
