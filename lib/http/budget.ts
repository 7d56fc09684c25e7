import type { Budget as Limits } from '../effort.ts';
import type { Operation } from '../spec/operations.ts';

/** Numbers of requests of the kinds that have a limit. */
type Counts = { -readonly [Kind in keyof Limits]: number };

/** What counts against the limits. `waitedMs`: how long the run paused because the target asked for it. */
interface Traffic extends Counts {
  retries: number;
  waitedMs: number;
}

/**
 * If tokens end during a run, the token of the closing login may end as well. A budget of at least this many logins then
 * keeps a second login until the closing one is sent: for the checks after it, or for tidying up.
 */
const LOGINS_FOR_ANOTHER = 20;

/** If no larger share of the requests is left, the run counts its tags before each request, so that those to remove them are kept. */
const TIDYING_SHARE = 0.2;

/** So many requests are always kept for removing the run's tags, or the share above if that is less. */
const TIDYING_MOST = 5;

/** The most requests, and logins, that are forgiven, or that tidying up needs beyond the limit, as a share of all. */
export const FORGIVEN_SHARE = 0.1;

/** At most this share of the requests that are kept for later phases may be writes. */
const WRITES_SHARE = 0.7;

const isWrite = (operation: Operation): boolean => operation !== 'login' && operation !== 'list';

/**
 * Counts the requests of a run and enforces their limits. Some requests and a login are kept for removing the run's tags,
 * and a login for the end of the phase of wrong logins.
 */
export class Budget {
  readonly traffic: Traffic = { requests: 0, writes: 0, logins: 0, failedLogins: 0, retries: 0, waitedMs: 0 };
  /** All that was sent, also what the target deferred, the client repeated, or went beyond the limit to remove tags. */
  readonly sent: Counts = { requests: 0, writes: 0, logins: 0, failedLogins: 0 };
  /** How many requests it takes to remove the run's tags. */
  tidying: () => number = () => 0;
  readonly #limits: Limits;
  #reserved = 0;
  #isTidying = false;
  #isClosing = false;
  #loginsUnderWay = 0;
  #forgiven = 0;
  /** The number of requests beyond the limit that removed tags. */
  #beyond = 0;
  #forgivenLogins = 0;
  /** The number of logins beyond the limit for tidying up. */
  #loginsBeyond = 0;
  #keptForTidying = 1;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Keeps this many requests for later phases of the run, and a share of the writes (`WRITES_SHARE`). */
  reserve(requests: number): void {
    this.#reserved = requests;
  }

  /** From now on the run only removes its tags: nothing is kept back. */
  tidy(): void {
    this.#isTidying = true;
  }

  /** The next login is the closing one, for which one is kept. */
  allowClosingLogin(): void {
    this.#isClosing = true;
  }

  /** Records that tokens end before the run does. */
  noteTokensEnd(): void {
    if (this.#limits.logins >= LOGINS_FOR_ANOTHER && !this.#isClosing) this.#keptForTidying = 2;
  }

  /** Logins that may still be sent, without the kept ones. One is kept for the end of the phase of wrong logins. */
  get loginsLeft(): number {
    return this.#limits.logins - this.#keptForTidying - 1 - this.traffic.logins;
  }

  /** Requests that may still be sent to remove tags. */
  get leftForTidying(): number {
    return this.#limits.requests - this.traffic.requests + this.#mostForgiven - this.#beyond;
  }

  /** Whether a request may still be repeated. While tidying up, some may go beyond the limit. */
  get mayRepeat(): boolean {
    return (
      this.traffic.requests < this.#limits.requests || (this.#isTidying && this.#beyond < this.#mostForgiven)
    );
  }

  /** Requests that may still be sent in this phase, as long as few tags exist. */
  get requestsLeft(): number {
    return Math.max(0, this.#withoutKept(this.#limits.requests, this.traffic.requests, this.#reserved));
  }

  /** Why a request for this operation may not be sent, or undefined. */
  shortage(operation: Operation): string | undefined {
    const { requests, writes } = this.#limits;
    if (this.#isUsedUp(requests, this.traffic.requests, this.#reserved))
      return usedUp(`${requests} requests`);
    if (isWrite(operation) && this.#isUsedUp(writes, this.traffic.writes, this.#reserved * WRITES_SHARE))
      return usedUp(`${writes} requests that write tags`);
    return operation === 'login' ? this.#loginShortage() : undefined;
  }

  /** Whether the next login has to wait: if all logins under way failed, the limit of failed logins would be reached. */
  get mustLoginWait(): boolean {
    const { failedLogins } = this.traffic;
    const mayFail =
      failedLogins < this.#mostFailed && failedLogins + this.#loginsUnderWay >= this.#mostFailed;
    return !this.#isClosing && this.#loginsUnderWay > 0 && mayFail;
  }

  /** Counts a request before it is sent, and returns its number. */
  spend(operation: Operation): number {
    if (isWrite(operation)) this.traffic.writes++;
    if (operation === 'login') {
      this.sent.logins++;
      if (this.#isClosing) this.#keptForTidying = 1;
      if (this.#isTidying && this.traffic.logins >= this.#limits.logins) this.#loginsBeyond++;
      else this.traffic.logins++;
      this.#loginsUnderWay++;
    }
    return this.#count(isWrite(operation));
  }

  /** Counts a request, and returns its number, which is that of its exchange. While tidying up, it may be one beyond the limit. */
  #count(isWriting = false): number {
    this.traffic.requests++;
    if (isWriting) this.sent.writes++;
    if (this.#isTidying && this.#isOverLimit) {
      this.#beyond++;
      this.traffic.requests--;
      if (isWriting) this.traffic.writes--;
    }
    return ++this.sent.requests;
  }

  /** Uncounts a request that the target deferred, and so did not carry out. */
  refund(operation: Operation): void {
    this.traffic.requests--;
    if (isWrite(operation)) this.traffic.writes--;
    if (operation === 'login') this.traffic.logins--;
  }

  /**
   * Uncounts a request that is sent again because its answer had a reason that is gone by now, such as an ended token. A share
   * of all requests at most: a target that gives such answers again and again must not get many more requests.
   */
  forgive(operation: Operation): void {
    if (this.#mayForgive) this.refund(operation);
    this.#forgiven++;
  }

  /** Uncounts a login that replaced an ended token, up to the same share of all logins. */
  forgiveLogin(): void {
    if (++this.#forgivenLogins <= this.#mostForgivenLogins) this.traffic.logins--;
  }

  get #mostForgivenLogins(): number {
    return this.#limits.logins * FORGIVEN_SHARE;
  }

  /**
   * Uncounts refused logins, because they had right credentials and everything was refused for a while.
   *
   * @param kept how many refused logins still count.
   */
  forgiveFailedLogins(kept: number): void {
    for (; this.traffic.failedLogins > kept; this.traffic.failedLogins--) this.forgive('login');
  }

  get #mayForgive(): boolean {
    return this.#forgiven < this.#mostForgiven;
  }

  get #mostForgiven(): number {
    return this.#limits.requests * FORGIVEN_SHARE;
  }

  get #isOverLimit(): boolean {
    return this.traffic.requests > this.#limits.requests || this.traffic.writes > this.#limits.writes;
  }

  /**
   * Counts a request that the client repeats by itself, because its answer was lost or a gateway did not hand it on, and returns
   * its number. It is forgiven, within the share of all requests.
   */
  retry(): number {
    this.traffic.retries++;
    const number = this.#count();
    // The client repeats lists only.
    if (!this.#isTidying) this.forgive('list');
    return number;
  }

  /** Counts a probe, by which the client finds out whether the target still answers, and returns its number. */
  probe(): number {
    return this.#count();
  }

  /** @param failed whether the login was refused. */
  endLogin(failed: boolean): void {
    this.#loginsUnderWay--;
    if (!failed) return;
    this.traffic.failedLogins++;
    this.sent.failedLogins++;
  }

  /** One failure is kept for the closing login. */
  get #mostFailed(): number {
    return this.#limits.failedLogins - 1;
  }

  /** Counts the tags only if their number matters, because counting takes time. */
  #isUsedUp(most: number, sent: number, reserved: number): boolean {
    if (this.#isTidying) return sent >= most && this.#beyond >= this.#mostForgiven;
    if (this.#withoutKept(most, sent, reserved) <= 0) return true;
    const left = most - sent;
    // The requests that are reserved for later phases may also remove the tags that exist now.
    return left <= most * TIDYING_SHARE && left <= this.tidying();
  }

  /** What is left of a limit, without the requests kept for later phases and for tidying up. */
  #withoutKept(most: number, sent: number, reserved: number): number {
    return most - sent - reserved - Math.min(TIDYING_MOST, Math.floor(most * TIDYING_SHARE));
  }

  #loginShortage(): string | undefined {
    const { logins, failedLogins } = this.#limits;
    if (this.traffic.failedLogins >= failedLogins) return tooManyFailed(failedLogins);
    if (this.#isTidying && (this.traffic.logins < logins || this.#loginsBeyond < this.#mostForgivenLogins))
      return undefined;
    if (this.#isClosing && this.traffic.logins < logins - this.#keptForTidying) return undefined;
    if (this.loginsLeft <= 0)
      return `the budget of ${logins} logins in a run is used up${this.#forgivenLogins > this.#mostForgivenLogins ? TOKENS_ENDED : ''}`;
    return this.traffic.failedLogins < this.#mostFailed ? undefined : tooManyFailed(failedLogins);
  }
}

const usedUp = (what: string): string => `the budget of ${what} in a run of this effort is used up`;

const tooManyFailed = (most: number): string => `the budget of ${most} failed logins in a run is used up`;

const TOKENS_ENDED =
  ', also because tokens ended: use an account that nobody else logs in to meanwhile, and tokens that last for a run';
