import { setImmediate as nextCycle, setTimeout as sleep } from 'node:timers/promises';
import type { Exchange, Failure } from './exchange.ts';

/** After this many requests in a row without an answer, a probe decides whether the target is gone. */
const GIVE_UP_AFTER = 3;

/** The first pause between probes of a target that closes every connection, which is doubled each time, and the longest pause. */
const PAUSE_MS = { first: 50, most: 500 };

/** The part of the client that this depends on. */
interface Sender {
  readonly stopped: string | undefined;
  readonly budget: { readonly hasRequestsLeft: boolean };
}

/** Notices when the target no longer answers anything. */
export class Silence {
  readonly #sendProbe: () => Promise<Exchange>;
  readonly #sender: Sender;
  readonly #patienceMs: number;
  /** Requests in a row that got no answer. */
  #unanswered = 0;
  #hasAnswered = false;
  #probing: Promise<Exchange> | undefined;

  /**
   * @param probe sends a harmless request, to see whether the target still answers.
   * @param patienceMs how long to wait for a target that answered before and now closes every connection, in milliseconds.
   */
  constructor(sender: Sender, probe: () => Promise<Exchange>, patienceMs: number) {
    this.#sender = sender;
    this.#sendProbe = probe;
    this.#patienceMs = patienceMs;
  }

  /** Forgets the requests without an answer. */
  reset(): void {
    this.#unanswered = 0;
  }

  /**
   * Learns from an exchange. If too many requests in a row got no answer, a probe that is sent alone decides: the target
   * may leave only these requests unanswered, or any that overlap.
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
    const { stopped, budget } = this.#sender;
    if (this.#unanswered < (this.#hasAnswered ? GIVE_UP_AFTER : 1) || stopped !== undefined) return undefined;
    if (!budget.hasRequestsLeft) return undefined;
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
    const since = performance.now();
    let last = await this.#sendProbe();
    // Requests that stalled one another end with their time-outs. If all connections are closed at once, as by a restart,
    // the first probe may have been sent on one of them.
    const mayBeThere = last.failure?.kind === 'timeout' || last.failure?.kind === 'closed';
    if (!mayBeThere || !this.#hasAnswered || this.#sender.stopped !== undefined) return last;
    await nextCycle();
    last = await this.#sendProbe();
    // While a server restarts, a port forwarder accepts connections and closes them.
    for (let pauseMs = PAUSE_MS.first; last.failure?.kind === 'closed'; pauseMs = 2 * pauseMs) {
      const leftMs = this.#patienceMs - (performance.now() - since);
      if (leftMs <= 0 || this.#sender.stopped !== undefined || !this.#sender.budget.hasRequestsLeft) break;
      await sleep(Math.min(pauseMs, PAUSE_MS.most, leftMs));
      last = await this.#sendProbe();
    }
    return last;
  }
}

/** Whether bytes came back, although they make no answer. */
const sentBytes = (failure: Failure | undefined): boolean =>
  failure?.kind === 'malformed' || failure?.kind === 'unreadable' || failure?.kind === 'oversized';
