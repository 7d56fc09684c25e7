import { attemptsWorth } from '../http/retryable.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Lack, Undecided } from '../outcome.ts';
import type { Claim } from './room.ts';

export interface SharedOptions {
  /** Whether to keep the result when a broken requirement is checked again; by default the work is repeated. */
  readonly isKept?: boolean;
  /** Whether the result holds for both accounts. Then the work is done once in a run, in the first one. */
  readonly isOfBoth?: boolean;
}

/** The part of `Work` that is needed here. */
export interface Doing {
  readonly allowance: number;
  /** Requests without a final answer. */
  readonly unanswered: readonly Exchange[];
  /** The shared work whose results it used. */
  readonly used: readonly Doing[];
  /** Whether a create may have been refused for the number of tags. */
  readonly metQuota: boolean;
  /** Whether none of its tags exists, as far as the run knows. */
  readonly isClean: boolean;
  readonly claim: Claim | undefined;
  askers: number;
  removeTags(): Promise<void>;
}

interface Entry {
  readonly work: Doing;
  readonly result: Promise<unknown>;
  readonly isKept: boolean;
}

/** Work that several checks need. The first of them does it, once in a run. */
export class SharedWork {
  readonly #entries = new Map<string, Entry>();
  /** All work, including repeated work. */
  readonly #started = new Set<Promise<unknown>>();
  /** How often work was done, by its name. */
  readonly #attempts = new Map<string, number>();
  readonly #ended: Set<Doing>;
  /** Work without a result, and why. */
  readonly #failed = new WeakMap<Entry, Lack | undefined>();

  /** @param ended gets the work that has ended. */
  constructor(ended: Set<Doing>) {
    this.#ended = ended;
  }

  /** The work with this name, if it was started. */
  known(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /**
   * Starts the work.
   *
   * @returns its entry, at once. The result in it resolves when the work is done.
   */
  start<T>(
    name: string,
    work: Doing,
    doWork: () => Promise<T>,
    { isKept = false }: SharedOptions,
  ): Entry & { readonly result: Promise<T> } {
    const run = async (): Promise<T> => {
      try {
        return await doWork();
      } finally {
        this.#attempts.set(name, (this.#attempts.get(name) ?? 0) + 1);
        this.#ended.add(work);
        try {
          await work.removeTags();
        } finally {
          work.claim?.end();
        }
      }
    };
    const entry = { work, isKept, result: run() };
    this.#entries.set(name, entry);
    this.#started.add(entry.result);
    entry.result.catch((error: unknown) => {
      this.#failed.set(entry, error instanceof Undecided ? error.outcome.because : undefined);
    });
    return entry;
  }

  /** Drops the results of this work, and of the work that it used, that a lost answer may have affected. */
  dropIfUnanswered(work: Doing): void {
    for (const used of work.used) this.dropIfUnanswered(used);
    for (const [name, entry] of this.#entries)
      if (entry.work === work && (this.#attempts.get(name) ?? 1) < attemptsWorth(work.unanswered))
        this.#entries.delete(name);
  }

  /** Resolves when all work has ended, with or without success. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#started);
  }

  /**
   * Drops the results of work in which a create may have been refused for the number of tags, so that it is repeated with
   * fewer tags: once, or until it has a result.
   */
  forgetOverQuota(): void {
    for (const [name, entry] of this.#entries)
      if (entry.work.metQuota && (this.#failed.has(entry) || this.#attempts.get(name) === 1))
        this.#entries.delete(name);
  }

  /**
   * Drops the results of work that ended without one, for this reason. For lack of requests: another phase has requests of its
   * own. For a failure: it may have passed.
   */
  forgetFailed(because: Lack): void {
    for (const [name, entry] of this.#entries)
      if (this.#failed.get(entry) === because) this.#entries.delete(name);
  }

  /** Drops the results that are not kept, so that the work is repeated. */
  forget(): void {
    for (const [name, { isKept }] of this.#entries) if (!isKept) this.#entries.delete(name);
  }
}
