import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Budget } from '../effort.ts';
import { Undecided, Unheard } from '../outcome.ts';
import { Permits } from '../permits.ts';
import { Secret } from '../secret.ts';
import {
  accepted,
  header,
  statusOf,
  type Answer,
  type Ask,
  type Exchange,
  type Failure,
} from './exchange.ts';
import type { Transport } from './transport.ts';

export interface ClientLimits extends Budget {
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** Requests started in a second, at the most; undefined: as fast as the concurrency allows. */
  readonly maxRps?: number | undefined;
}

/** What a run did to its target, as counts; `waitedMs` is the time that the target's throttle asked for. */
export interface Traffic {
  requests: number;
  writes: number;
  logins: number;
  failedLogins: number;
  retries: number;
  waitedMs: number;
}

/** Of the requests that a run may send, so many are kept for removing what it made: a share, and never more than these. */
const KEPT_SHARE = 0.2;
const KEPT_MOST = 80;

/** Answers that say "not now" are asked again this often before the question is given up. */
const MAX_DEFERRALS = 8;
const MAX_DEFERRAL_MS = 65_000;
/** After so many answers without another "not now", one more request at a time is tried again. */
const FASTER_AFTER = 25;
/** After so many requests in a row without any answer the target counts as gone. */
const GIVE_UP_AFTER = 3;

/** Who hears of the exchanges of a run, in the order in which they ended; of those that only said "not now" nobody does. */
export interface Listener {
  heard(exchange: Exchange): void;
  /** Its answer was owed to something that has been mended since, such as an ended token. */
  takenBack(exchange: Exchange): void;
}

/**
 * Sends what it is asked to, within the limits, and hands back what came as plain data. It never follows a redirect.
 * 429, and 503 with `Retry-After`, are no answer: everyone waits, then the request goes out again.
 */
export class Client {
  readonly traffic: Traffic = { requests: 0, writes: 0, logins: 0, failedLogins: 0, retries: 0, waitedMs: 0 };
  /** The exchange that ended last. */
  last: Exchange | undefined;
  /** Hears of every exchange of the run. None is kept here: answers may be large. */
  listener: Listener = { heard: () => undefined, takenBack: () => undefined };
  readonly #transport: Transport;
  readonly #limits: ClientLimits;
  readonly #slots: Permits;
  /** Slots that are held back for a target that has asked to be asked more slowly. */
  readonly #brakes: Promise<() => void>[] = [];
  #slowedAt = 0;
  #isGathering = false;
  #answersSince = 0;
  #silent = 0;
  #loginsUnderWay = 0;
  #awaitingLogins: (() => void)[] = [];
  #heard = false;
  #notBefore = 0;
  #stopped: string | undefined;
  #tidying = false;
  #reserved = 0;
  #tidyUntil = Number.POSITIVE_INFINITY;
  #isLastLogin = false;
  /** Why the run was ended early, if it was: requests under way then lose their connections sooner or later. */
  #ended: string | undefined;

  constructor(transport: Transport, limits: ClientLimits) {
    this.#transport = transport;
    this.#limits = limits;
    this.#slots = new Permits(limits.concurrency);
  }

  /** From now on nothing is sent any more; whoever asks is told why. `undefined` lets requests through again. */
  stop(why: string | undefined): void {
    this.#ended ??= why;
    this.#stopped = why;
    this.#silent = 0;
  }

  /** Takes an exchange back whose answer was owed to something that has been mended since. */
  retract(exchange: Exchange): void {
    this.listener.takenBack(exchange);
  }

  /**
   * From now on only what was made is removed.
   *
   * @param withinMs how long that may take: a target that asks for more patience than that is not waited for.
   */
  tidy(withinMs: number): void {
    this.#tidying = true;
    this.#tidyUntil = performance.now() + withinMs;
    if (this.#notBefore > this.#tidyUntil) this.#notBefore = 0;
    this.stop(undefined);
  }

  /** Keeps so many requests, and as many of them that write, for what is asked later. */
  reserve(requests: number): void {
    this.#reserved = requests;
  }

  /** How many logins there may be yet, beside the last one. */
  get loginsLeft(): number {
    return this.#limits.logins - 1 - this.traffic.logins;
  }

  get stopped(): string | undefined {
    return this.#stopped;
  }

  /**
   * Sends one request.
   *
   * @throws Undecided when the run was stopped, a budget is used up, or the target keeps saying "not now".
   */
  async send(ask: Ask): Promise<Exchange> {
    for (let deferrals = 0; ; deferrals++) {
      const exchange = await this.#slots.use(1, () => this.#once(ask), this.#isGathering);
      const delay = deferralMs(exchange, deferrals);
      if (delay === undefined) {
        this.#goFaster();
        this.last = exchange;
        this.listener.heard(exchange);
        return exchange;
      }
      if (performance.now() + delay > this.#tidyUntil) {
        throw new Undecided(
          'failure',
          `the target answered ${statusOf(exchange)}, which asks for more patience than there is for tidying up`,
          exchange,
        );
      }
      if (deferrals === MAX_DEFERRALS) {
        throw new Undecided(
          'failure',
          `the target kept answering ${statusOf(exchange)}, which asks to come back later, ${deferrals + 1} times`,
          exchange,
        );
      }
      this.traffic.retries++;
      this.#notBefore = Math.max(this.#notBefore, performance.now() + delay);
      this.#goSlower(exchange);
    }
  }

  /** Half as many requests at a time: what is sent at once and put off costs as much of the budget as what is answered. */
  #goSlower({ startedAt = 0 }: Exchange): void {
    this.#answersSince = 0;
    // Those that were under way together say it together.
    if (startedAt < this.#slowedAt) return;
    this.#slowedAt = performance.now();
    const free = this.#slots.total - this.#brakes.length;
    for (let more = Math.floor(free / 2); more > 0; more--) this.#brakes.push(this.#slots.hold(1, true));
  }

  #goFaster(): void {
    if (this.#brakes.length === 0 || ++this.#answersSince < FASTER_AFTER) return;
    this.#answersSince = 0;
    void this.#brakes.pop()?.then((giveBack) => giveBack());
  }

  /** Runs work whose first requests go out together, as many as may be under way at once. */
  async together<T>(work: () => Promise<T>): Promise<T> {
    // Nothing else is under way then; what is held back for a slow target stays so.
    const giveBack = await this.#slots.hold(this.#slots.total - this.#brakes.length, true);
    this.#isGathering = true;
    const done = work();
    // Whatever it comes to is awaited below.
    done.catch(() => undefined);
    // By then its requests stand first in the queue.
    await turn();
    this.#isGathering = false;
    giveBack();
    return done;
  }

  async #once(ask: Ask): Promise<Exchange> {
    await this.#turn();
    if (this.#stopped !== undefined) throw new Undecided('failure', this.#stopped);
    this.#spendRequest(ask);
    if (ask.operation === 'login') await this.#spendLogin();
    if (this.#stopped !== undefined) {
      this.#endLogin(ask);
      throw new Undecided('failure', this.#stopped);
    }
    const number = ++this.traffic.requests;
    if (isWrite(ask)) this.traffic.writes++;
    const started = performance.now();
    let came = await this.#transport.send(onTheWire(ask), this.#limits.timeoutMs);
    const isRoom = this.traffic.requests < this.#limits.requests;
    if (isFailure(came) && came.kind === 'closed' && ask.method === 'GET' && isRoom) {
      // An idle connection may close just as it is used again. A GET can safely be sent twice (RFC 9110, 9.2.2).
      this.traffic.retries++;
      this.traffic.requests++;
      came = await this.#transport.send(onTheWire(ask), this.#limits.timeoutMs);
    }
    // A run that was ended takes its connections away; that says nothing of the target.
    if (isFailure(came) && this.#ended !== undefined) {
      this.#endLogin(ask);
      throw new Unheard('failure', this.#ended);
    }
    const exchange: Exchange = {
      number,
      ask,
      ...(isFailure(came) ? { failure: came } : { answer: came }),
      startedAt: started,
      durationMs: performance.now() - started,
    };
    const refused = statusOf(exchange) !== 0 && !accepted(exchange) && !saysNotNow(exchange);
    if (ask.operation === 'login' && refused) this.traffic.failedLogins++;
    this.#endLogin(ask);
    await this.#listen(exchange);
    return exchange;
  }

  /** A target that has stopped answering is given up, so that a run against it ends. */
  async #listen({ answer, failure }: Exchange): Promise<void> {
    if (answer !== undefined || SPOKEN.has(failure?.kind)) {
      this.#silent = 0;
      this.#heard = true;
      return;
    }
    this.#silent++;
    if (this.#silent < (this.#heard ? GIVE_UP_AFTER : 1) || this.#stopped !== undefined) return;
    if (!this.#heard && (failure?.kind === 'unreachable' || failure?.kind === 'untrusted')) {
      this.#stopped = `the target could not be reached: ${failure.message}`;
      return;
    }
    // It may be just these requests that it does not answer.
    const probe = {
      method: 'GET',
      path: '/api/v2/tagging',
      headers: [['Accept', 'application/json']],
    } as const;
    this.traffic.requests++;
    const came = await this.#transport.send(probe, this.#limits.timeoutMs);
    if (!isFailure(came)) {
      this.#silent = 0;
      this.#heard = true;
    } else {
      this.#stopped ??= `the target ${this.#heard ? 'stopped answering' : 'could not be reached'}: ${failure?.message}`;
    }
  }

  #spendRequest(ask: Ask): void {
    const { requests, writes } = this.#limits;
    const kept = (most: number): number =>
      this.#tidying ? 0 : Math.min(KEPT_MOST, Math.floor(most * KEPT_SHARE)) + this.#reserved;
    const what =
      this.traffic.requests >= requests - kept(requests)
        ? `${requests} requests`
        : isWrite(ask) && this.traffic.writes >= writes - kept(writes)
          ? `${writes} requests that write tags`
          : undefined;
    if (what === undefined) return;
    // What takes as much as it is given lacks what the tester's choice of effort leaves it.
    const because = this.#reserved > 0 ? 'tester' : 'failure';
    throw new Undecided(because, `the budget of ${what} in a run of this effort is used up`);
  }

  #endLogin({ operation }: Ask): void {
    if (operation !== 'login') return;
    this.#loginsUnderWay--;
    for (const resolve of this.#awaitingLogins.splice(0)) resolve();
  }

  /** The next login is the last one, for which one is kept back. */
  lastLogin(): void {
    this.#isLastLogin = true;
  }

  async #spendLogin(): Promise<void> {
    if (this.#isLastLogin && this.traffic.logins < this.#limits.logins) {
      this.traffic.logins++;
      this.#loginsUnderWay++;
      return;
    }
    if (this.loginsLeft <= 0) {
      throw new Undecided('tester', `the budget of ${this.#limits.logins} logins in a run is used up`);
    }
    // The last one may fail, too.
    const mayFail = this.#limits.failedLogins - 1;
    // Those under way may fail as well: near the budget each waits for them.
    while (this.#loginsUnderWay > 0 && this.traffic.failedLogins + this.#loginsUnderWay >= mayFail) {
      await new Promise<void>((resolve) => this.#awaitingLogins.push(resolve));
    }
    if (this.traffic.failedLogins >= mayFail) {
      throw new Undecided(
        'tester',
        `the budget of ${this.#limits.failedLogins} failed logins in a run is used up`,
      );
    }
    this.traffic.logins++;
    this.#loginsUnderWay++;
  }

  /** Waits for this request's turn under the target's throttle and the tester's pace. */
  async #turn(): Promise<void> {
    for (;;) {
      const now = performance.now();
      const wait = this.#notBefore - now;
      if (wait <= 0 || this.#stopped !== undefined) break;
      const step = Math.min(wait, 250);
      await sleep(step);
      this.traffic.waitedMs += Math.round(step);
    }
    if (this.#limits.maxRps !== undefined) {
      const now = performance.now();
      const mine = Math.max(now, this.#nextStart);
      this.#nextStart = mine + 1_000 / this.#limits.maxRps;
      if (mine > now) await sleep(mine - now);
    }
  }

  #nextStart = 0;

  async close(): Promise<void> {
    await this.#transport.close();
  }
}

const isWrite = ({ operation }: Ask): boolean => operation !== 'login' && operation !== 'list';

/** Something came, even if it was no answer to work with. */
const SPOKEN: ReadonlySet<Failure['kind'] | undefined> = new Set(['malformed', 'unreadable', 'oversized']);

const isFailure = (came: Answer | Failure): came is Failure => 'kind' in came;

const reveal = (value: string | Secret): string => (value instanceof Secret ? value.reveal() : value);

function onTheWire(ask: Ask): Parameters<Transport['send']>[0] {
  return {
    method: ask.method,
    path: ask.path,
    headers: ask.headers.map(([name, value]) => [name, reveal(value)] as const),
    ...(ask.body === undefined ? {} : { body: ask.body instanceof Secret ? ask.body.reveal() : ask.body }),
  };
}

/** How many milliseconds to wait before asking again, or undefined where the exchange stands as it is. */
export function deferralMs({ answer }: Exchange, deferrals: number): number | undefined {
  if (answer === undefined || (answer.status !== 429 && answer.status !== 503)) return undefined;
  const told = retryAfterMs(header(answer, 'retry-after'));
  if (told === undefined && answer.status === 503) return undefined;
  const backoff = (told === undefined ? 250 : 10) * 2 ** deferrals * (0.75 + Math.random() / 2);
  return Math.min(Math.max(told ?? 0, backoff), MAX_DEFERRAL_MS);
}

const saysNotNow = (exchange: Exchange): boolean => deferralMs(exchange, 0) !== undefined;

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfterMs(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
