import { setImmediate as nextCycle } from 'node:timers/promises';
import type { Exchange, Failure } from './exchange.ts';
import { persist, type Patience } from './patience.ts';
import { WAITS } from './waits.ts';
import { cut, harmless, lineOf } from './wording.ts';

type Request = Pick<Exchange, 'number' | 'ask'>;

/** Notices when the target no longer answers anything. */
export class Silence {
  readonly #sendProbe: () => Promise<Exchange>;
  readonly #patience: Patience;
  /** Requests in a row that got no answer. */
  #unanswered = 0;
  /** The first of them, and the request that was answered last: one of these may have made the target hang. */
  #firstLost: readonly Request[] = [];
  #lastAnswered: Request | undefined;
  #hasAnswered = false;
  #probing: Promise<Exchange> | undefined;

  /** @param sendProbe sends a harmless request, to see whether the target still answers. */
  constructor(sendProbe: () => Promise<Exchange>, patience: Patience) {
    this.#sendProbe = sendProbe;
    this.#patience = patience;
  }

  /** Forgets the requests without an answer. */
  reset(): void {
    this.#unanswered = 0;
  }

  /**
   * Learns from an exchange. If too many requests in a row got no answer, a probe that is sent alone decides. The
   * target may leave only these requests unanswered, or any that overlap.
   *
   * @param alone makes the run send one request at a time.
   * @returns why the target counts as gone, or undefined.
   */
  async watch(exchange: Exchange, alone: () => void): Promise<string | undefined> {
    const { number, ask, answer, failure } = exchange;
    if (answer !== undefined || sentBytes(failure)) {
      this.#unanswered = 0;
      this.#hasAnswered = true;
      this.#lastAnswered = { number, ask };
      return undefined;
    }
    if (this.#unanswered === 0) this.#firstLost = [];
    this.#firstLost = inOrder([...this.#firstLost, { number, ask }]).slice(0, MOST_TOLD);
    this.#unanswered++;
    if (this.#unanswered < (this.#hasAnswered ? WAITS.probed.unanswered : 1) || !this.#patience.mayGoOn())
      return undefined;
    if (!this.#hasAnswered && (failure?.kind === 'unreachable' || failure?.kind === 'untrusted'))
      return `the target could not be reached: ${failure.message}`;
    alone();
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    const last = await this.#probing;
    if (last.failure !== undefined) {
      const { message } = failure ?? last.failure;
      return this.#hasAnswered
        ? `the target stopped answering: ${message}${this.#whereabouts()}`
        : `the target could not be reached: ${message}`;
    }
    this.#unanswered = 0;
    this.#hasAnswered = true;
    return undefined;
  }

  /** After which request the target stopped answering, as a further clause. */
  #whereabouts(): string {
    const answered = this.#lastAnswered;
    if (answered === undefined || this.#firstLost.length === 0) return '';
    return `; the first requests without an answer were ${this.#firstLost.map(described).join(', ')}, and the last one with an answer was ${described(answered)}`;
  }

  /** Finds out whether the target still answers, and returns the last probe. */
  async #probe(): Promise<Exchange> {
    const first = await this.#sendProbe();
    // Requests that stalled one another end with their time-outs. If all connections are closed at once, as by a restart,
    // the first probe may have been sent on one of them.
    const mayBeThere = first.failure?.kind === 'timeout' || first.failure?.kind === 'closed';
    if (!mayBeThere || !this.#hasAnswered || !this.#patience.mayGoOn()) return first;
    await nextCycle();
    // While a server restarts, a port forwarder accepts connections and closes them.
    const isClosed = ({ failure }: Exchange): boolean => failure?.kind === 'closed';
    return (await persist(this.#sendProbe, isClosed, this.#patience)).came;
  }
}

/** How many requests without an answer are told: they may have been under way at the same time. */
const MOST_TOLD = 3;

const inOrder = (requests: readonly Request[]): readonly Request[] =>
  requests.toSorted((one, other) => one.number - other.number);

/** The most characters of a body that are quoted. */
const MOST_QUOTED = 100;

/** A request in one line: `PUT /api/v2/tagging/7 {"name":""} (request 12)`. */
function described({ number, ask }: Request): string {
  const { operation, headers, body } = ask;
  const lacksToken =
    operation !== 'login' && headers.every(([name]) => name.toLowerCase() !== 'authorization');
  const text = body instanceof Uint8Array ? `${body.length} bytes` : String(body ?? '');
  const parts = [lineOf({ ask }), cut(text, MOST_QUOTED), lacksToken ? 'without Authorization' : ''];
  return `${harmless(parts.filter((part) => part !== '').join(' '))} (request ${number})`;
}

/** Whether bytes came back, although they make no answer. */
const sentBytes = (failure: Failure | undefined): boolean =>
  failure?.kind === 'malformed' || failure?.kind === 'unreadable' || failure?.kind === 'oversized';
