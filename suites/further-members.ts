import { type Exchange, statusOf } from '../lib/check.ts';

/**
 * Sends bodies with further members in turn, until one is not answered with a server error. A server that stores every member
 * of a body fails at one that it has no column for, which would hide what it does with the others.
 *
 * @returns the last exchange.
 */
export async function sendUntilAnswered(
  bodies: readonly [object, ...object[]],
  send: (body: object) => Promise<Exchange>,
): Promise<Exchange> {
  const [first, next, ...others] = bodies;
  const exchange = await send(first);
  return statusOf(exchange) >= 500 && next !== undefined
    ? sendUntilAnswered([next, ...others], send)
    : exchange;
}
