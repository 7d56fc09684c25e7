import { Secret } from '../secret.ts';
import { accepted, header, statusOf, type Answer, type Ask, type Exchange } from './exchange.ts';
import { WAITS } from './waits.ts';

/**
 * Milliseconds to wait before the request is sent again; undefined if the answer does not defer it. Deferrals are 429, 503
 * with or without `Retry-After` (RFC 9110, 15.6.4), and 403 with it, which some targets answer to too many writes.
 *
 * @param deferrals how often this request was deferred before.
 */
export function deferralMs({ answer, ask }: Exchange, deferrals: number): number | undefined {
  if (answer === undefined) return undefined;
  const asked = retryAfterMs(answer);
  // A 403 to a login may mean a locked account, and locks last longer than the pauses of a run.
  const isOfWrites = answer.status === 403 && asked !== undefined && ask.operation !== 'login';
  if (answer.status !== 429 && answer.status !== 503 && !isOfWrites) return undefined;
  const { firstMs, mostMs, timesAsAsked } = WAITS.deferred;
  // A target that defers the same request again after the pauses that it asked for does not say how long to wait.
  const isUnsaid = asked === undefined || deferrals >= timesAsAsked;
  const first = isUnsaid ? firstMs.unsaid : firstMs.said;
  const backoff = first * 2 ** deferrals * (0.75 + Math.random() / 2);
  return Math.max(asked ?? 0, Math.min(backoff, mostMs));
}

/** Whether an answer says how long to wait. */
export const saysHowLong = ({ answer }: Exchange): boolean =>
  answer !== undefined && retryAfterMs(answer) !== undefined;

/** RFC 9110, 10.2.3: seconds, or a date, which is compared with the answer's own Date if it has one. */
function retryAfterMs(answer: Answer): number | undefined {
  const value = header(answer, 'retry-after');
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  const now = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

/** The username and the password of a login, as one text. */
function credentialsIn({ operation, body }: Ask): string {
  if (operation !== 'login') return '';
  const text = body instanceof Secret ? body.reveal() : String(body);
  return /"scopes"/.test(text) ? text.replace(/"scopes"\s*:\s*\[[^\]]*\]/, '') : text;
}

/** Tells a target that defers everything for a while from one that always defers certain requests. */
export class Deferrals {
  readonly #sendProbe: () => Promise<Exchange>;
  #probing: Promise<Exchange> | undefined;
  /** When the last request was answered, by `performance.now()`; deferrals do not count. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #hasStayedUnavailable = false;
  /** The kinds of requests that were deferred each time, and of which none has been answered since. */
  readonly #inVain = new Set<string>();
  /** The credentials that a login was accepted with. */
  readonly #rightLogins = new Set<string>();

  /** @param sendProbe sends a request whose answer shows whether the target defers all of them. */
  constructor(sendProbe: () => Promise<Exchange>) {
    this.#sendProbe = sendProbe;
  }

  /** Learns from an answer, also from a 503 that stays. */
  answered(exchange: Exchange, deferrals: number): void {
    if (statusOf(exchange) === 503) return;
    const { ask } = exchange;
    this.#inVain.delete(this.#kindOf(ask));
    if (ask.operation === 'login' && accepted(exchange)) this.#rightLogins.add(credentialsIn(ask));
    this.#answeredAt = performance.now();
    if (deferrals > 0) this.#hasStayedUnavailable = false;
  }

  /** How often a request is worth sending again. */
  timesWorth({ ask }: Exchange): number {
    return this.#inVain.has(this.#kindOf(ask)) ? WAITS.deferred.timesInVain : WAITS.deferred.times;
  }

  /** Waiting did not help this request. */
  inVain({ ask }: Exchange): void {
    this.#inVain.add(this.#kindOf(ask));
  }

  /** Some targets limit filtered lists, or wrong logins, on their own. */
  #kindOf(ask: Ask): string {
    const isRight = this.#rightLogins.has(credentialsIn(ask));
    return `${ask.operation} ${ask.operation === 'login' ? isRight : ask.path.includes('?')}`;
  }

  /** Whether a request has been answered since this moment, by `performance.now()`. */
  hasAnsweredSince(moment: number): boolean {
    return this.#answeredAt > moment;
  }

  /** Whether every request since this moment was deferred, and a probe is, too. */
  async areOfAll(since: number): Promise<boolean> {
    if (this.#answeredAt === Number.NEGATIVE_INFINITY || this.hasAnsweredSince(since)) return false;
    this.#probing ??= this.#sendProbe().finally(() => (this.#probing = undefined));
    const probe = await this.#probing;
    if (deferralMs(probe, 0) !== undefined) return true;
    this.answered(probe, 0);
    return false;
  }

  /**
   * Whether a 503 counts as an answer. Once one has persisted, later ones are repeated only once, until a repetition is
   * answered in another way: then 503 means a rate limit.
   *
   * @param since when the request was sent for the first time, by `performance.now()`.
   */
  async stayUnavailable({ answer }: Exchange, deferrals: number, since: number): Promise<boolean> {
    if (answer?.status !== 503 || header(answer, 'retry-after') !== undefined) return false;
    if (deferrals < (this.#hasStayedUnavailable ? 1 : WAITS.deferred.timesUnavailable)) return false;
    if (await this.areOfAll(since)) return false;
    this.#hasStayedUnavailable = true;
    return true;
  }
}
