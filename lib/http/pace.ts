import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Permits } from '../permits.ts';
import { saysHowLong } from './deferral.ts';
import type { Exchange } from './exchange.ts';
import { Interval } from './interval.ts';
import { Widening } from './widening.ts';

/** At first, the concurrency rises by one after this many answers without a deferral. */
const FASTER_AFTER = 25;

/** A pause is slept in steps of this length, so that a stopped run does not wait for its end. */
const STEP_MS = 250;

export interface PaceLimits {
  /** The concurrency at the start. */
  readonly concurrency: number;
  /** The concurrency may rise to this as long as answers do not become slower; by default it does not rise. */
  readonly mostConcurrency?: number | undefined;
  /** The most requests per second; undefined: as many as the concurrency allows. */
  readonly maxRps?: number | undefined;
}

/**
 * Controls how fast a run sends: the concurrency, the tester's limit of requests per second, and the pauses that the
 * target asks for (429 and 503).
 */
export class Pace {
  readonly #slots: Permits;
  readonly #maxRps: number;
  readonly #interval = new Interval();
  readonly #isOver: () => boolean;
  readonly #onPause: (ms: number) => void;
  /** Slots that were taken out of use because the target deferred requests. */
  readonly #withheld: Promise<() => void>[] = [];
  #withheldAt = 0;
  #answersSinceDeferral = 0;
  #fasterAfter = FASTER_AFTER;
  #isGathering = false;
  /** The concurrency never rises above this again. */
  #most = Number.POSITIVE_INFINITY;
  readonly #widening: Widening;
  /** How many callers need one request at a time, and the hold on all other slots. */
  #serial = 0;
  #othersHeld: Promise<() => void> | undefined;
  #notBefore = 0;
  /** Pauses until this moment were reported to `onPause`, by `performance.now()`. */
  #pausedUntil = 0;
  #nextStart = 0;

  /**
   * @param isOver whether the run no longer waits for the target.
   * @param onPause called with the milliseconds that passed because the target asked for a pause.
   */
  constructor(
    { concurrency, mostConcurrency: most = concurrency, maxRps = Infinity }: PaceLimits,
    isOver: () => boolean,
    onPause: (ms: number) => void,
  ) {
    this.#slots = new Permits(most);
    this.#maxRps = maxRps;
    this.#isOver = isOver;
    this.#onPause = onPause;
    this.#widening = new Widening(concurrency, most);
    this.#narrow(concurrency);
  }

  /** Runs `send` in a slot, as soon as the next request may start. */
  inTurn<T>(send: () => Promise<T>): Promise<T> {
    const inSlot = async (): Promise<T> => {
      await this.#turn();
      return send();
    };
    return this.#slots.use(1, inSlot, this.#isGathering);
  }

  /** Waits until the next request may start. The target may ask for another pause meanwhile. */
  async #turn(): Promise<void> {
    do {
      await this.#pause();
      await this.#interspace();
    } while (this.#notBefore > performance.now() && !this.#isOver());
  }

  async #pause(): Promise<void> {
    for (;;) {
      const wait = this.#notBefore - performance.now();
      if (wait <= 0 || this.#isOver()) return;
      const from = performance.now();
      await sleep(Math.min(wait, STEP_MS));
      const now = performance.now();
      // Requests that wait at the same time count once.
      this.#onPause(now - Math.max(from, this.#pausedUntil));
      this.#pausedUntil = now;
    }
  }

  /** Waits until the interval since the request before is long enough. */
  async #interspace(): Promise<void> {
    const intervalMs = Math.max(this.#interval.ms, 1_000 / this.#maxRps);
    if (intervalMs === 0) return;
    const now = performance.now();
    const mine = Math.max(now, this.#nextStart);
    this.#nextStart = mine + intervalMs;
    if (mine > now) await sleep(mine - now);
  }

  /** Waits this long, in milliseconds, unless the run no longer waits for the target. */
  async wait(ms: number): Promise<void> {
    const until = performance.now() + ms;
    for (let left = ms; left > 0 && !this.#isOver(); left = until - performance.now())
      await sleep(Math.min(left, STEP_MS));
  }

  /**
   * Delays all requests, and halves the concurrency.
   *
   * @param isFirst whether this request was deferred for the first time.
   */
  defer(delayMs: number, exchange: Exchange, isFirst: boolean): void {
    this.#notBefore = Math.max(this.#notBefore, performance.now() + delayMs);
    if (isFirst && !saysHowLong(exchange) && this.#concurrency === 1) this.#interval.deferred();
    this.#halve(exchange);
  }

  /** Halves the concurrency because a request failed beside others. Each time it takes longer until it rises again. */
  slowDown(exchange: Exchange): void {
    if (this.#halve(exchange)) this.#fasterAfter *= 2;
  }

  /** @returns false if the concurrency was lowered for the same reason already. */
  #halve({ startedAt }: Exchange): boolean {
    this.#answersSinceDeferral = 0;
    this.#widening.end();
    // Overlapping requests that are deferred together count as one reason to slow down.
    if (startedAt < this.#withheldAt) return false;
    this.#withheldAt = performance.now();
    this.#narrow(Math.ceil(this.#concurrency / 2));
    return true;
  }

  /**
   * Lowers the concurrency for good, because the target cannot handle as many requests at once.
   *
   * @param most the new concurrency; by default two, or one if two were too many.
   */
  limit(most = this.#concurrency > 2 ? 2 : 1): void {
    this.#widening.end();
    this.#most = most;
    this.#narrow(most);
  }

  /** Runs `work` while the whole run sends one request at a time. */
  async oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    if (this.#serial++ === 0) this.#othersHeld = this.#slots.hold(this.#concurrency - 1, true);
    await this.#othersHeld;
    try {
      return await work();
    } finally {
      if (--this.#serial === 0) {
        (await this.#othersHeld)?.();
        this.#narrow(this.#most);
      }
    }
  }

  /** Withholds slots until no more than this many are left. */
  #narrow(concurrency: number): void {
    // With one request at a time, all other slots are held already.
    if (this.#serial > 0) return;
    while (this.#concurrency > concurrency) this.#withheld.push(this.#slots.hold(1, true));
  }

  get #concurrency(): number {
    return this.#slots.total - this.#withheld.length;
  }

  /** Counts an answer. Deferrals do not count. */
  answered(exchange: Exchange): void {
    this.#interval.answered();
    if (this.#serial > 0) return;
    const { width } = this.#widening;
    this.#widening.answered(exchange);
    if (this.#widening.width > width) while (this.#concurrency < this.#widening.width) this.#giveBack();
    if (this.#widening.width < width) this.#narrow(this.#widening.width);
    const isFastest = this.#concurrency >= Math.min(this.#widening.width, this.#most);
    if (isFastest || ++this.#answersSinceDeferral < this.#fasterAfter) return;
    this.#answersSinceDeferral = 0;
    this.#giveBack();
  }

  #giveBack(): void {
    void this.#withheld.pop()?.then((giveBack) => giveBack());
  }

  /** Cancels a pause that would last beyond this moment (by `performance.now()`). */
  dropPauseBeyond(moment: number): void {
    if (this.#notBefore > moment) this.#notBefore = 0;
  }

  /** Runs `work` whose first requests start at the same time, as many as the concurrency allows. */
  async simultaneously<T>(work: () => Promise<T>): Promise<T> {
    if (this.#serial > 0) return work();
    const giveBack = await this.#slots.hold(this.#concurrency, true);
    this.#isGathering = true;
    const done = work();
    // The caller handles a rejection, but awaits `done` later: until then it must not count as unhandled.
    done.catch(() => undefined);
    // After this turn the requests of `work` are first in the queue.
    await nextTurn();
    this.#isGathering = false;
    giveBack();
    return done;
  }
}
