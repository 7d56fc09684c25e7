import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../account/account.ts';
import { isRunName, PLAIN_LETTERS } from '../account/names.ts';
import { isTransient } from '../http/retryable.ts';
import { accepted, isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import { Permits } from '../permits.ts';
import { hasOtherToken, type RequestOverrides } from '../spec/requests.ts';

/** The lowest quota with which a run continues. */
const LEAST_QUOTA = 8;

/** If fewer tags may have existed, a create was refused for another reason than their number. */
const LEAST_TAGS = 2;

/** A quota of creates allows at least so many. */
const LEAST_CREATES = 20;

/** If so many plain creates in a row are refused, all further ones are. */
const REFUSED_MANY = 3;

/** The longest time that deleted tags may count, in settle times. */
const LONGEST_COUNT = 4;

/** How often a create is sent again that may have been refused for other reasons than deleted tags. */
const MOST_AGAIN = 2;

/**
 * The kind of a create. `plain`: nothing is wrong with its name. `odd`: it has another token than the run's, or none, so
 * its refusal may have any reason.
 */
type Kind = 'plain' | 'well-formed' | 'odd';

/** The creates of one account. */
interface Counts {
  underWay: number;
  accepted: number;
  /** How many plain ones were refused since the last accepted one, for another reason than the number of tags. */
  refused: number;
  /** The most tags that were alive when a create was accepted. */
  mostAlive: number;
}

/** A create under way. */
interface Admission {
  /** The most tags that may exist, and the recently deleted tags that the target may still count. */
  readonly existing: number;
  readonly lately: number;
  /** The number of records, in any state. */
  readonly known: number;
  /** The create has ended. */
  end(): void;
}

/** The possible reason of a refused create. */
export type Refusal =
  | 'another reason'
  | 'too many tags'
  /** For the number of tags, if the target still counts recently deleted ones. */
  | 'deleted tags still count';

/**
 * Finds out from refused creates whether the target limits the number of tags. If it still counts deleted tags for a while,
 * creates wait until these no longer count.
 */
export class Quota {
  readonly #longestMs: number;
  /** How long deleted tags count: at first a guess, which doubles if a create that waited as long is refused. */
  #countedMs: number;
  readonly #counts = new Map<Account, Counts>();
  /** The statuses with which plain creates were refused for the number of tags, or for deleted tags. */
  readonly #statuses = new Set<number>();
  readonly #entering = new Permits(1);
  #isMet = false;
  /** Whether deleted tags still count for a while. */
  #deletedCount: 'unknown' | 'likely' | 'yes' | 'no' = 'unknown';

  /** @param settleMs the first guess of how long deleted tags count. */
  constructor(settleMs: number) {
    this.#countedMs = settleMs;
    this.#longestMs = LONGEST_COUNT * settleMs;
  }

  /** The most tags that the run may have at once; undefined as long as no plain create was refused for their number. */
  get limit(): number | undefined {
    const alive = [...this.#counts.values()].map(({ mostAlive }) => mostAlive);
    return this.#isMet ? Math.max(LEAST_QUOTA, ...alive) : undefined;
  }

  /** Whether deleted tags seem to count for a while. */
  get countsDeleted(): boolean {
    return this.#deletedCount === 'likely' || this.#deletedCount === 'yes';
  }

  /** Whether a create that was refused with this status may have been refused for this reason, as far as is known by now. */
  mayExplain(refusal: Refusal, status: number): boolean {
    if (refusal === 'another reason' || !this.#statuses.has(status)) return false;
    return refusal === 'too many tags' || this.countsDeleted;
  }

  /**
   * Whether the target accepts no more creates, as if these used up a quota. If only a few were accepted, there is another
   * reason.
   */
  get isUsedUp(): boolean {
    return [...this.#counts.values()].some(
      ({ accepted, refused }) => accepted >= LEAST_CREATES && refused >= REFUSED_MANY,
    );
  }

  /**
   * Sends a create. If it was refused and deleted tags may still count, it is sent again when they should no longer count: a
   * few times if there may be another reason as well.
   *
   * @param note called each time that it was answered, with the reason that a refusal may have; before it is sent again, with
   * another reason.
   */
  async send(
    account: Account,
    kind: Kind,
    create: () => Promise<Exchange>,
    note: (refusal: Refusal, exchange: Exchange) => void,
  ): Promise<Exchange> {
    const isPlain = kind === 'plain';
    let waitedMs: number | undefined;
    for (let time = 1; ; time++, waitedMs = await this.untilForgotten()) {
      const admission = await this.#admit(account);
      try {
        const exchange = await create();
        if (accepted(exchange) && kind !== 'odd') this.#accepted(account);
        const refusal = this.#refused(account, exchange, admission, isPlain);
        if (isPlain && waitedMs !== undefined)
          this.#sentAgain(accepted(exchange) ? 'accepted' : refusal, waitedMs);
        const isSentAgain =
          isPlain && refusal === 'deleted tags still count'
            ? this.countsDeleted && (waitedMs ?? 0) < this.#longestMs
            : time <= MOST_AGAIN && this.#mayFitLater(refusal, exchange, admission, isPlain);
        note(isSentAgain ? 'another reason' : refusal, exchange);
        if (!isSentAgain) return exchange;
      } finally {
        admission.end();
      }
    }
  }

  /** Waits until a create may be sent: if deleted tags still count, until there is room for its tag. */
  async #admit(account: Account): Promise<Admission> {
    if (!this.countsDeleted) return this.#admitted(account);
    return this.#entering.use(1, async () => {
      await this.#untilRoom(account);
      return this.#admitted(account);
    });
  }

  #admitted(account: Account): Admission {
    const counts = this.#of(account);
    counts.underWay++;
    const end = (): void => void counts.underWay--;
    const { length: known } = account.tags.records;
    return { existing: mayExist(account), lately: this.#lately(account, this.#longestMs).length, known, end };
  }

  /** A create was accepted: the target allows as many tags as are alive now. */
  #accepted(account: Account): void {
    const alive = account.tags.records.filter(({ state, mayBeGone }) => state === 'alive' && !mayBeGone);
    const counts = this.#of(account);
    counts.mostAlive = Math.max(counts.mostAlive, alive.length);
    counts.accepted++;
    counts.refused = 0;
  }

  /**
   * The possible reason of a refused create.
   *
   * @param isOfPlain whether its name is plain, so that nothing is wrong with the create itself.
   */
  #refused(
    account: Account,
    exchange: Exchange,
    { existing, lately, known }: Admission,
    isOfPlain: boolean,
  ): Refusal {
    // Other tags may have been made and deleted meanwhile. One record is that of this create.
    const meanwhile = account.tags.records.length - known - 1;
    const counts = this.#of(account);
    // If no create was ever accepted, there is another reason. 401 concerns the credentials (RFC 9110, 15.5.2).
    if (counts.accepted === 0 || !isClientError(exchange) || statusOf(exchange) === 401)
      return 'another reason';
    const { mostAlive } = counts;
    const least = Math.max(LEAST_TAGS, mostAlive);
    // While deleted tags count, fewer than the quota may have been alive at all times.
    const full = this.#deletedCount === 'yes' ? Math.max(LEAST_QUOTA, mostAlive) : least;
    if (existing + meanwhile >= full) {
      this.#isMet ||= isOfPlain;
      if (isOfPlain) this.#statuses.add(statusOf(exchange));
      return 'too many tags';
    }
    if (this.#deletedCount === 'no' || isTransient(exchange) || existing + meanwhile + lately < least) {
      if (isOfPlain) counts.refused++;
      return 'another reason';
    }
    if (isOfPlain) {
      this.#statuses.add(statusOf(exchange));
      if (this.#deletedCount === 'unknown') this.#deletedCount = 'likely';
    }
    return 'deleted tags still count';
  }

  /**
   * Waits until the tags that were deleted before now should no longer count.
   *
   * @returns how long that was, in milliseconds.
   */
  async untilForgotten(): Promise<number> {
    const waitedMs = this.#countedMs;
    // A timer may fire a millisecond early.
    await sleep(waitedMs + 1);
    return waitedMs;
  }

  /** Whether deleted tags are known to count, and a create was refused as for them. 422 may also be about its name. */
  #mayFitLater(refusal: Refusal, refused: Exchange, { lately }: Admission, isPlain: boolean): boolean {
    if (this.#deletedCount !== 'yes' || lately === 0 || refusal === 'another reason') return false;
    const status = statusOf(refused);
    return isPlain || (status !== 422 && this.#statuses.has(status));
  }

  /**
   * A plain create that may have been refused for deleted tags was sent again, with this result.
   *
   * @param waitedMs how long it had waited.
   */
  #sentAgain(came: 'accepted' | Refusal, waitedMs: number): void {
    if (came === 'too many tags') return;
    const isRefusedAtLast = came === 'another reason' || waitedMs >= this.#longestMs;
    if (came === 'deleted tags still count' && waitedMs >= this.#countedMs)
      this.#countedMs = Math.min(2 * waitedMs, this.#longestMs);
    if (this.#deletedCount === 'yes' || this.#deletedCount === 'no') return;
    if (came === 'accepted') {
      this.#deletedCount = 'yes';
      this.#isMet = true;
    } else if (isRefusedAtLast) this.#deletedCount = 'no';
  }

  /** Tags that were deleted within this time. */
  #lately({ tags }: Account, withinMs: number): readonly { readonly removedAt?: number | undefined }[] {
    const since = performance.now() - withinMs;
    return tags.records.filter(({ state, removedAt = 0 }) => state === 'removed' && removedAt > since);
  }

  #of(account: Account): Counts {
    const counts = this.#counts.get(account) ?? { underWay: 0, accepted: 0, refused: 0, mostAlive: 0 };
    this.#counts.set(account, counts);
    return counts;
  }

  /** Waits only for deleted tags: existing tags stay until other checks end. */
  async #untilRoom(account: Account): Promise<void> {
    const counts = this.#of(account);
    const most = Math.max(LEAST_TAGS, counts.mostAlive);
    const until = performance.now() + 2 * this.#countedMs;
    for (;;) {
      const lately = this.#lately(account, this.#countedMs);
      const now = performance.now();
      if (lately.length === 0 || now >= until) return;
      const made = account.tags.records.filter(({ state }) => state === 'alive' || state === 'deleting');
      if (made.length + counts.underWay + lately.length < most) return;
      const first = Math.min(...lately.map(({ removedAt = 0 }) => removedAt));
      await sleep(Math.max(1, first + this.#countedMs - now));
    }
  }
}

/** The most tags that may exist now, including those of creates and deletes under way. */
const mayExist = ({ tags }: Account): number =>
  tags.records.filter(
    ({ state, isUnfound }) =>
      state === 'alive' || state === 'deleting' || (state === 'intended' && !isUnfound),
  ).length;

/** @param isTaken whether a tag of the run has, or had, one of its names in any letter case: a create may be refused for that. */
export function kindOf(body: unknown, overrides: RequestOverrides | undefined, isTaken: boolean): Kind {
  if (hasOtherToken(overrides)) return 'odd';
  return overrides === undefined && isPlain(body) && !isTaken ? 'plain' : 'well-formed';
}

/** Whether a body gives a plain name and nothing else. */
function isPlain(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Object.keys(body).join() !== 'name') return false;
  const { name } = body as { readonly name: unknown };
  return typeof name === 'string' && name.length === PLAIN_LETTERS && isRunName(name);
}
