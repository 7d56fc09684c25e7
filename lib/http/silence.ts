import { setImmediate as nextCycle } from 'node:timers/promises';
import type { Exchange, Failure } from './exchange.ts';
import { persist, type Patience } from './patience.ts';
import { WAITS } from './waits.ts';

/** Notices when the target no longer answers anything. */
export class Silence {
  readonly #sendProbe: () => Promise<Exchange>;
  readonly #patience: Patience;
  /** Requests in a row that got no answer. */
  #unanswered = 0;
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
    const { answer, failure } = exchange;
    if (answer !== undefined || sentBytes(failure)) {
      this.#unanswered = 0;
      this.#hasAnswered = true;
      return undefined;
    }
    this.#unanswered++;
    if (this.#unanswered < (this.#hasAnswered ? WAITS.probed.unanswered : 1) || !this.#patience.mayGoOn())
      return undefined;
    if (!this.#hasAnswered && (failure?.kind === 'unreachable' || failure?.kind === 'untrusted'))
      return `the target could not be reached: ${failure.message}`;
    alone();
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    const last = await this.#probing;
    if (last.failure !== undefined)
      return `the target ${this.#hasAnswered ? 'stopped answering' : 'could not be reached'}: ${(failure ?? last.failure).message}`;
    this.#unanswered = 0;
    this.#hasAnswered = true;
    return undefined;
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

/** Whether bytes came back, although they make no answer. */
const sentBytes = (failure: Failure | undefined): boolean =>
  failure?.kind === 'malformed' || failure?.kind === 'unreadable' || failure?.kind === 'oversized';
