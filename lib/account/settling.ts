import { setTimeout as sleep } from 'node:timers/promises';
import { accepted, type Exchange } from '../http/exchange.ts';
import { Undecided, type Finding } from '../outcome.ts';
import { isListRead, listedIn } from '../spec/reading.ts';
import type { Signs } from './signs.ts';

/** The first pause, as a share of the settle time. Each later pause is three times as long as the one before. */
const FIRST_PAUSE = 1 / 25;

/** After this many effects that never showed, there is only one more look, at the end of the settle time. */
const IN_VAIN_MANY = 3;

/** After so many waits in vain for effects of one kind, waits for this kind are brief. */
const IN_VAIN_OF_KIND = 2;

/** The share of the settle time that a brief wait takes, if no effect of the run has shown late. */
const BRIEF_SHARE = 1 / 5;

/** After so many tags that lists showed with one name, with another and with the first again, lists never agree. */
const CHANGING_MANY = 2;

/**
 * After so many effects that did not show after the settle time, but in a later look, lists never agree. Each counts for a settle
 * time of its own, because one pause of the target delays all effects that are under way.
 */
const TOO_LATE_MANY = 3;

/** Other tokens may take a little longer to become known. */
const TOKEN_MARGIN = 1.5;

type Kind = 'gone' | 'found';

export interface UntilOptions {
  /** Whether to record a late effect if it shows only in a later look; by default it is recorded. */
  readonly late?: 'recorded' | 'ignored';
  /** Whether the run has waited for the same effect in vain before: then a part of the settle time is enough. */
  readonly isBrief?: boolean;
  /** What is waited for: that a deleted tag is gone, or that a filter finds a tag. Some targets fail at one of these only. */
  readonly kind?: Kind | undefined;
  /** Whether to wait for the settle time before the first look, so that late changes show. */
  readonly isAfterwards?: boolean;
}

/** The result of a wait: the last look, and whether it was good. */
export interface Settled<T> {
  readonly seen: T;
  readonly good: boolean;
}

/** An effect that a look missed and a later one showed. */
interface LateEffect {
  readonly sign: Finding;
  /** How many tags the shortest list of that look showed. */
  readonly shortest: number;
  readonly tookMs: number;
}

/** Looks once more. If the budget ends before an effect has shown, the error holds the lists that missed it. */
async function unlessCutOff<T>(look: () => Promise<T>, missed: readonly Exchange[] | undefined): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (missed === undefined || !(error instanceof Undecided) || error.outcome.because !== 'budget')
      throw error;
    throw new Undecided('budget', error.message, ...missed);
  }
}

/** What waiting goes by, in milliseconds. */
interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const SYSTEM_CLOCK: Clock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };

/** Waits for effects to show, and learns how long that takes on this target. */
export class Settling {
  /** How long an effect may take to show, in milliseconds. */
  readonly mostMs: number;
  /** The most tags that a list shows; undefined as long as lists are not known to be pages. */
  pageSize: number | undefined;
  /** The length of the longest unfiltered list that is known to show all tags of its account. */
  wholeLength = 0;
  readonly #signs: Signs;
  readonly #clock: Clock;
  readonly #forgive: (early: Exchange) => void;
  #inVain = 0;
  /** How many effects of each kind never showed. */
  readonly #inVainOf = { gone: 0, found: 0 };
  /** How many of these effects may be in a part of a list that cannot be read. */
  #unread = 0;
  /** The longest that an effect has taken to show so far, in milliseconds. */
  #lagMs = 0;
  /** The late effects whose times add up to `#lagMs`. */
  #late: readonly LateEffect[] = [];
  /** How many effects did not show after the settle time, but in a later look. */
  #tooLate = 0;
  /** When the last of them was counted, by `performance.now()`. */
  #tooLateAt = Number.NEGATIVE_INFINITY;
  /** The age at which a token is known everywhere, in milliseconds. */
  tokenLagMs = 0;
  /** Whether a new token may be refused even after it was accepted, because it is known in some places only. */
  isTokenLagUneven = false;

  /** @param forgive called with each exchange of a look that came too early. */
  constructor(
    mostMs: number,
    signs: Signs,
    forgive: (early: Exchange) => void = () => undefined,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    this.mostMs = mostMs;
    this.#signs = signs;
    this.#forgive = forgive;
    this.#clock = clock;
  }

  /** Notes how many tags a list shows at most. What a list of that length left out did not show late. */
  notePage(size: number): void {
    this.pageSize = size;
    const isOfPage = ({ shortest }: LateEffect): boolean => shortest >= size;
    for (const { sign } of this.#late.filter(isOfPage)) this.#signs.withdraw('late-effect', sign);
    this.#late = this.#late.filter((effect) => !isOfPage(effect));
    this.#lagMs = this.#lagOf(this.#late);
  }

  /** The sum of the times: each was measured after a wait for the lag known before. */
  #lagOf(effects: readonly LateEffect[]): number {
    return Math.min(
      this.mostMs,
      effects.reduce((sum, { tookMs }) => sum + tookMs, 0),
    );
  }

  /**
   * A new token was refused, and accepted at this age.
   *
   * @param isUneven whether it had been accepted before the refusal, too: then only its age shows that it is known everywhere.
   */
  noteTokenLag(ageMs: number, isUneven: boolean): void {
    this.isTokenLagUneven ||= isUneven;
    const lagMs = this.isTokenLagUneven ? this.mostMs : ageMs * TOKEN_MARGIN;
    this.tokenLagMs = Math.min(this.mostMs, Math.max(this.tokenLagMs, lagMs));
  }

  /**
   * Looks again and again until the effect shows, at most for the settle time and at least twice.
   *
   * @returns the last look, and whether it was good.
   */
  async until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    isGood: (seen: T) => boolean,
    { late = 'recorded', isBrief = false, kind, isAfterwards = false }: UntilOptions = {},
  ): Promise<Settled<T>> {
    // If effects show late on this target, an early look would only cost a request.
    const firstPause = isAfterwards ? this.mostMs : this.#usualLagMs;
    if (firstPause > 0) await this.#clock.sleep(firstPause);
    const started = this.#clock.now();
    const isLikelyInVain = kind !== undefined && this.#inVainOf[kind] >= IN_VAIN_OF_KIND;
    const isShort = (isBrief || isLikelyInVain || this.#neverAgrees) && this.#usualLagMs === 0;
    const deadline = started + this.mostMs * (isShort ? BRIEF_SHARE : 1);
    let missed: readonly Exchange[] | undefined;
    const early: Exchange[] = [];
    const looksOnceMore = this.#inVain >= IN_VAIN_MANY && this.#usualLagMs === 0;
    let pause = Math.max(1, this.mostMs * FIRST_PAUSE);
    for (let looks = 1; ; looks++) {
      const lookedAt = this.#clock.now();
      const seen = await unlessCutOff(look, missed);
      if (isGood(seen)) {
        if (missed !== undefined && firstPause >= this.mostMs) this.#noteTooLate();
        if (missed !== undefined && late === 'recorded')
          this.#recordLate(missed, seen.exchanges, this.#clock.now() - started);
        for (const exchange of early) this.#forgive(exchange);
        return { seen, good: true };
      }
      missed ??= seen.exchanges;
      early.push(...seen.exchanges);
      const left = deadline - this.#clock.now();
      // The unreadable part of such a list may hold what is missing. Later lists have never shown more.
      const isUnread = !seen.exchanges.every(isListRead);
      const isHopeless = isUnread && this.#unread >= IN_VAIN_MANY && this.#usualLagMs === 0;
      // A look of several requests may take long, so the last one begins after the settle time.
      if (looks > 1 && (lookedAt >= deadline || isHopeless)) {
        this.#inVain++;
        if (kind !== undefined) this.#inVainOf[kind]++;
        if (isUnread) this.#unread++;
        return { seen, good: false };
      }
      await this.#clock.sleep(
        Math.max(1, Math.ceil(looksOnceMore && !isHopeless ? left : Math.min(pause, left))),
      );
      pause *= 3;
    }
  }

  /** Whether lists of the same tags differ for good, as those of servers that each have a store of their own: waiting is in vain. */
  get #neverAgrees(): boolean {
    return this.#tooLate >= TOO_LATE_MANY || this.#signs.of('list-changing').length >= CHANGING_MANY;
  }

  /** How long effects usually take to show, in milliseconds. */
  get #usualLagMs(): number {
    return this.#neverAgrees ? 0 : this.#lagMs;
  }

  /** If effects show late on this target, waits as long as they usually take. */
  async usualLag(): Promise<void> {
    if (this.#usualLagMs > 0) await this.#clock.sleep(this.#usualLagMs);
  }

  /** If effects show late on this target, waits until those of a write that ended at this moment must have shown. */
  async sinceWrite(endedAt: number): Promise<void> {
    const left = endedAt + this.mostMs - this.#clock.now();
    if (this.#usualLagMs > 0 && left > 0) await this.#clock.sleep(left);
  }

  #noteTooLate(): void {
    const now = this.#clock.now();
    if (now - this.#tooLateAt < this.mostMs) return;
    this.#tooLate++;
    this.#tooLateAt = now;
  }

  #recordLate(all: readonly Exchange[], good: readonly Exchange[], tookMs: number): void {
    // A filter may never find the tag, because the target keeps its name in another form.
    const missed = all.filter((one) => good.some((other) => hasChanged(one, other)));
    if (missed.length === 0) return;
    // A full page leaves out a tag until others are gone, which is not a late effect.
    const lengthOf = (list: Exchange): number => listedIn(list)?.length ?? 0;
    const shortest = Math.min(...missed.map(lengthOf));
    if (this.pageSize !== undefined && shortest >= this.pageSize) return;
    // A list that got no answer, was refused or cannot be read whole may have shown the change.
    const isRead = (one: Exchange): boolean =>
      isListRead(one) && (one.ask.operation !== 'list' || accepted(one));
    if (!all.every(isRead)) return;
    const why = 'a change did not show in the next list, but did later';
    // Of the lists of one look, a full page is no evidence.
    const shown = missed.filter((list) => lengthOf(list) === shortest).slice(-1);
    const sign = this.#signs.record('late-effect', why, ...shown);
    this.#late = [...this.#late, { sign, shortest, tookMs }];
    this.#lagMs = this.#lagOf(this.#late);
  }
}

/** Whether the same request was answered otherwise the second time: a list shows other tags, or the answer is no list. */
const hasChanged = (one: Exchange, other: Exchange): boolean =>
  one.ask.path === other.ask.path &&
  (one.ask.operation !== 'list' || JSON.stringify(listedIn(one)) !== JSON.stringify(listedIn(other)));
