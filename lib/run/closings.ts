import type { Ask, Exchange } from '../http/exchange.ts';
import type { Listener } from '../http/listener.ts';
import { WAITS } from '../http/waits.ts';
import { Secret } from '../secret.ts';

/** The most characters of a body that tell its kind. */
const MOST_TOLD = 200;

/** The share of requests that may lose their connections by chance, as idle connections do. More make every loss doubtful. */
const BY_CHANCE = 0.01;

interface Count {
  closed: number;
  answered: number;
}

/**
 * Counts how often the target answers each kind of request, and how often it closes the connection instead. Some servers close
 * it when a handler fails.
 */
export class Closings implements Listener {
  readonly #counts = new Map<string, Count>();

  ended({ ask, answer, failure }: Exchange): void {
    if (answer === undefined && failure?.kind !== 'closed') return;
    const kind = kindOf(ask);
    const count = this.#counts.get(kind) ?? { closed: 0, answered: 0 };
    this.#counts.set(kind, count);
    if (answer === undefined) count.closed++;
    else count.answered++;
  }

  /**
   * Whether more requests of this kind than one check sends have met a closed connection, and none an answer. A check may send
   * one twice at each attempt.
   */
  isHopeless(exchange: Exchange): boolean {
    return this.#inVain(exchange) > 2 * WAITS.tried.closed;
  }

  /** Whether the connection was closed each time, and hardly ever at other requests: then it was not closed by chance. */
  isSteady(exchange: Exchange): boolean {
    if (this.#inVain(exchange) < WAITS.tried.closed) return false;
    const mixed = [...this.#counts.values()].filter(({ answered }) => answered > 0);
    const sum = (of: keyof Count): number => mixed.reduce((all, count) => all + count[of], 0);
    return sum('closed') <= sum('answered') * BY_CHANCE;
  }

  /** How often the connection was closed at requests of this kind; 0 if one was answered. */
  #inVain({ ask, failure }: Exchange): number {
    const { closed = 0, answered = 0 } = this.#counts.get(kindOf(ask)) ?? {};
    return failure?.kind === 'closed' && answered === 0 ? closed : 0;
  }
}

/** The request without names, tag_ids and filters of this run. */
function kindOf({ operation, path, body }: Ask): string {
  const form = path.replace(/\w+/g, 'x');
  const text = body === undefined || body instanceof Secret ? '' : String(body).slice(0, MOST_TOLD);
  return `${operation} ${form} ${text.replace(/[a-z]{12,}/gi, 'x')}`;
}
