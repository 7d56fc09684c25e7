import { EFFORTS, reaches, USUAL, type Effort } from '../effort.ts';
import { saysHowLong } from './deferral.ts';
import { statusOf, type Exchange } from './exchange.ts';
import type { Listener } from './listener.ts';
import { lineOf, whatCame } from './wording.ts';

export interface ForecastLimits {
  readonly effort: Effort;
  /** The share of all requirements that the run checks, from 0 to 1. */
  readonly share: number;
  readonly maxTimeMs: number;
  /** The tester's limit of requests per second. */
  readonly maxRps?: number | undefined;
}

/** Logins are requests, too. Many targets limit them separately. */
type Kind = keyof (typeof USUAL)[Effort];

/** A rate is known after at least this many requests in a row that were not deferred. */
const FEWEST: Readonly<Record<Kind, number>> = { requests: 10, logins: 3 };

/** A 503 without a time to wait may come at random, and the run slows down at first: a warning then takes more requests. */
const FEWEST_UNSAID = 100;

/** Fewer 503 answers may have another reason than a rate limit. */
const FEWEST_UNAVAILABLE = 2;

const MINUTE_MS = 60_000;

/** How many requests of a kind were carried out, and since when. */
interface Count {
  readonly from: number;
  readonly carried: number;
}

/**
 * Learns the rate at which the target accepts requests. Warns as soon as it is clear that the run cannot end in time at
 * this rate, and estimates how long removing the run's tags takes.
 */
export class Forecast implements Listener {
  /** The warning, once there is one, at the rate that is known by now. */
  said: string | undefined;
  readonly #limits: ForecastLimits;
  readonly #tell: (sentence: string) => void;
  readonly #carried: Record<Kind, number> = { requests: 0, logins: 0 };
  /** The counts at the end of the first pause. */
  readonly #first: Partial<Record<Kind, Count>> = {};
  /** The rate in requests per millisecond, if it is limited. */
  #rate: number | undefined;
  #longestPauseMs = 0;
  #startedAt: number | undefined;
  #pausedUntil = 0;
  #unavailable = 0;
  #hasSaidPause = false;

  /** @param tell called with the warning, at most once. */
  constructor(limits: ForecastLimits, tell: (sentence: string) => void) {
    this.#limits = limits;
    this.#tell = tell;
  }

  /** Warns at once if the tester's own limit is too low. */
  start(): void {
    const { maxRps } = this.#limits;
    if (maxRps === undefined) return;
    this.#rate = maxRps / 1_000;
    this.#judge('requests', this.#rate, 0, 'CONFORMANCE_MAX_RPS lets');
  }

  heard(exchange: Exchange): void {
    this.#startedAt ??= exchange.startedAt;
    this.#carried.requests++;
    if (kindOf(exchange) === 'logins') this.#carried.logins++;
  }

  deferred(exchange: Exchange, delayMs: number): void {
    const { startedAt, durationMs } = exchange;
    this.#startedAt ??= startedAt;
    const kind = kindOf(exchange);
    // Overlapping requests are deferred for the same reason.
    if (startedAt < this.#pausedUntil) return;
    const now = startedAt + durationMs;
    if (now + delayMs - this.#startedAt > this.#limits.maxTimeMs) {
      this.#sayPause(exchange, now + delayMs - this.#startedAt);
      return;
    }
    this.#pausedUntil = now + delayMs;
    const isKnown = statusOf(exchange) !== 503 || ++this.#unavailable >= FEWEST_UNAVAILABLE;
    const first = this.#first[kind];
    const since = first ?? { from: this.#startedAt, carried: 0 };
    this.#first[kind] ??= { from: this.#pausedUntil, carried: this.#carried[kind] };
    const carried = this.#carried[kind] - since.carried;
    const passedMs = now - since.from;
    // A short first pause ends a burst, whose rate differs from the one that follows.
    const isBurst = first === undefined && delayMs < passedMs;
    // Removing tags takes no login.
    if (kind === 'requests') this.#longestPauseMs = Math.max(this.#longestPauseMs, delayMs);
    if (!isKnown || isBurst || carried < FEWEST[kind]) return;
    // A login may be the first request that a limit on all requests defers.
    const isOfLogins = first !== undefined && this.#first.requests === undefined;
    if (kind === 'logins' && !isOfLogins) return;
    const rate = carried / (passedMs + delayMs);
    if (kind === 'requests') this.#rate = rate;
    if (statusOf(exchange) === 503 && !saysHowLong(exchange) && carried < FEWEST_UNSAID) return;
    this.#judge(kind, rate, this.#pausedUntil - this.#startedAt, 'The target lets');
  }

  /** @param atLeastMs how long the run would take at least. */
  #sayPause(exchange: Exchange, atLeastMs: number): void {
    if (this.said !== undefined) return;
    this.#hasSaidPause = true;
    this.said = [
      `${lineOf(exchange)} ${whatCame(exchange)} and asks for a pause that ends after the run.`,
      'Such requests are left undecided.',
      `Raise the limit of the target for this account, or set CONFORMANCE_MAX_TIME_S to ${Math.ceil((atLeastMs * 1.2) / 1_000)} or more.`,
    ].join(' ');
    this.#tell(this.said);
  }

  /** How long these requests take at the limited rate, in milliseconds, plus the longest pause so far. */
  limitedMs(requests: number): number {
    if (requests === 0) return 0;
    return this.#longestPauseMs + (this.#rate === undefined ? 0 : requests / this.#rate);
  }

  /**
   * @param rate how many are accepted per millisecond.
   * @param passedMs how long the run has lasted when the next request may start.
   */
  #judge(kind: Kind, rate: number, passedMs: number, who: string): void {
    const { effort, share, maxTimeMs } = this.#limits;
    const restMs = (of: Effort): number => Math.max(0, USUAL[of][kind] * share - this.#carried[kind]) / rate;
    const isLate = passedMs + restMs(effort) > maxTimeMs;
    if (this.#hasSaidPause || (this.said === undefined && !isLate)) return;
    const isFirst = this.said === undefined;
    const wholeMs = (of: Effort): number => (USUAL[of][kind] * share) / rate;
    const fitting = EFFORTS.findLast((other) => !reaches(other, effort) && wholeMs(other) <= maxTimeMs);
    this.said = [
      `${who} about ${Math.max(1, Math.round(rate * MINUTE_MS))} ${kind} a minute through:`,
      `at that rate the effort ${effort} takes ${minutes(wholeMs(effort))},`,
      `but the run ends after ${minutes(maxTimeMs)} and leaves the rest undecided.`,
      ...(fitting === undefined ? [] : [`The effort ${fitting} takes ${minutes(wholeMs(fitting))}.`]),
      `For ${effort}, set CONFORMANCE_MAX_TIME_S to ${Math.ceil((wholeMs(effort) * 1.2) / 1_000)} or more.`,
    ].join(' ');
    // Later the rate is known better.
    if (isFirst) this.#tell(this.said);
  }
}

const kindOf = ({ ask }: Exchange): Kind => (ask.operation === 'login' ? 'logins' : 'requests');

const minutes = (ms: number): string =>
  ms < 5 * MINUTE_MS ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / MINUTE_MS)} min`;
