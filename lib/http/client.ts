import type { Budget as Limits } from '../effort.ts';
import { Undecided, type Lack } from '../outcome.ts';
import type { Operation } from '../spec/operations.ts';
import { isLost, isOverload, isServerError } from './retryable.ts';
import { Budget } from './budget.ts';
import { deferralMs, Deferrals, saysHowLong } from './deferral.ts';
import { accepted, statusOf, type Answer, type Ask, type Exchange, type Failure } from './exchange.ts';
import { CutOff } from './cut-off.ts';
import type { Listener } from './listener.ts';
import { Outage } from './outage.ts';
import { Pace, type PaceLimits } from './pace.ts';
import { Silence } from './silence.ts';
import { TimeLimit } from './time-limit.ts';
import type { Transport } from './transport.ts';
import { onTheWire, PROBE } from './on-the-wire.ts';
import { isUnreachable, persist, type Patience } from './patience.ts';
import { WAITS } from './waits.ts';

export interface ClientLimits extends Limits, PaceLimits {
  readonly timeoutMs: number;
  /**
   * How long to wait for a target that answered before and now refuses or closes every connection, or answers everything with
   * a server error, in milliseconds; by default 0.
   */
  readonly patienceMs?: number;
}

/** The target may go on with a request that lost its connection for this long, in milliseconds. */
const LOST_MS = 1_000;

/** A request times out this long after the end of the run, in milliseconds: the run ends first, and its end is the reason. */
const AFTER_END_MS = 100;

/**
 * Sends requests within the budget and at the pace of the run, and returns the exchanges as plain data. It follows no
 * redirects. 429 and 503 defer a request: the run waits, and the request is sent again. A 503 that persists is an answer,
 * unless the target gives it to every request.
 */
export class Client {
  readonly budget: Budget;
  readonly pace: Pace;
  /** The exchange that ended last. */
  last: Exchange | undefined;
  /** They are called in this order. */
  readonly listeners: Listener[] = [];
  readonly #transport: Transport;
  readonly timeLimit: TimeLimit;
  readonly cutOff = new CutOff();
  /** How to wait for a target that answers nothing well. */
  readonly patience: Patience;
  readonly #silence: Silence;
  readonly #outage: Outage;
  readonly #deferrals: Deferrals;
  /** A list that was answered well. Only an authorised list shows whether the database answers. */
  #known: Ask | undefined;
  /** When a request last lost its connection or timed out, by `performance.now()`. */
  #lostAt = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  /** How many requests have been sent so far. */
  #begun = 0;
  #hasAnswered = false;
  #awaitingLogins: (() => void)[] = [];
  /** Why no more requests are sent; undefined as long as they may be. */
  stopped: string | undefined;
  /** `tester` if the tester wanted it. */
  #because: Lack = 'failure';
  /** Why the run was ended early. Requests under way then may lose their connections. */
  #ended: string | undefined;
  /** When the run, or its tidying up, ends, by `performance.now()`. */
  #endsAt = Number.POSITIVE_INFINITY;
  #isTidying = false;
  /** Until when the target put off all requests of an operation, beyond the end of the run, and why none is sent. */
  readonly #putOff = new Map<Operation, { readonly until: number; readonly why: string }>();

  constructor(transport: Transport, limits: ClientLimits) {
    this.#transport = transport;
    this.timeLimit = new TimeLimit(limits.timeoutMs);
    this.budget = new Budget(limits);
    const { traffic } = this.budget;
    this.pace = new Pace(
      limits,
      () => this.stopped !== undefined,
      (ms) => (traffic.waitedMs += Math.round(ms)),
    );
    this.patience = {
      ms: limits.patienceMs ?? 0,
      mayGoOn: () => this.stopped === undefined && this.budget.mayRepeat,
    };
    const probe = (): Promise<Exchange> => this.#probe();
    this.#silence = new Silence(probe, this.patience);
    this.#outage = new Outage(probe, this.patience);
    this.#deferrals = new Deferrals(probe);
  }

  /**
   * Refuses all further requests with this reason. `undefined` allows requests again.
   *
   * @param because `tester` if the tester wanted it.
   */
  stop(why: string | undefined, because: Lack = 'failure'): void {
    this.#ended ??= why;
    this.stopped = why;
    this.#because = because;
    this.#silence.reset();
  }

  /** What the transport knows of its connections. */
  get transport(): Pick<Transport, 'connection' | 'hasStrayBytes' | 'hasUnasked'> {
    return this.#transport;
  }

  /** The run ends within this time, in milliseconds: it waits no longer for an answer or for the end of a pause. */
  endWithin(ms: number): void {
    this.#endsAt = performance.now() + ms;
  }

  /** How much time is left, in milliseconds. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /** From now on the run only removes its tags, within this time, in milliseconds. */
  tidy(withinMs: number): void {
    this.endWithin(withinMs);
    this.#putOff.clear();
    this.#isTidying = true;
    this.budget.tidy();
    this.pace.dropPauseBeyond(this.#endsAt);
    this.stop(undefined);
  }

  /** Why no request of an operation is sent, if the target has put off all of them beyond the end of the run. */
  whyPutOff(operation: Operation): string | undefined {
    const putOff = this.#putOff.get(operation);
    return putOff !== undefined && performance.now() < putOff.until ? putOff.why : undefined;
  }

  /** Withdraws an exchange whose answer had a reason that is gone by now, such as an ended token. */
  retract(exchange: Exchange): void {
    this.budget.forgive(exchange.ask.operation);
    for (const listener of this.listeners) listener.retracted?.(exchange);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  /**
   * Sends one request.
   *
   * @throws Undecided if the run was stopped, the budget is used up, or the target keeps deferring the request.
   */
  async send(ask: Ask): Promise<Exchange> {
    let firstSentAt = Number.POSITIVE_INFINITY;
    let deferredAt = Number.POSITIVE_INFINITY;
    for (let deferrals = 0; ; deferrals++) {
      const exchange = await this.pace.inTurn(() => this.#once(ask));
      const delay = deferralMs(exchange, deferrals);
      firstSentAt = Math.min(firstSentAt, exchange.startedAt);
      if (delay === undefined || (await this.#deferrals.stayUnavailable(exchange, deferrals, firstSentAt))) {
        this.pace.answered(exchange);
        this.#deferrals.answered(exchange, deferrals);
        this.last = exchange;
        for (const listener of this.listeners) listener.heard?.(exchange);
        return exchange;
      }
      for (const listener of this.listeners) listener.deferred?.(exchange, delay);
      this.budget.refund(ask.operation);
      const until = performance.now() + delay;
      if (until > this.#endsAt) {
        const why = `the target answered ${statusOf(exchange)} and asked for a pause of ${Math.ceil(delay / 1_000)} s, which is longer than the run may still take`;
        if (!this.#isTidying) this.#putOff.set(ask.operation, { until, why });
        throw new Undecided('failure', why, exchange);
      }
      const isLast = deferrals >= this.#deferrals.timesWorth(exchange);
      const passedMs = performance.now() - firstSentAt;
      const isLong = passedMs > WAITS.deferred.mostMs && (isLast || !saysHowLong(exchange));
      if (isLong && (await this.#deferrals.areOfAll(firstSentAt)))
        this.stopped ??= `the target stopped answering: for ${Math.round(passedMs / 1_000)} s every answer was ${statusOf(exchange)}`;
      if (isLast) {
        this.#deferrals.inVain(exchange);
        throw new Undecided(
          'failure',
          `the target answered ${statusOf(exchange)}, which asks to come back later, ${deferrals + 1} times`,
          exchange,
        );
      }
      this.budget.traffic.retries++;
      // If others are answered meanwhile, only this request waits.
      if (deferrals >= WAITS.deferred.timesTogether && this.#deferrals.hasAnsweredSince(deferredAt))
        await this.pace.wait(delay);
      else this.pace.defer(delay, exchange, deferrals === 0);
      deferredAt = performance.now();
    }
  }

  async #once(ask: Ask): Promise<Exchange> {
    let number = await this.#spend(ask);
    this.#underWay++;
    const place = ++this.#begun;
    const followsLost = performance.now() - this.#lostAt < LOST_MS;
    let beside = this.#underWay - 1;
    let sent = await this.#carry(number, ask);
    // A server that handles one request at a time may still be busy with the lost one.
    const mayMeetLost = followsLost && sent.answer !== undefined && !accepted(sent);
    // Another request may have begun and ended meanwhile.
    const hasMetAnother = mayMeetLost || this.#begun > place;
    beside = Math.max(beside, this.#underWay - 1, hasMetAnother ? 1 : 0);
    if (ask.operation === 'list' && ask.regular && accepted(sent)) this.#known = ask;
    if (await this.#outage.outlast(sent)) sent = { ...sent, inOutage: true };
    this.stopped ??= this.#outage.gone;
    if (isLost(sent) && ask.method === 'GET' && this.budget.mayRepeat) {
      // A server may close an idle connection just as the client uses it, and a gateway may reach its server the next time.
      // A GET can be repeated safely (RFC 9110, 9.2.2), over a new connection, because other idle ones may be closed, too.
      this.#tellEnd(sent);
      if (sent.answer !== undefined) for (const listener of this.listeners) listener.heard?.(sent);
      number = this.budget.retry();
      sent = await this.#carry(number, { ...ask, opensConnection: true });
    }
    this.#underWay--;
    const exchange: Exchange = { ...sent, ...(beside > 0 ? { beside } : {}) };
    const { failure } = exchange;
    if (failure?.kind === 'closed' || failure?.kind === 'timeout') this.#lostAt = performance.now();
    this.#tellEnd(exchange);
    // Some servers handle one request at a time: they stall, refuse or fail while requests overlap.
    const isStalled = failure?.kind === 'timeout' && beside > 0;
    if (isStalled || isOverload(exchange)) this.pace.slowDown(exchange);
    if (ask.operation === 'login') {
      const isRefused = failure === undefined && !accepted(exchange) && deferralMs(exchange, 0) === undefined;
      this.budget.endLogin(isRefused);
      for (const resolve of this.#awaitingLogins.splice(0)) resolve();
    }
    // The early end of a run closes connections, which says nothing about the target.
    if (failure !== undefined && this.#ended !== undefined)
      throw new Undecided(this.#because, this.#ended).afterSending();
    const gone = await this.#silence.watch(exchange, () => {
      if (this.#underWay > 1) this.pace.limit(1);
    });
    this.stopped ??= gone;
    return exchange;
  }

  /** Sends a request once, under this number. */
  async #carry(number: number, ask: Ask): Promise<Exchange> {
    const startedAt = performance.now();
    for (const listener of this.listeners) listener.sent?.(number, ask, startedAt);
    // A restarting target refuses connections.
    const { came } = await persist(
      () => {
        const leftMs = Math.max(0, Math.ceil(this.leftMs));
        const mostMs = Math.min(this.timeLimit.ms, leftMs + AFTER_END_MS);
        return this.cutOff.wait(this.#transport.send(onTheWire(ask), mostMs));
      },
      (one) => this.#hasAnswered && isUnreachable(one),
      this.patience,
    );
    this.#hasAnswered ||= !isFailure(came);
    return {
      number,
      ask,
      ...(isFailure(came) ? { failure: came } : { answer: came }),
      startedAt,
      durationMs: performance.now() - startedAt,
    };
  }

  #tellEnd(exchange: Exchange): void {
    this.timeLimit.note(exchange);
    for (const listener of this.listeners) listener.ended?.(exchange);
  }

  /**
   * @returns the number of the exchange.
   * @throws Undecided if this request may not be sent.
   */
  async #spend({ operation }: Ask): Promise<number> {
    const putOff = this.whyPutOff(operation);
    if (putOff !== undefined) throw new Undecided('failure', putOff);
    const mayNot = (): string | undefined => this.stopped ?? this.budget.shortage(operation);
    if (operation === 'login')
      while (mayNot() === undefined && this.budget.mustLoginWait)
        await new Promise<void>((resolve) => this.#awaitingLogins.push(resolve));
    const reason = mayNot();
    if (reason !== undefined)
      throw new Undecided(this.stopped === undefined ? 'budget' : this.#because, reason);
    return this.budget.spend(operation);
  }

  /** Sends a request that shows whether the target still answers. */
  async #probe(): Promise<Exchange> {
    const exchange = await this.#carry(this.budget.probe(), this.#known ?? PROBE);
    // Waiting must leave requests to find out what the target does afterwards.
    if (isServerError(exchange)) this.budget.forgive(exchange.ask.operation);
    this.#tellEnd(exchange);
    return exchange;
  }
}

const isFailure = (came: Answer | Failure): came is Failure => 'kind' in came;
