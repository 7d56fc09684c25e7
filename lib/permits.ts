/**
 * A counting semaphore with a first-in, first-out queue. It keeps every limit of the run: requests in flight, tags alive,
 * and work that must not overlap, which takes all permits.
 */
export class Permits {
  #total: number;
  #free: number;
  readonly #queue: { wanted: number; readonly urgent: boolean; readonly go: () => void }[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  get total(): number {
    return this.#total;
  }

  /** Withdraws permits for good, as they become free, so that no more than this many are left. */
  shrink(total: number): void {
    if (total >= this.#total) return;
    this.#free -= this.#total - total;
    this.#total = total;
    for (const waiting of this.#queue) waiting.wanted = Math.min(waiting.wanted, total);
  }

  /**
   * Runs `work` while it holds permits.
   *
   * @param wanted how many; a number above the total means all.
   * @param urgent whether to go before everything in the queue that is not urgent.
   */
  async use<T>(wanted: number, work: () => Promise<T>, urgent = false): Promise<T> {
    const giveBack = await this.hold(wanted, urgent);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Waits for permits, as `use` does; returns the function that gives them back. */
  async hold(wanted: number, urgent = false): Promise<() => void> {
    // Work that wants no permit never waits: a holder of permits may be waiting for that work.
    if (wanted === 0) return () => undefined;
    const held = await new Promise<number>((resolve) => {
      const before = urgent ? this.#queue.findIndex((other) => !other.urgent) : -1;
      const waiting = { wanted: Math.min(wanted, this.#total), urgent, go: () => resolve(waiting.wanted) };
      this.#queue.splice(before < 0 ? this.#queue.length : before, 0, waiting);
      this.#serve();
    });
    return () => {
      this.#free += held;
      this.#serve();
    };
  }

  /** One permit, if it takes no waiting; returns the function that gives it back. */
  holdAtOnce(): (() => void) | undefined {
    if (this.#queue.length > 0 || this.#free < 1) return undefined;
    this.#free--;
    return () => {
      this.#free++;
      this.#serve();
    };
  }

  #serve(): void {
    for (let next = this.#queue[0]; next !== undefined && next.wanted <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.wanted;
      next.go();
    }
  }
}
