import type { Settled } from '../account/settling.ts';
import type { Exchange } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import { filterQuery, pathOf, RawBody } from '../spec/requests.ts';
import type { Came, CourseLine } from './course.ts';
import type { Doubts } from './doubts.ts';
import type { HarHead } from './har.ts';
import type { Placed, Playback } from './playback.ts';

/** Why a check ends if its evidence, or that of a check that it takes turns with, is used up. */
export const NO_ANSWER = 'the evidence holds no answer to what the check asks';

/** What all replayed checks share. */
export interface Replaying {
  readonly playback: Playback;
  readonly run: HarHead['_run'];
  /** @throws Error if the evidence has no exchange of that number. */
  readonly exchange: (number: number, doubts: Doubts) => Exchange;
  /** Shared work, by its number. */
  readonly shared: Map<number, { readonly result: Promise<unknown>; readonly doubts: Doubts }>;
}

/** Replays what a check, or shared work, was given in the run. */
export class CourseReading {
  readonly work: number;
  readonly #replaying: Replaying;
  readonly #doubts: Doubts;

  constructor(replaying: Replaying, work: number, doubts: Doubts) {
    this.#replaying = replaying;
    this.work = work;
    this.#doubts = doubts;
  }

  /** Takes the line that answers the next call of this kind. */
  take(what: string, fits?: (line: CourseLine) => boolean): Placed {
    return this.#replaying.playback.take(this.work, what, fits) ?? this.end();
  }

  /** A fact that took no request. */
  told(what: string): unknown {
    const told = this.take(what);
    this.#replaying.playback.pass(told);
    return valueOf(told.line);
  }

  /** The line that answers the next call of this kind, at its turn. @throws Undecided if the call ended so in the run. */
  async given(what: string, fits?: (line: CourseLine) => boolean): Promise<CourseLine> {
    const placed = this.take(what, fits);
    await this.#replaying.playback.turn(placed);
    const [, , , came] = placed.line;
    if ('undecided' in came && what !== 'look up' && what !== 'listed') throw this.undecided(came);
    return placed.line;
  }

  /** Returns the recorded exchange of a call, preferably of the same request. */
  async exchange(what: string, path?: string, body?: unknown): Promise<Exchange> {
    const text = body === undefined || body instanceof RawBody ? undefined : JSON.stringify(body);
    const isSame = ({ ask }: Exchange): boolean =>
      (path === undefined || ask.path === path) && (text === undefined || ask.body === text);
    const fits = ([, , , came]: CourseLine): boolean => this.exchanges(numbersOf(came)).some(isSame);
    const [, , , came] = await this.given(what, fits);
    const [exchange = this.end()] = this.exchanges(numbersOf(came));
    // A login is judged by its answer alone: wrong credentials are random, and right ones are not in the evidence.
    if (!isSame(exchange)) this.#doubts.asksOtherwise = true;
    return exchange;
  }

  /** Matches a look-up that began with the list filtered by this name. */
  startsWith(name: string | undefined): (line: CourseLine) => boolean {
    const path = pathOf.list(name === undefined ? undefined : filterQuery(name));
    return ([, , , came]) => this.exchanges(numbersOf(came))[0]?.ask.path === path;
  }

  /** The exchanges of these numbers. */
  exchanges(numbers: readonly number[]): readonly Exchange[] {
    return numbers.map((number) => this.#replaying.exchange(number, this.#doubts));
  }

  /** Looks as often as the run looked, or until a look is good. */
  async until<T>(look: () => Promise<T>, isGood: (seen: T) => boolean): Promise<Settled<T>> {
    const { playback } = this.#replaying;
    const until = this.take('until');
    const looks = playback.left(this.work, 'look').filter(({ line }) => valueOf(line) === until.line[0]);
    let settled: Settled<T> | undefined;
    for (const [nth, { line }] of looks.entries()) {
      const taken = playback.take(this.work, 'look', (other) => other === line);
      // In the run, nothing came before the first look.
      if (taken !== undefined && nth === 0) playback.pass(taken);
      else if (taken !== undefined) await playback.turn(taken);
      const seen = await look();
      settled = { seen, good: isGood(seen) };
      if (settled.good) break;
    }
    await playback.turn(until);
    return settled ?? this.end();
  }

  /** Makes as many attempts as the run made. The last one counts. */
  async attempts<T>(ask: () => Promise<T>): Promise<T> {
    const { playback } = this.#replaying;
    const first = playback.take(this.work, 'attempt');
    if (first !== undefined) playback.pass(first);
    for (;;) {
      const isLast = playback.left(this.work, 'attempt').length === 0;
      try {
        const result = await ask();
        if (isLast) return result;
      } catch (error) {
        if (isLast || !(error instanceof Undecided)) throw error;
      }
      const next = playback.take(this.work, 'attempt');
      if (next !== undefined) await playback.turn(next);
    }
  }

  /** Starts and ends a part, such as one without creates, at its turns in the course. */
  async within<T>(what: string, ask: () => Promise<T>): Promise<T> {
    const { playback } = this.#replaying;
    const line = this.take(what);
    const isEntered = (other: CourseLine): boolean => valueOf(other) === line.line[0];
    if (!playback.left(this.work, 'enter').some((one) => isEntered(one.line)))
      throw this.undecided(line.line[3]);
    const enter = playback.take(this.work, 'enter', isEntered);
    if (enter !== undefined) await playback.turn(enter);
    try {
      return await ask();
    } finally {
      await playback.turn(line);
    }
  }

  /** The `Undecided` that the call threw in the run. */
  undecided(came: Came): Undecided {
    if (!('undecided' in came) || came.undecided === undefined) return this.end();
    this.#doubts.wasUndecided = true;
    return new Undecided(came.because, came.undecided, ...this.exchanges(came.exchanges));
  }

  /** Ends the check, because the evidence is used up. @throws Undecided always. */
  end(): never {
    this.#doubts.endsEarly = true;
    throw new Undecided('failure', NO_ANSWER);
  }
}

/** The plain data that came; undefined if something else came. */
export const valueOf = ([, , , came]: CourseLine): unknown => ('value' in came ? came.value : undefined);

/** The numbers of the exchanges that came. */
export const numbersOf = (came: Came): readonly number[] =>
  'exchanges' in came && came.exchanges !== undefined ? came.exchanges : [];
