import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Failure } from './exchange.ts';
import { onTheWire, PROBE } from './on-the-wire.ts';
import type { Transport } from './transport.ts';
import { WAITS } from './waits.ts';

/** How to wait for a target. */
export interface Patience {
  /** How long to wait, in milliseconds. */
  readonly ms: number;
  /** Whether the run may still wait. */
  readonly mayGoOn: () => boolean;
  readonly mostPauseMs?: number;
}

/**
 * Sends a request again as long as patience lasts and what came is passing.
 *
 * @returns what came last, and how often the request was sent.
 */
export async function persist<T>(
  send: () => Promise<T>,
  isPassing: (came: T) => boolean,
  { ms, mayGoOn, mostPauseMs = WAITS.down.mostMs.restarting }: Patience,
): Promise<{ readonly came: T; readonly times: number }> {
  const since = performance.now();
  for (
    let pauseMs: number = WAITS.down.firstMs, times = 1;
    ;
    pauseMs = Math.min(2 * pauseMs, mostPauseMs), times++
  ) {
    const came = await send();
    const leftMs = ms - (performance.now() - since);
    if (!isPassing(came) || !mayGoOn() || leftMs <= 0) return { came, times };
    await sleep(Math.min(pauseMs, leftMs));
  }
}

/** Whether no connection could be made: then the request had no effect, and can be sent again. */
export const isUnreachable = (came: Answer | Failure): boolean =>
  'kind' in came && came.kind === 'unreachable';

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
  const { came } = await persist(() => transport.send(onTheWire(PROBE), timeoutMs), isUnreachable, {
    ms: waitMs,
    mayGoOn: () => true,
    mostPauseMs: WAITS.down.mostMs.starting,
  });
  return !isUnreachable(came);
}
