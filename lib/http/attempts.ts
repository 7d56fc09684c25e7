import { isUnanswered, type Exchange } from './exchange.ts';

/**
 * How often something is worth trying in all, given the exchanges in which it went wrong. Once where every request was
 * answered. A connection that was closed may hold the next time; waiting for an answer in vain costs much.
 */
export function attemptsWorth(exchanges: readonly Exchange[]): number {
  const unanswered = exchanges.filter(isUnanswered);
  if (unanswered.length === 0) return 1;
  return unanswered.every(({ failure }) => failure?.kind === 'closed') ? 4 : 2;
}
