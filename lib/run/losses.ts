import type { Ask, Exchange } from '../http/exchange.ts';
import type { Listener } from '../http/listener.ts';
import { WAITS } from '../http/waits.ts';

/** The share of requests that may lose their connections by chance, as idle connections do. More make every loss doubtful. */
const BY_CHANCE = 0.01;

/** The most characters of a body that tell its kind. */
const MOST_TOLD = 200;

/** The data that distinguish requests of the same form. */
interface Known {
  /** Whether the run has a living tag with this tag_id, or is deleting it. */
  readonly isLiving: (tagId: string) => boolean;
  readonly usernames: readonly string[];
}

interface Count {
  lost: number;
  answered: number;
}

/**
 * Counts how often the target answers each kind of request, and how often it does not. Some servers close the connection, or
 * let the client wait, when a handler fails.
 */
export class Losses implements Listener {
  readonly #known: Known;
  readonly #counts = new Map<string, Count>();
  /** The kinds of the requests that were not answered, by the numbers of their exchanges. */
  readonly #kinds = new Map<number, string>();

  constructor(known: Known) {
    this.#known = known;
  }

  ended({ number, ask, answer, failure }: Exchange): void {
    const isLost = failure?.kind === 'closed' || failure?.kind === 'timeout';
    if (answer === undefined && !isLost) return;
    const kind = kindOf(ask, this.#known);
    const count = this.#counts.get(kind) ?? { lost: 0, answered: 0 };
    this.#counts.set(kind, count);
    if (isLost) {
      count.lost++;
      this.#kinds.set(number, kind);
    } else count.answered++;
  }

  /**
   * Whether another attempt is not worth it: more requests of this kind than one check sends were lost, and none was answered.
   * A check may send a request twice at each attempt.
   */
  isHopeless(exchange: Exchange): boolean {
    const { closed, timedOut } = WAITS.tried;
    return this.#inVain(exchange) > (exchange.failure?.kind === 'timeout' ? timedOut : 2 * closed);
  }

  /** Whether each request of this kind was lost, and hardly any other: then it was not lost by chance. */
  isSteady(exchange: Exchange): boolean {
    if (this.#inVain(exchange) < WAITS.tried.closed) return false;
    const mixed = [...this.#counts.values()].filter(({ answered }) => answered > 0);
    const sum = (of: keyof Count): number => mixed.reduce((all, count) => all + count[of], 0);
    return sum('lost') <= sum('answered') * BY_CHANCE;
  }

  /** How many requests of this kind were lost; 0 if one was answered. */
  #inVain({ number }: Exchange): number {
    const { lost = 0, answered = 0 } = this.#counts.get(this.#kinds.get(number) ?? '') ?? {};
    return answered === 0 ? lost : 0;
  }
}

/** The request without names, tag_ids, filters and credentials of this run. */
function kindOf({ operation, path, headers, body }: Ask, { isLiving, usernames }: Known): string {
  const text = String(body ?? '').slice(0, MOST_TOLD);
  if (operation === 'login') {
    const username = /"username":\s*("[^"]*"|.)/.exec(text)?.[1];
    const isKnown = usernames.some((one) => username === JSON.stringify(one));
    return `login ${isKnown ? 'of an account' : username?.slice(0, 1)}`;
  }
  const [, id = ''] = /\/tagging\/([^?]*)$/.exec(path) ?? [];
  // Another spelling of a path is another place, which the target may answer in another way.
  const form = path.replace(/(?<=\/tagging[/?].*)(?:%[\dA-F]{2}|\w+)/gi, (part) =>
    part[0] === '%' ? part : 'x',
  );
  const place = id !== '' && isLiving(id) ? 'a living tag' : form;
  const [, credential = 'none'] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return [operation, place, String(credential).replace(/\d+/g, ''), text.replace(/[a-z]{12,}/gi, 'x')].join(
    ' ',
  );
}
