import { Readable } from 'node:stream';
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
  /** Whether it has to be the first request of a connection. */
  readonly opensConnection?: boolean;
}

/** Sends requests and returns their answers. It never throws, follows no redirects and repeats nothing. */
export interface Transport {
  send(wire: Wire, timeoutMs: number): Promise<Answer | Failure>;
  close(): Promise<void>;
  /** The properties of the first connection; undefined before it. */
  readonly connection?: Connection | undefined;
  /** Whether the target sent bytes that belong to no request. Earlier answers on that connection may then belong to other requests. */
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

async function exchangeOver(
  connection: OpenConnection,
  wire: Wire,
  timeoutMs: number,
): Promise<Answer | Failure> {
  const { method, path, headers, isInChunks = false } = wire;
  const body = wire.body !== undefined && isInChunks ? inChunks(wire.body) : (wire.body ?? null);
  const came = await receive(connection.client, { method, path, headers: headers.flat(), body }, timeoutMs);
  if ('error' in came) {
    const { error, timedOut } = came;
    return failureOf(connection.endedBy ?? error, { timedOut, timeoutMs, bytes: connection.received.bytes });
  }
  return 'kind' in came ? came : finish(came.status, came.headers, came.content);
}
