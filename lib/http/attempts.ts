import { isUnanswered, statusOf, type Exchange } from './exchange.ts';

/**
 * How often something is worth trying in all, given the exchanges in which it went wrong. Once if every request was
 * answered. A connection that was closed may hold the next time; waiting for an answer in vain costs much; a server that
 * does one thing at a time may refuse requests that overlap, or fail; a gateway may reach its server the next time.
 */
export function attemptsWorth(exchanges: readonly Exchange[]): number {
  const unanswered = exchanges.filter(isUnanswered);
  if (unanswered.length > 0) return unanswered.every(({ failure }) => failure?.kind === 'closed') ? 4 : 2;
  return exchanges.some(isTransient) ? 3 : 1;
}

/**
 * Whether the same request may be answered otherwise the next time, and may have been carried out all the same: others
 * overlapped it, or a gateway got no answer from its server (RFC 9110, 15.6).
 */
export const isTransient = (exchange: Exchange): boolean => isOverload(exchange) || isGatewayError(exchange);

/** Whether a gateway got no answer from its server: 502 and 504. */
export const isGatewayError = (exchange: Exchange): boolean => [502, 504].includes(statusOf(exchange));

/** Whether a request may have failed because others overlapped it. */
export const wasCrowded = (exchange: Exchange): boolean =>
  isOverload(exchange) || (exchange.failure?.kind === 'timeout' && (exchange.beside ?? 0) > 0);

/** Whether an answer may be due to the requests beside it: a server error, or a write that met another one (409, 423). */
export function isOverload(exchange: Exchange): boolean {
  if ((exchange.beside ?? 0) === 0) return false;
  const status = statusOf(exchange);
  return status >= 500 || ((status === 409 || status === 423) && exchange.ask.method !== 'GET');
}
