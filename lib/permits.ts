/**
 * A counting semaphore with a first-in, first-out queue. It keeps every limit of the run: requests in flight, tags alive,
 * and work that must not overlap, which takes all permits.
 */
export class Permits {
  readonly total: number;
  #free: number;
  readonly #queue: { readonly wanted: number; readonly urgent: boolean; readonly go: () => void }[] = [];

  constructor(total: number) {
    this.total = total;
    this.#free = total;
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
    const held = Math.min(wanted, this.total);
    await new Promise<void>((go) => {
      const before = urgent ? this.#queue.findIndex((other) => !other.urgent) : -1;
      this.#queue.splice(before < 0 ? this.#queue.length : before, 0, { wanted: held, urgent, go });
      this.#serve();
    });
    return () => {
      this.#free += held;
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
