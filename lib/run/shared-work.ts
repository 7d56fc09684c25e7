import { attemptsWorth } from '../http/attempts.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Permits } from '../permits.ts';

export interface SharedOptions {
  /** Whether the result is kept when a broken check is repeated; by default the work is done again. */
  readonly isKept?: boolean;
  /** Waits for room like any check; by default it comes first, because many checks wait for it with tags of their own. */
  readonly isPatient?: boolean;
}

/** The work as it is seen here. */
export interface Doing {
  readonly allowance: number;
  /** Requests that got no answer. */
  readonly unanswered: readonly Exchange[];
  /** A create was refused that the number of tags may be the reason for. */
  readonly metQuota: boolean;
  /** None of its tags exists, as far as the run knows. */
  readonly isClean: boolean;
  removeTags(): Promise<void>;
  abandon(why: string): void;
}

interface Entry {
  readonly work: Doing;
  readonly result: Promise<unknown>;
  readonly isKept: boolean;
}

/** Work that several checks need, done once in a run by the first of them. */
export class SharedWork {
  readonly #entries = new Map<string, Entry>();
  /** All work, including what was done again. */
  readonly #started = new Set<Promise<unknown>>();
  /** How often work was done that met with requests without an answer. */
  readonly #attempts = new Map<string, number>();
  readonly #ended = new Set<Doing>();
  readonly #room: Permits;

  /** @param room for the tags of all shared work. */
  constructor(room: Permits) {
    this.#room = room;
  }

  /** The work that was done under this name, or is being done. */
  known(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /**
   * Does the work, in room for its tags.
   *
   * @returns its entry at once; the result when the work is done.
   */
  start<T>(
    name: string,
    work: Doing,
    doWork: () => Promise<T>,
    { isKept = false, isPatient = false }: SharedOptions,
  ): Entry & { readonly result: Promise<T> } {
    const run = async (): Promise<T> => {
      try {
        return await doWork();
      } finally {
        // A lost answer may have spoilt the result: the next check that asks has the work done again.
        const attempt = (this.#attempts.get(name) ?? 0) + 1;
        this.#attempts.set(name, attempt);
        if (attempt < attemptsWorth(work.unanswered)) this.#entries.delete(name);
        this.#ended.add(work);
        await work.removeTags();
      }
    };
    const entry = { work, isKept, result: this.#room.use(work.allowance, run, !isPatient) };
    this.#entries.set(name, entry);
    this.#started.add(entry.result);
    return entry;
  }

  /** Work that has ended, and whose tags could not be removed. Each is returned once. */
  takeUnclean(): readonly Doing[] {
    const unclean = [...this.#ended].filter(({ isClean }) => !isClean);
    for (const work of unclean) this.#ended.delete(work);
    return unclean;
  }

  /** Resolves when all work under way has ended, one way or the other. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#started);
  }

  /** The run no longer waits for any of the work. */
  abandon(why: string): void {
    for (const { work } of this.#entries.values()) work.abandon(why);
  }

  /** Drops the results of work that met the limit of tags, so that the work is done again. */
  forgetCrowded(): void {
    for (const [name, { work }] of this.#entries) if (work.metQuota) this.#entries.delete(name);
  }

  /** Drops the results that are not kept, so that the work is done again. */
  forget(): void {
    for (const [name, { isKept }] of this.#entries) if (!isKept) this.#entries.delete(name);
  }
}
