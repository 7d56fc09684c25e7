import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo } from '../certify.ts';
import { TAGGING_PATH } from '../spec/operations.ts';
import type { Targeted } from './targeted.ts';

/** Milliseconds between two bare connections. A server that restarts at once is away for about that long. */
const CONNECT_EVERY_MS = 100;

/** Milliseconds between two requests, which are rarer because the server logs each. */
const ASK_EVERY_MS = 2_000;

/** The statuses by which a proxy answers in place of a server that is away. */
const ANSWERS_OF_PROXIES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Looks whether a server is there, as cheaply as possible for the server. */
export class Presence {
  readonly #settings: Targeted;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: Targeted) {
    this.#settings = settings;
  }

  /**
   * Waits until the server is there or away.
   *
   * @param signal ends the wait.
   */
  async until(state: 'there' | 'away', signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.#look()) !== (state === 'there'))
      await sleep(this.#pauseMs, undefined, { signal }).catch(() => undefined);
  }

  /** Waits until no connection can be made. Sends nothing, so that it may run beside a certification. */
  async untilUnreachable(signal: AbortSignal): Promise<void> {
    if (!this.#takesBareConnections) return;
    while (!signal.aborted && (await this.#connects()))
      await sleep(CONNECT_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }

  /** Some servers log a connection without a TLS handshake as an error, and a proxy accepts every connection. */
  get #takesBareConnections(): boolean {
    const { base, proxy } = this.#settings;
    return base.protocol === 'http:' && proxy === undefined;
  }

  get #pauseMs(): number {
    return this.#takesBareConnections ? CONNECT_EVERY_MS : ASK_EVERY_MS / 4;
  }

  async #look(): Promise<boolean> {
    if (this.#takesBareConnections) {
      if (!(await this.#connects())) {
        this.#askedAt = Number.NEGATIVE_INFINITY;
        return false;
      }
      if (performance.now() - this.#askedAt < ASK_EVERY_MS) return true;
    }
    this.#askedAt = performance.now();
    return this.#answers();
  }

  #connects(): Promise<boolean> {
    const { hostname, port } = this.#settings.base;
    return new Promise((resolve) => {
      const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || '80') });
      const end = (isThere: boolean): void => {
        socket.destroy();
        resolve(isThere);
      };
      socket.once('connect', () => end(true)).once('error', () => end(false));
      socket.setTimeout(this.#settings.timeoutMs, () => end(false));
    });
  }

  async #answers(): Promise<boolean> {
    const { timeoutMs } = this.#settings;
    const transport = connectTo(this.#settings);
    try {
      const came = await transport.send(
        { method: 'GET', path: TAGGING_PATH, headers: [['Accept', 'application/json']] },
        timeoutMs,
      );
      return 'kind' in came
        ? came.kind !== 'unreachable' && came.kind !== 'closed'
        : !ANSWERS_OF_PROXIES.has(came.status);
    } finally {
      await transport.close();
    }
  }
}
