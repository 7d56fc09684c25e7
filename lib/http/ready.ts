import { setTimeout as sleep } from 'node:timers/promises';
import { TAGGING_PATH } from '../spec/operations.ts';
import type { Transport } from './transport.ts';

/** The longest pause between two attempts to connect. */
const MOST_PAUSE_MS = 1_000;

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
  const deadline = performance.now() + waitMs;
  for (let pause = 50; ; pause = Math.min(2 * pause, MOST_PAUSE_MS)) {
    const came = await transport.send(
      { method: 'GET', path: TAGGING_PATH, headers: [['Accept', 'application/json']] },
      timeoutMs,
    );
    if (!('kind' in came) || came.kind !== 'unreachable') return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left));
  }
}
