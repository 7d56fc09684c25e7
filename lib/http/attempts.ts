import { isUnanswered, statusOf, type Exchange } from './exchange.ts';

/**
 * How often something is worth trying in all, given the exchanges in which it went wrong. Once where every request was
 * answered. A connection that was closed may hold the next time; waiting for an answer in vain costs much; a server that
 * does one thing at a time may answer 5xx while requests overlap.
 */
export function attemptsWorth(exchanges: readonly Exchange[]): number {
  const unanswered = exchanges.filter(isUnanswered);
  if (unanswered.length > 0) return unanswered.every(({ failure }) => failure?.kind === 'closed') ? 4 : 2;
  return exchanges.some(isOverload) ? 3 : 1;
}

/** Whether a server error may be due to the requests beside it. */
export const isOverload = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 500 && (exchange.beside ?? 0) > 0;
