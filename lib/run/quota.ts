import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../account/account.ts';
import { isRunName, PLAIN_LETTERS } from '../account/names.ts';
import { isTransient } from '../http/attempts.ts';
import { isClientError, statusOf, type Exchange } from '../http/exchange.ts';
import { Permits } from '../permits.ts';

/** The lowest quota with which a run continues. */
const LEAST_QUOTA = 8;

/** If fewer tags may have existed, a create was refused for another reason than their number. */
const LEAST_TAGS = 3;

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
  | 'for another reason'
  | 'for their number'
  /** For the number of tags, if the target still counts recently deleted ones. */
  | 'for deleted ones';

/**
 * Finds out from refused creates whether the target limits the number of tags. If it still counts deleted tags for a while,
 * creates wait until these no longer count.
 */
export class Quota {
  readonly #settleMs: number;
  readonly #mostAlive = new Map<Account, number>();
  readonly #entering = new Permits(1);
  /** Creates under way. */
  readonly #underWay = new Map<Account, number>();
  #isMet = false;
  /** Whether deleted tags still count for a while, and whether that is certain. */
  #countsDeleted = { isLikely: false, isSure: false };

  /** @param settleMs how long deleted tags may still count. */
  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** The most tags that the run may have at once; undefined as long as no plain create was refused for their number. */
  get limit(): number | undefined {
    return this.#isMet ? Math.max(LEAST_QUOTA, ...this.#mostAlive.values()) : undefined;
  }

  /** Whether deleted tags seem to count for a while. */
  get countsDeleted(): boolean {
    return this.#countsDeleted.isLikely;
  }

  /** Waits until a create may be sent: if deleted tags still count, until there is room for its tag. */
  async admit(account: Account): Promise<Admission> {
    if (!this.countsDeleted) return this.#admitted(account);
    return this.#entering.use(1, async () => {
      await this.#untilRoom(account);
      return this.#admitted(account);
    });
  }

  #admitted(account: Account): Admission {
    this.#underWay.set(account, this.#creating(account) + 1);
    const end = (): void => void this.#underWay.set(account, this.#creating(account) - 1);
    const { length: known } = account.tags.records;
    return { existing: mayExist(account), lately: this.#lately(account).length, known, end };
  }

  /** A create was accepted: the target allows as many tags as are alive now. */
  accepted(account: Account): void {
    const alive = account.tags.records.filter(({ state, mayBeGone }) => state === 'alive' && !mayBeGone);
    this.#mostAlive.set(account, Math.max(alive.length, this.#mostAlive.get(account) ?? 0));
  }

  /**
   * The possible reason of a refused create.
   *
   * @param isOfPlain whether its name is plain, so that nothing is wrong with the create itself.
   */
  refused(
    account: Account,
    exchange: Exchange,
    { existing, lately, known }: Admission,
    isOfPlain: boolean,
  ): Refusal {
    // Other tags may have been made and deleted meanwhile.
    const meanwhile = account.tags.records.length - known;
    const mostAlive = this.#mostAlive.get(account);
    // If no create was ever accepted, there is another reason. 401 concerns the credentials (RFC 9110, 15.5.2).
    if (mostAlive === undefined || !isClientError(exchange) || statusOf(exchange) === 401)
      return 'for another reason';
    const least = Math.max(LEAST_TAGS, mostAlive);
    if (existing + meanwhile >= least) {
      this.#isMet ||= isOfPlain;
      return 'for their number';
    }
    const isRuledOut = this.#countsDeleted.isSure && !this.countsDeleted;
    if (isRuledOut || isTransient(exchange) || existing + meanwhile + lately < least)
      return 'for another reason';
    if (isOfPlain) this.#countsDeleted.isLikely = true;
    return 'for deleted ones';
  }

  /** Waits until the tags that were deleted before now no longer count. */
  async untilForgotten(): Promise<void> {
    // A timer may fire a millisecond early.
    await sleep(this.#settleMs + 1);
  }

  /** A plain create that may have been refused for deleted tags was sent again, with this result. */
  sentAgain(came: 'accepted' | Refusal): void {
    const tells = came === 'accepted' || came === 'for another reason';
    if (this.#countsDeleted.isSure || !tells) return;
    const isLikely = came === 'accepted';
    this.#countsDeleted = { isLikely, isSure: true };
    this.#isMet ||= isLikely;
  }

  /** Recently deleted tags that may still count. */
  #lately({ tags }: Account): readonly { readonly removedAt?: number | undefined }[] {
    const since = performance.now() - this.#settleMs;
    return tags.records.filter(({ state, removedAt = 0 }) => state === 'removed' && removedAt > since);
  }

  #creating(account: Account): number {
    return this.#underWay.get(account) ?? 0;
  }

  /** Waits only for deleted tags: existing tags stay until other checks end. */
  async #untilRoom(account: Account): Promise<void> {
    const most = Math.max(LEAST_TAGS, this.#mostAlive.get(account) ?? 0);
    const until = performance.now() + 2 * this.#settleMs;
    for (;;) {
      const lately = this.#lately(account);
      const now = performance.now();
      if (lately.length === 0 || now >= until) return;
      const made = account.tags.records.filter(({ state }) => state === 'alive' || state === 'deleting');
      if (made.length + this.#creating(account) + lately.length < most) return;
      const first = Math.min(...lately.map(({ removedAt = 0 }) => removedAt));
      await sleep(Math.max(1, first + this.#settleMs - now));
    }
  }
}

/** The most tags that may exist now, including those of creates and deletes under way. */
const mayExist = ({ tags }: Account): number =>
  tags.records.filter(
    ({ state, isUnfound }) =>
      state === 'alive' || state === 'deleting' || (state === 'intended' && !isUnfound),
  ).length;

/** Whether a body gives a plain name and nothing else. */
export function isPlain(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Object.keys(body).join() !== 'name') return false;
  const { name } = body as { readonly name: unknown };
  return typeof name === 'string' && name.length === PLAIN_LETTERS && isRunName(name);
}
