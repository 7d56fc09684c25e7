import type { Client } from '../http/client.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import { Outage } from '../http/outage.ts';
import { isServerError } from '../http/retryable.ts';
import { WAITS } from '../http/waits.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import type { Permits } from '../permits.ts';
import type { TagRecord } from './tag-record.ts';

const { mostMs, mostInVain } = WAITS.downForWrites;

/** The account that makes the tags. */
interface Prober {
  probe(): Promise<{ readonly record: TagRecord; readonly exchange: Exchange }>;
  remove(record: TagRecord): Promise<void>;
}

/**
 * Notices when the target answers all writes with a server error while it answers lists, as it does while a replica takes over
 * its database. Creates of plain tags show when it works again.
 */
export class WriteOutage {
  readonly #outage: Outage;
  readonly #client: Client;
  readonly #creating: Permits;
  readonly #prober: () => Prober;
  /** The tags of accepted probes. */
  readonly #accepted: TagRecord[] = [];
  /** The tags of probes that the next caller has to remove: also those of refused ones, which may have been made. */
  readonly #toRemove: TagRecord[] = [];

  /** @param creating every create holds one of these permits. */
  constructor(client: Client, creating: Permits, prober: () => Prober) {
    this.#client = client;
    this.#creating = creating;
    this.#prober = prober;
    const probe = async (): Promise<Exchange> => {
      // Where deletes fail and creates do not, the run must not fill up the target.
      if (this.#accepted.some(({ state }) => state === 'alive' || state === 'deleting'))
        throw new Undecided('failure', 'the tag of an earlier probe is still there');
      const { record, exchange } = await prober().probe();
      if (accepted(exchange)) this.#accepted.push(record);
      this.#toRemove.push(record);
      if (isServerError(exchange)) client.budget.forgive(exchange.ask.operation);
      return exchange;
    };
    this.#outage = new Outage(
      probe,
      { ...client.patience, mostPauseMs: mostMs },
      { hasAnswered: true, mostInVain },
    );
  }

  /**
   * Sends a write. If the answer is a server error, waits until the target carries out writes.
   *
   * @param mayCreate whether the caller holds one of the permits for creates.
   * @returns the exchange, which tells whether it fell into an outage that is over.
   */
  async outlasting(send: () => Promise<Exchange>, mayCreate = false): Promise<Exchange> {
    const exchange = await send();
    if (exchange.inOutage === true || this.#client.patience.ms === 0) return exchange;
    // While no tag may be made, nothing tells an outage from a fault. To wait for the permit could take forever.
    const giveBack = mayCreate ? (): void => undefined : this.#creating.holdAtOnce();
    if (giveBack === undefined) return exchange;
    let isOfOutage: boolean | undefined;
    try {
      isOfOutage = await ifDecided(() => this.#outage.outlast(exchange));
    } finally {
      giveBack();
    }
    await Promise.all(
      this.#toRemove.splice(0).map((record) => ifDecided(() => this.#prober().remove(record))),
    );
    if (isOfOutage !== true) return exchange;
    this.#client.budget.forgive(exchange.ask.operation);
    return { ...exchange, inOutage: true };
  }
}
