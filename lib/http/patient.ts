import { setTimeout as sleep } from 'node:timers/promises';
import { TAGGING_PATH } from '../spec/operations.ts';
import type { Answer, Failure } from './exchange.ts';
import type { Transport, Wire } from './transport.ts';

/** The first pause between two attempts to connect, which is doubled each time, in milliseconds. */
const FIRST_PAUSE_MS = 50;

/** The longest pause while a target starts, and while it restarts: a run waits for the latter. */
const MOST_PAUSE_MS = { starting: 1_000, restarting: 500 };

type Send = () => Promise<Answer | Failure>;

/**
 * Waits for a target that answered before and now refuses connections, as it does while it restarts. A request for which
 * no connection could be made had no effect, so it can be sent again.
 *
 * @param patienceMs how long a request is sent again, in milliseconds.
 */
export function patient(transport: Transport, patienceMs: number): Transport {
  let hasAnswered = false;
  let isClosed = false;
  return {
    send(wire, timeoutMs): Promise<Answer | Failure> {
      const send: Send = async () => {
        const came = await transport.send(wire, timeoutMs);
        hasAnswered ||= !('kind' in came);
        return came;
      };
      const isWaiting = (): boolean => hasAnswered && !isClosed;
      return untilConnected(send, patienceMs, MOST_PAUSE_MS.restarting, isWaiting);
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

const PROBE: Wire = { method: 'GET', path: TAGGING_PATH, headers: [['Accept', 'application/json']] };

/**
 * Waits until a starting target accepts connections.
 *
 * @returns whether it did within that time.
 */
export async function becomesReady(
  transport: Transport,
  waitMs: number,
  timeoutMs: number,
): Promise<boolean> {
  const send: Send = () => transport.send(PROBE, timeoutMs);
  return !isUnreachable(await untilConnected(send, waitMs, MOST_PAUSE_MS.starting, () => true));
}

const isUnreachable = (came: Answer | Failure): boolean => 'kind' in came && came.kind === 'unreachable';

/** Sends a request again until a connection can be made, at most for `waitMs` and as long as the run is waiting. */
async function untilConnected(
  send: Send,
  waitMs: number,
  mostPauseMs: number,
  isWaiting: () => boolean,
): Promise<Answer | Failure> {
  const since = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
    const came = await send();
    const leftMs = waitMs - (performance.now() - since);
    if (!isUnreachable(came) || !isWaiting() || leftMs <= 0) return came;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
