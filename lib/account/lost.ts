import { isLost } from '../http/retryable.ts';
import type { Exchange } from '../http/exchange.ts';
import { ifDecided } from '../outcome.ts';
import type { RequestOverrides } from '../spec/requests.ts';

/**
 * Sends a write and, if its answer was lost, once more over a new connection: a check need not begin again for one lost answer.
 *
 * @param send sends the write with these overrides besides its own.
 * @param isUndone whether the first request had no effect, or a second one changes nothing more.
 * @returns the last exchange. The second one has `followsLost`, because the target may carry out the first one later.
 */
export async function sendAgainIfLost(
  send: (more: RequestOverrides) => Promise<Exchange>,
  isUndone: () => Promise<boolean>,
): Promise<Exchange> {
  const exchange = await send({});
  if (!isLost(exchange) || (await ifDecided(isUndone)) !== true) return exchange;
  const again = await ifDecided(() => send({ opensConnection: true }));
  return again === undefined ? exchange : { ...again, followsLost: true };
}
