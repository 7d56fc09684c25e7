import { setImmediate as nextCycle, setTimeout as sleep } from 'node:timers/promises';
import type { CourseLine } from './course.ts';

/** A line of a course, with its place in it. */
export interface Placed {
  readonly at: number;
  readonly line: CourseLine;
}

/** How many turns of the event loop to wait for the next call: some checks wait a few turns for one another. */
const MOST_CYCLES = 40;

/** How many milliseconds to wait for the next call before giving up: some checks wait while keys are generated. */
const MOST_IDLE_MS = 10_000;
const STEP_MS = 5;

/**
 * Hands out what the checks of a run were given, in the same order. The checks wait for nothing else, so they take the
 * same course again.
 */
export class Playback {
  readonly #lines: readonly CourseLine[];
  /** The lines of each work and call, in the order of the calls. */
  readonly #left = new Map<string, Placed[]>();
  /** Lines that were handed out, or that no check will ask for. */
  readonly #done: boolean[];
  readonly #waiting = new Map<number, () => void>();
  #next = 0;
  #hasAsked = false;

  constructor(lines: readonly CourseLine[]) {
    this.#lines = lines;
    this.#done = lines.map(() => false);
    for (const [at, line] of lines.entries()) {
      const key = keyOf(line[1], line[2]);
      const queue = this.#left.get(key) ?? [];
      this.#left.set(key, queue);
      queue.push({ at, line });
    }
    for (const queue of this.#left.values()) queue.sort((one, other) => one.line[0] - other.line[0]);
  }

  /**
   * Takes the next line that answers a call of a work.
   *
   * @param fits the preferred line, if the work made several such calls at the same time.
   */
  take(work: number, what: string, fits: (line: CourseLine) => boolean = () => true): Placed | undefined {
    const queue = this.#left.get(keyOf(work, what)) ?? [];
    // Stops at the next attempt: the lines behind it belong to later calls.
    const [next] = what === 'attempt' ? [] : this.left(work, 'attempt');
    const end = next?.line[0] ?? Number.POSITIVE_INFINITY;
    const best = queue.findIndex(({ line }) => line[0] < end && fits(line));
    return queue.splice(Math.max(best, 0), 1)[0];
  }

  /** The lines that answer calls of a work and were not taken yet. */
  left(work: number, what: string): readonly Placed[] {
    return this.#left.get(keyOf(work, what)) ?? [];
  }

  /** Marks a line as handed out, whether or not it is its turn. */
  pass({ at }: Placed): void {
    this.#done[at] = true;
    this.#hasAsked = true;
  }

  /** Resolves when it is the turn of a line. */
  turn({ at }: Placed): Promise<void> {
    this.#hasAsked = true;
    return new Promise((resolve) => this.#waiting.set(at, resolve));
  }

  /** Hands out lines until the promise settles, or until no check waits for a line any more. */
  async until(settled: Promise<unknown>): Promise<void> {
    const state = { isOver: false, idleMs: 0 };
    const over = (): void => {
      state.isOver = true;
    };
    settled.then(over, over);
    while (!state.isOver && state.idleMs < MOST_IDLE_MS) {
      this.#hasAsked = false;
      await nextCycle();
      await this.#awaitNext();
      this.#handOut();
      state.idleMs = this.#hasAsked ? 0 : state.idleMs + STEP_MS;
      if (!this.#hasAsked && !state.isOver) await sleep(STEP_MS);
    }
  }

  /** Waits a while for the call that the next line answers, to keep the order of the run. */
  async #awaitNext(): Promise<void> {
    while (this.#done[this.#next] === true) this.#next++;
    for (let cycle = 0; cycle < MOST_CYCLES && this.#next < this.#lines.length; cycle++) {
      if (this.#waiting.has(this.#next)) return;
      await nextCycle();
      while (this.#done[this.#next] === true) this.#next++;
    }
    // No check asks for this line, so there is no further wait for it.
    const first = Math.min(...this.#waiting.keys());
    if (first !== Number.POSITIVE_INFINITY) for (let at = this.#next; at < first; at++) this.#done[at] = true;
  }

  #handOut(): void {
    if (this.#waiting.size === 0) return;
    const first = Math.min(...this.#waiting.keys());
    const resolve = this.#waiting.get(first);
    this.#waiting.delete(first);
    this.#done[first] = true;
    this.#hasAsked = true;
    resolve?.();
  }
}

const keyOf = (work: number, what: string): string => `${work} ${what}`;
