import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Failure } from './exchange.ts';
import type { Transport } from './transport.ts';

/** The first pause between two attempts, which is doubled each time, and the longest one, in milliseconds. */
const PAUSE_MS = { first: 50, most: 500 };

/**
 * Waits for a target that has answered before and now refuses connections, as while it is started anew. A request that no
 * connection could be made for had no effect, so it can be sent again.
 *
 * @param patienceMs how long a request is sent again, in milliseconds.
 */
export function patient(transport: Transport, patienceMs: number): Transport {
  let hasAnswered = false;
  let isClosed = false;
  return {
    async send(wire, timeoutMs): Promise<Answer | Failure> {
      const since = performance.now();
      for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most)) {
        const came = await transport.send(wire, timeoutMs);
        const isRefused = 'kind' in came && came.kind === 'unreachable';
        hasAnswered ||= !('kind' in came);
        const leftMs = patienceMs - (performance.now() - since);
        if (!isRefused || !hasAnswered || isClosed || leftMs <= 0) return came;
        await sleep(Math.min(pauseMs, leftMs));
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      await transport.close();
    },
    get connection() {
      return transport.connection;
    },
  };
}
