import type { Exchange } from '../http/exchange.ts';
import { Undecided, type Lack } from '../outcome.ts';

/** What a check got for a call. */
export type Came =
  /** The numbers of the exchanges that it was given. */
  | { readonly exchanges: readonly number[] }
  /** It could not be sent, or not decided. */
  | { readonly undecided: string; readonly because: Lack; readonly exchanges: readonly number[] }
  /** Anything else, as plain data without secrets. */
  | { readonly value: unknown }
  | Record<string, never>;

/**
 * One line of the course of a run: a check asked for something, and this is what came. Lines stand in the order in
 * which the answers reached the checks; `asked` numbers the calls in the order in which they were made.
 */
export type CourseLine = readonly [asked: number, work: number, what: string, came: Came];

/** A check under way, by its number in the course. */
export interface Asking {
  readonly id: string;
  /** Whether the check is only a repetition, to see whether it fails each time. */
  readonly again: boolean;
}

/**
 * Notes what the checks of a run asked for and what they were given, so that the same checks can judge the same exchanges
 * again, and so that each requirement can say what it rests on.
 */
export class Course {
  readonly #add: (line: string) => void;
  readonly #masked: <T>(value: T) => T;
  /** The checks, by the numbers of their works. */
  readonly checks = new Map<number, Asking>();
  /** The check, or the shared work, that each work is a part of. The exchanges of the part count as its own. */
  readonly #owners: number[] = [];
  /** The exchanges that a check, or shared work, was given. */
  readonly #given = new Map<number, Set<number>>();
  /** The shared work that a check used. */
  readonly #used = new Map<number, Set<number>>();
  readonly #shared = new Map<string, number>();
  #asked = 0;

  /**
   * @param add takes the lines, one after another.
   * @param masked masks the texts in plain data.
   */
  constructor(add: (line: string) => void, masked: <T>(value: T) => T) {
    this.#add = add;
    this.#masked = masked;
  }

  /** Numbers work that begins. */
  work(owner?: number): number {
    const number = this.#owners.length;
    this.#owners.push(owner === undefined ? number : (this.#owners[owner] ?? owner));
    return number;
  }

  /** Numbers shared work that begins, or begins again. */
  sharedWork(key: string): number {
    const number = this.work();
    this.#shared.set(key, number);
    return number;
  }

  /** The latest shared work of this name. Notes that the user used it. */
  sharedOf(key: string, user: number): number | undefined {
    const number = this.#shared.get(key);
    const owner = this.#owners[user] ?? user;
    if (number !== undefined) noted(this.#used, owner).add(number);
    return number;
  }

  ask(): number {
    return this.#asked++;
  }

  came(asked: number, work: number, what: string, came: Came): void {
    if ('exchanges' in came && came.exchanges !== undefined)
      for (const number of came.exchanges) noted(this.#given, this.#owners[work] ?? work).add(number);
    this.#add(JSON.stringify([asked, work, what, came] satisfies CourseLine));
  }

  /** Something known without a request. */
  told(work: number, what: string, value: unknown): void {
    this.came(this.ask(), work, what, { value: this.#masked(value) });
  }

  /** The call could not be sent or decided. */
  failed(asked: number, work: number, what: string, error: unknown): void {
    this.came(asked, work, what, this.undecided(error));
  }

  /** An error as what came for a call: why nothing could be sent or decided. */
  undecided(error: unknown): Came {
    if (!(error instanceof Undecided)) return {};
    const { why, because, exchanges } = error.outcome;
    return { undecided: this.#masked(why), because, exchanges: numbersOf(exchanges) };
  }

  /** The numbers of the exchanges that each requirement rests on, by id. */
  restsOn(): ReadonlyMap<string, ReadonlySet<number>> {
    const rests = new Map<string, Set<number>>();
    for (const [work, { id }] of this.checks) {
      const all = rests.get(id) ?? new Set();
      rests.set(id, all);
      for (const one of this.#withUsed(work))
        for (const number of this.#given.get(one) ?? []) all.add(number);
    }
    return rests;
  }

  /** A work and all shared work that it used, directly or indirectly. */
  #withUsed(work: number): ReadonlySet<number> {
    const all = new Set([work]);
    for (const one of all) for (const used of this.#used.get(one) ?? []) all.add(used);
    return all;
  }
}

export const numbersOf = (exchanges: readonly Exchange[]): number[] => exchanges.map(({ number }) => number);

function noted(sets: Map<number, Set<number>>, key: number): Set<number> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}
