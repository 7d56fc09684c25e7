import { isUnanswered, statusOf, type Exchange } from './exchange.ts';
import { WAITS } from './waits.ts';

/** How many times to try a step in all, given the exchanges in which it failed: once if every answer is final. */
export function attemptsWorth(exchanges: readonly Exchange[]): number {
  const unanswered = exchanges.filter(isUnanswered);
  const { closed, timedOut, transient } = WAITS.tried;
  if (unanswered.length > 0)
    return unanswered.every(({ failure }) => failure?.kind === 'closed') ? closed : timedOut;
  return exchanges.some(isTransient) ? transient : 1;
}

/**
 * Whether the same request may be answered differently the next time. Others overlapped it, the server did not answer
 * at that moment, or the answer to the same request before was lost. It may have been carried out.
 */
export const isTransient = (exchange: Exchange): boolean =>
  isOverload(exchange) || isOfOutage(exchange) || exchange.followsLost === true;

/** Whether the answer got lost, so that the request may have been carried out. Time-outs have other reasons. */
export const isLost = (exchange: Exchange): boolean =>
  exchange.failure?.kind === 'closed' || isOfOutage(exchange);

/** Whether a gateway got no answer from its server (RFC 9110, 15.6), or the target answered nothing well at that moment. */
export const isOfOutage = (exchange: Exchange): boolean =>
  isGatewayError(exchange) || exchange.inOutage === true;

/** Whether a gateway got no answer from its server: 502 and 504. */
export const isGatewayError = (exchange: Exchange): boolean => [502, 504].includes(statusOf(exchange));

/**
 * Whether the server failed at the request. 501 is about the request itself (RFC 9110, 15.6.2), and the client repeats a
 * request that is answered 503.
 */
export const isServerError = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 500 && ![501, 503].includes(statusOf(exchange));

/** Whether a request may have failed, or timed out, because others overlapped it. */
export const wasCrowded = (exchange: Exchange): boolean =>
  isOverload(exchange) || (exchange.failure?.kind === 'timeout' && (exchange.beside ?? 0) > 0);

/** Whether an answer may be due to overlapping requests: a server error, or a conflict of two writes (409, 423). */
export function isOverload(exchange: Exchange): boolean {
  return ((exchange.beside ?? 0) > 0 && statusOf(exchange) >= 500) || isConflict(exchange);
}

/** Whether an answer says that another request was in the way, and one was: 409 and 423 to a write. */
export const isConflict = ({ answer, ask: { method }, beside = 0 }: Exchange): boolean =>
  beside > 0 && method !== 'GET' && (answer?.status === 409 || answer?.status === 423);
