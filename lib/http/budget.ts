import type { Budget as Limits } from '../effort.ts';
import type { Lack } from '../outcome.ts';
import type { Operation } from '../spec/operations.ts';

/** What a run did to its target, as counts. `waitedMs`: how long it paused because the target asked for it. */
export interface Traffic {
  requests: number;
  writes: number;
  logins: number;
  failedLogins: number;
  retries: number;
  waitedMs: number;
}

/**
 * Where tokens end during a run, the one for tidying up may end as well: a budget of at least this many logins keeps a
 * second login for it.
 */
const LOGINS_FOR_ANOTHER = 20;

/** Share of the requests kept for removing what the run made, and the most that is kept if little is left to remove. */
const TIDYING_SHARE = 0.2;
const TIDYING_MOST = 32;

/** Why a request may not be sent. */
export interface Shortage {
  readonly because: Lack;
  readonly why: string;
}

const isWrite = (operation: Operation): boolean => operation !== 'login' && operation !== 'list';

/**
 * Counts what a run sends, and says when no more may be sent. Some requests and a login are kept for removing the run's
 * tags, and a login for the end of the phase of wrong logins.
 */
export class Budget {
  readonly traffic: Traffic = { requests: 0, writes: 0, logins: 0, failedLogins: 0, retries: 0, waitedMs: 0 };
  /** How many requests it takes to remove what the run made. */
  tidying: () => number = () => 0;
  readonly #limits: Limits;
  #reserved = 0;
  #isTidying = false;
  #isClosing = false;
  #loginsUnderWay = 0;
  #keptForTidying = 1;
  /** Requests sent, deferred ones and those of the client's own included: the numbers of exchanges. */
  #sent = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Keeps this many requests, and as many writes, for later phases of the run. */
  reserve(requests: number): void {
    this.#reserved = requests;
  }

  /** From now on the run only removes what it made: nothing is kept back. */
  tidy(): void {
    this.#isTidying = true;
  }

  /** The next login is the closing one, for which one is kept. */
  allowClosingLogin(): void {
    this.#isClosing = true;
  }

  /** Tokens of the run end before it does. */
  noteTokensEnd(): void {
    if (this.#limits.logins >= LOGINS_FOR_ANOTHER) this.#keptForTidying = 2;
  }

  /** Logins that may still be sent, without those that are kept: one closes the phase of wrong logins. */
  get loginsLeft(): number {
    return this.#limits.logins - this.#keptForTidying - 1 - this.traffic.logins;
  }

  get hasRequestsLeft(): boolean {
    return this.traffic.requests < this.#limits.requests;
  }

  /** Requests that may still be sent in this phase, as long as few tags exist. */
  get requestsLeft(): number {
    return Math.max(0, this.#withoutKept(this.#limits.requests, this.traffic.requests));
  }

  /** Why a request for this operation may not be sent, or undefined. */
  shortage(operation: Operation): Shortage | undefined {
    const { requests, writes } = this.#limits;
    if (this.#isUsedUp(requests, this.traffic.requests)) return usedUp(`${requests} requests`);
    if (isWrite(operation) && this.#isUsedUp(writes, this.traffic.writes))
      return usedUp(`${writes} requests that write tags`);
    return operation === 'login' ? this.#loginShortage() : undefined;
  }

  /** Logins under way may fail. Close to the limit of failed logins, the next login waits for their answers. */
  get mustLoginWait(): boolean {
    const { failedLogins } = this.traffic;
    const mayFail =
      failedLogins < this.#mostFailed && failedLogins + this.#loginsUnderWay >= this.#mostFailed;
    return !this.#isClosing && this.#loginsUnderWay > 0 && mayFail;
  }

  /** Counts a request that is about to be sent, and returns its number. */
  spend(operation: Operation): number {
    if (isWrite(operation)) this.traffic.writes++;
    if (operation === 'login') {
      this.traffic.logins++;
      this.#loginsUnderWay++;
    }
    this.traffic.requests++;
    return ++this.#sent;
  }

  /** Takes back a request that the target deferred: it was not carried out. */
  refund(operation: Operation): void {
    this.traffic.requests--;
    if (isWrite(operation)) this.traffic.writes--;
    if (operation === 'login') this.traffic.logins--;
  }

  /** Counts a request that the client sends once more by itself, and returns its number. */
  retry(): number {
    this.traffic.retries++;
    return this.probe();
  }

  /** Counts a request by which the client sees whether the target still answers, and returns its number. */
  probe(): number {
    this.traffic.requests++;
    return ++this.#sent;
  }

  /** @param failed whether the login was refused. */
  endLogin(failed: boolean): void {
    this.#loginsUnderWay--;
    if (failed) this.traffic.failedLogins++;
  }

  /** The closing login may fail, too. */
  get #mostFailed(): number {
    return this.#limits.failedLogins - 1;
  }

  /** Counting the tags takes time, so they are counted only if their number decides. */
  #isUsedUp(most: number, sent: number): boolean {
    if (this.#isTidying) return sent >= most;
    if (this.#withoutKept(most, sent) <= 0) return true;
    const left = most - sent;
    // What is reserved for later phases is there for tags that exist now.
    return left <= most * TIDYING_SHARE && left <= this.tidying();
  }

  /** What is left of a limit without what is kept for later phases and for tidying up. */
  #withoutKept(most: number, sent: number): number {
    return most - sent - this.#reserved - Math.min(TIDYING_MOST, Math.floor(most * TIDYING_SHARE));
  }

  #loginShortage(): Shortage | undefined {
    const { logins, failedLogins } = this.#limits;
    if (this.traffic.failedLogins >= failedLogins) return tooManyFailed(failedLogins);
    if (this.#isTidying && this.traffic.logins < logins) return undefined;
    if (this.#isClosing && this.traffic.logins < logins - this.#keptForTidying) return undefined;
    if (this.loginsLeft <= 0)
      return { because: 'budget', why: `the budget of ${logins} logins in a run is used up` };
    return this.traffic.failedLogins < this.#mostFailed ? undefined : tooManyFailed(failedLogins);
  }
}

const usedUp = (what: string): Shortage => ({
  because: 'budget',
  why: `the budget of ${what} in a run of this effort is used up`,
});

const tooManyFailed = (most: number): Shortage => ({
  because: 'budget',
  why: `the budget of ${most} failed logins in a run is used up`,
});
