import { isGatewayError, isServerError } from './retryable.ts';
import { statusOf, type Exchange } from './exchange.ts';
import { persist, type Patience } from './patience.ts';
import { WAITS } from './waits.ts';

/** Sends a request whose answer shows whether the target works. */
type SendProbe = () => Promise<Exchange>;

/**
 * Notices when the target answers every request of a kind with a server error: all requests, as it does while its application
 * server restarts, or all writes, as it does while a replica takes over its database. Waits until it works again.
 */
export class Outage {
  readonly #sendProbe: SendProbe;
  readonly #patience: Patience;
  readonly #mostInVain: number;
  #hasAnswered: boolean;
  /** Server errors in a row. */
  #inRow = 0;
  /** How many server errors to each operation came while the target answered other requests. */
  readonly #inVain = new Map<string, number>();
  #probesInVain = 0;
  #waiting: Promise<boolean> | undefined;
  /** When the last outage ended, by `performance.now()`. */
  #endedAt = Number.NEGATIVE_INFINITY;
  /** Whether one has outlasted the patience. */
  #isLasting = false;
  /** Why the target counts as gone: a gateway gets no answer from its server any more. */
  gone: string | undefined;

  /** @param options whether the target is known to answer, and how many probes may be sent in vain. */
  constructor(
    sendProbe: SendProbe,
    patience: Patience,
    options: { readonly hasAnswered?: boolean; readonly mostInVain?: number } = {},
  ) {
    this.#sendProbe = sendProbe;
    this.#patience = patience;
    this.#hasAnswered = options.hasAnswered ?? false;
    this.#mostInVain = options.mostInVain ?? WAITS.probed.inVain.most;
  }

  /**
   * Learns from an exchange. After a server error, waits until the target works again if it answers nothing well.
   *
   * @returns whether the exchange fell into an outage that is over: then the same request may be answered well now.
   */
  async outlast(exchange: Exchange): Promise<boolean> {
    const { ask, answer } = exchange;
    if (answer === undefined) return false;
    if (!isServerError(exchange)) {
      this.#inRow = 0;
      this.#hasAnswered = true;
      return false;
    }
    this.#inRow++;
    if (!this.#hasAnswered || this.#isLasting) return false;
    // The pool of a server may hold broken connections for a while.
    const isAftermath = exchange.startedAt < this.#endedAt + this.#patience.ms;
    // Only a failed probe shows that a server error that is no gateway's belongs to an outage, so a probe is sent at once.
    const isUrgent =
      !isAftermath && !isGatewayError(exchange) && this.#inVainOf(ask.operation) < WAITS.probed.inVain.few;
    if (this.#waiting === undefined && !this.#isWorthProbing(isUrgent)) return isAftermath;
    this.#waiting ??= this.#wait().finally(() => (this.#waiting = undefined));
    const isOfOutage = (await this.#waiting) || isAftermath;
    if (!isOfOutage) this.#inVain.set(ask.operation, this.#inVainOf(ask.operation) + 1);
    return isOfOutage;
  }

  #inVainOf(operation: string): number {
    return this.#inVain.get(operation) ?? 0;
  }

  #isWorthProbing(isUrgent: boolean): boolean {
    if (!this.#patience.mayGoOn() || this.#probesInVain >= this.#mostInVain) return false;
    return isUrgent || this.#inRow % WAITS.probed.serverErrors === 0;
  }

  /** Waits until a probe is answered well. Returns whether one was not. */
  async #wait(): Promise<boolean> {
    const isBad = (probe: Exchange): boolean =>
      probe.answer === undefined || isServerError(probe) || statusOf(probe) === 503;
    const { came, times } = await persist(this.#sendProbe, isBad, this.#patience);
    if (isBad(came)) {
      this.#isLasting = this.#patience.mayGoOn();
      if (this.#isLasting && isGatewayError(came))
        this.gone = `the target stopped answering: for ${Math.round(this.#patience.ms / 1_000)} s every answer was ${statusOf(came)}, of a gateway that gets no answer from its server`;
      return false;
    }
    if (times === 1) this.#probesInVain++;
    else this.#endedAt = performance.now();
    return times > 1;
  }
}
