import type { Socket } from 'node:net';
import { setImmediate as nextCycle } from 'node:timers/promises';
import { Client } from 'undici';
import { Permits } from '../permits.ts';
import { connectionOver, type Connection } from './connection.ts';
import { header, type Answer, type Failure } from './exchange.ts';
import { EarlyBytesError, isAlert, isReset, MAX_HEADER_BYTES } from './failures.ts';
import { connectorOf, type Route } from './route.ts';
import { FirstBytes } from './first-bytes.ts';

/** A connection for one request at a time, and the bytes that it has received since its last request. */
export interface OpenConnection {
  readonly client: Client;
  readonly received: FirstBytes;
  /** When its last request ended, by `performance.now()`; undefined if it has carried none. */
  idleSince?: number | undefined;
  /**
   * The TLS alert or the reset that ended the connection. undici only reports that it was closed, or that the content is
   * shorter than its length.
   */
  endedBy?: Error | undefined;
  /** Whether a request is under way, whose answer is not complete. */
  isInUse: boolean;
  socket?: Socket | undefined;
  /** How many requests it has carried. undici replaces the socket of a connection that was closed. */
  carried: number;
}

/**
 * A connection that was idle for longer is not used again, in milliseconds. Servers commonly close idle connections after
 * two to five seconds without notice, and a request that meets the close is lost.
 */
const MAX_IDLE_MS = 1_000;

/** A server that closed an idle connection may close others a little sooner: idle times are cut to this share. */
const IDLE_MARGIN = 0.5;

/** A connection that was idle for less time, in milliseconds, was closed for another reason. */
const LEAST_IDLE_MS = 20;

/** The first request of a connection is late if it takes this long, in milliseconds, and much longer than later ones. */
const LATE = { ms: 500, times: 10 };

/** After so many late ones, the target serves one connection at a time, and the others wait until that one is closed. */
const LATE_MANY = 3;

/** Whether undici ended a connection because of bytes that are no answer to its request: a whole answer, or anything else. */
const isOfSurplus = (error: Error | null | undefined): boolean =>
  error?.message === 'bad response' || error?.name === 'HTTPParserError';

/** The clause for surplus bytes. A client must not take them for another answer (RFC 9112, 6.3). */
const SURPLUS = 'bytes that belong to no request follow the answer';

/** Once bytes have come to no request, the run waits so long, or two round trips, whether some come before a request. */
const QUIET_MS = 5;

/** The status of the last answer in these bytes. */
const lastStatusIn = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .split(/HTTP\/1\.[01] /)
    .at(-1)
    ?.slice(0, 3) ?? '';

/** Statuses that a server may send unasked: 408 before it closes (RFC 9110, 15.5.9), and 1xx (15.2). */
const NOTICE = /^(?:408|1..)$/;

/** A server that shuts down may send an error status on idle connections. */
const MAY_BE_FAREWELL = /^[45]/;

const saysClose = (answer: Answer): boolean => header(answer, 'connection')?.toLowerCase() === 'close';

/**
 * The connections to one origin. If the target closes idle ones sooner than usual, they are replaced sooner. If it serves one
 * at a time, there is only one from then on.
 */
export class Connections {
  readonly #origin: string;
  readonly #connector: ReturnType<typeof connectorOf>;
  #most: number;
  #late = 0;
  /** How long requests on connections took that had carried one before, in milliseconds. */
  readonly #later = { count: 0, sumMs: 0 };
  readonly #slots: Permits;
  readonly #open = new Set<OpenConnection>();
  readonly #idle: OpenConnection[] = [];
  #maxIdleMs = MAX_IDLE_MS;
  /** The properties of the first connection; undefined before it. */
  first: Connection | undefined;
  /**
   * Whether bytes have come to no request. Before, answers may be those to earlier requests of their connections. From then
   * on each request has a connection of its own, on which nothing has come before it.
   */
  hasStrayBytes = false;
  /** Whether such bytes came on a connection whose requests had all been answered. */
  hasUnasked = false;

  /** @param most the most connections at a time. */
  constructor(origin: string, most: number, route: Route) {
    this.#origin = origin;
    this.#connector = connectorOf(route);
    this.#most = most;
    this.#slots = new Permits(most);
  }

  /**
   * Waits for a connection and sends one request over it.
   *
   * @param isNew whether the request has to be the first one of the connection.
   */
  use(
    send: (connection: OpenConnection) => Promise<Answer | Failure>,
    isNew = false,
  ): Promise<Answer | Failure> {
    return this.#slots.use(1, async () => {
      const connection = await this.#take(isNew);
      connection.received.clear();
      connection.endedBy = undefined;
      connection.isInUse = true;
      connection.carried++;
      const idleMs = idleMsOf(connection);
      const startedAt = performance.now();
      try {
        const came = await send(connection);
        const isClosed = 'kind' in came && came.kind === 'closed' && connection.received.bytes.length === 0;
        // The 408 may have been sent before the request came, so the request may be sent again (RFC 9110, 15.5.9).
        const isNoticed =
          'status' in came && came.status === 408 && connection.carried > 1 && saysClose(came);
        if ((isClosed || isNoticed) && idleMs > LEAST_IDLE_MS)
          this.#maxIdleMs = Math.min(this.#maxIdleMs, idleMs * IDLE_MARGIN);
        if ('status' in came && this.#noteStray(connection) && came.framing === undefined)
          return Object.assign(came, { framing: SURPLUS });
        return isNoticed ? { kind: 'closed', message: 'the connection was closed with 408' } : came;
      } finally {
        connection.isInUse = false;
        this.#learn(performance.now() - startedAt, connection.idleSince === undefined);
        // Some servers close a connection without notice. One cycle of the event loop later undici knows.
        connection.idleSince = performance.now();
        setImmediate(() =>
          this.#open.size > this.#most || this.hasStrayBytes
            ? this.#drop(connection)
            : this.#idle.push(connection),
        );
      }
    });
  }

  /**
   * Learns from a request whether the target serves one connection at a time.
   *
   * @param isFirst whether it was the first one of its connection.
   */
  #learn(ms: number, isFirst: boolean): void {
    if (!isFirst) {
      this.#later.count++;
      this.#later.sumMs += ms;
      return;
    }
    const usualMs = this.#later.sumMs / this.#later.count;
    if (this.#open.size < 2 || ms < LATE.ms || !(ms > LATE.times * usualMs)) return;
    if (++this.#late !== LATE_MANY) return;
    this.#most = 1;
    this.#slots.shrink(1);
    for (const connection of this.#idle.splice(0)) this.#drop(connection);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map(({ client }) => client.destroy()));
  }

  async #take(isNew: boolean): Promise<OpenConnection> {
    for (;;) {
      // A connection that was in use until just now is idle one cycle of the event loop later.
      await nextCycle();
      for (const connection of this.#idle.filter((one) => idleMsOf(one) > this.#maxIdleMs)) {
        this.#idle.splice(this.#idle.indexOf(connection), 1);
        this.#drop(connection);
      }
      const used = this.#idle.pop();
      if (used !== undefined && !isNew && !this.hasStrayBytes) return used;
      if (used !== undefined) this.#drop(used);
      if (this.#open.size < this.#most) return this.#add();
    }
  }

  #add(): OpenConnection {
    const received = new FirstBytes();
    const client = new Client(this.#origin, {
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      connect: (options, callback) => {
        const startedAt = performance.now();
        this.#connector(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          connection.socket = socket;
          received.listenTo(socket);
          connection.carried = 1;
          this.first ??= connectionOver(socket);
          socket.on('error', (error) => {
            if (isAlert(error) || isReset(error)) connection.endedBy = error;
          });
          if (!this.hasStrayBytes) return callback(null, socket);
          const begin = async (): Promise<void> => {
            // If this process was busy until now, it has not read the bytes that have come. A cycle may have begun before them.
            await nextCycle();
            await nextCycle();
            const isEarly = socket.readableLength > 0;
            return isEarly ? callback(new EarlyBytesError(), null) : callback(null, socket);
          };
          setTimeout(() => void begin(), Math.max(QUIET_MS, 2 * (performance.now() - startedAt)));
        });
      },
    });
    const connection: OpenConnection = { client, received, isInUse: false, carried: 0 };
    client.on('disconnect', () => {
      if (!connection.isInUse && this.#noteStray(connection))
        this.hasUnasked ||= !MAY_BE_FAREWELL.test(lastStatusIn(received.bytes));
    });
    this.#open.add(connection);
    return connection;
  }

  /** Whether the connection ended because bytes came that belong to no request. Each end is noted once. */
  #noteStray(connection: OpenConnection): boolean {
    const { socket, received } = connection;
    if (!isOfSurplus(socket?.errored) || NOTICE.test(lastStatusIn(received.bytes))) return false;
    connection.socket = undefined;
    this.hasStrayBytes = true;
    return true;
  }

  #drop(connection: OpenConnection): void {
    this.#open.delete(connection);
    void connection.client.destroy();
  }
}

const idleMsOf = ({ idleSince }: OpenConnection): number =>
  idleSince === undefined ? 0 : performance.now() - idleSince;
