import { Readable } from 'node:stream';
import { setImmediate as nextCycle } from 'node:timers/promises';
import { Client } from 'undici';
import { Permits } from '../permits.ts';
import { connectionOver, type Connection } from './connection.ts';
import type { Answer, Failure } from './exchange.ts';
import { failureOf, isAlert, MAX_HEADER_BYTES } from './failures.ts';
import { finish } from './message.ts';
import { receive } from './reception.ts';
import { connectorOf, forwarding, type Route } from './route.ts';
import { Tape } from './tape.ts';

/** A request as it goes out, with every secret revealed. It is made for sending and never kept. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
  /** Whether the body is sent in chunks, without its length. */
  readonly isInChunks?: boolean;
  /** Whether it is the first request of its connection. */
  readonly opensConnection?: boolean;
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
  /** When its last request ended, by `performance.now()`; undefined: it has carried none. */
  idleSince?: number | undefined;
  /** The TLS alert that ended the connection. undici only reports that it was closed. */
  alert?: Error | undefined;
}

/**
 * After this time without a request, a connection is not used again, in milliseconds. Servers commonly close idle
 * connections after two to five seconds without notice, and a request that meets the closing is lost.
 */
const MAX_IDLE_MS = 1_000;

/** A server that closed a connection after some idle time may close others a little sooner. */
const IDLE_MARGIN = 0.5;

/** A connection that is closed after less than this time, in milliseconds, was not closed for being idle. */
const LEAST_IDLE_MS = 20;

/**
 * Connects to one origin. Where the target closes idle connections sooner than is common, new ones are opened in time.
 *
 * @param base the base URL. Its path is put before the path of every request.
 * @param connections the most connections at a time.
 */
export function connect(base: URL, connections: number, route: Route = {}): Transport {
  const connector = connectorOf(route);
  const forwarded = forwarding(base, route.proxy);
  let connection: Connection | undefined;
  const lines: Line[] = [];
  const idle: Line[] = [];
  let maxIdleMs = MAX_IDLE_MS;
  const open = (): Line => {
    const tape = new Tape();
    const client = new Client(forwarded.origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      connect: (options, callback) =>
        connector(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          tape.listenTo(socket);
          connection ??= connectionOver(socket);
          socket.on('error', (error) => isAlert(error) && (line.alert = error));
          callback(null, socket);
        }),
    });
    const line: Line = { client, tape };
    lines.push(line);
    return line;
  };
  const idleMsOf = ({ idleSince }: Line): number =>
    idleSince === undefined ? 0 : performance.now() - idleSince;
  const drop = (line: Line): void => {
    lines.splice(lines.indexOf(line), 1);
    void line.client.destroy();
  };
  const take = async (isNew = false): Promise<Line> => {
    for (;;) {
      for (const line of idle.filter((one) => idleMsOf(one) > maxIdleMs)) {
        idle.splice(idle.indexOf(line), 1);
        drop(line);
      }
      const used = idle.pop();
      if (used !== undefined && !isNew) return used;
      if (used !== undefined) drop(used);
      if (lines.length < connections) return open();
      await nextCycle();
    }
  };
  const slots = new Permits(connections);
  const prefix = forwarded.prefix + base.pathname.replace(/\/+$/, '');
  return {
    send: (wire, timeoutMs) =>
      slots.use(1, async () => {
        const line = await take(wire.opensConnection);
        line.tape.rewind();
        line.alert = undefined;
        const idleMs = idleMsOf(line);
        try {
          const headers = [...forwarded.headers, ...wire.headers];
          const came = await exchangeOver(line, { ...wire, path: prefix + wire.path, headers }, timeoutMs);
          const isLost = 'kind' in came && came.kind === 'closed' && line.tape.bytes.length === 0;
          if (isLost && idleMs > LEAST_IDLE_MS) maxIdleMs = Math.min(maxIdleMs, idleMs * IDLE_MARGIN);
          return forwarded.refusal !== undefined && 'status' in came && came.status === 407
            ? { kind: 'unreachable', message: forwarded.refusal }
            : came;
        } finally {
          // Some servers close a connection without having said so. One cycle of the event loop later undici knows.
          line.idleSince = performance.now();
          setImmediate(() => idle.push(line));
        }
      }),
    get connection() {
      return connection;
    },
    close: async () => void (await Promise.all(lines.map(({ client }) => client.destroy()))),
  };
}

/** The most bytes of a chunk: few, so that a chunk may end inside a character. */
const CHUNK_BYTES = 32;

function inChunks(body: string | Uint8Array): Readable {
  const bytes = Buffer.from(body);
  const starts = Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, at) => at * CHUNK_BYTES);
  return Readable.from(starts.map((start) => bytes.subarray(start, start + CHUNK_BYTES)));
}

async function exchangeOver(line: Line, wire: Wire, timeoutMs: number): Promise<Answer | Failure> {
  const { method, path, headers, isInChunks = false } = wire;
  const body = wire.body !== undefined && isInChunks ? inChunks(wire.body) : (wire.body ?? null);
  const came = await receive(line.client, { method, path, headers: headers.flat(), body }, timeoutMs);
  if ('error' in came) {
    const { error, timedOut } = came;
    return failureOf(line.alert ?? error, { timedOut, timeoutMs, bytes: line.tape.bytes });
  }
  return 'kind' in came ? came : finish(came.status, came.headers, came.content);
}
