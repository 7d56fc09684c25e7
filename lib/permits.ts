/**
 * A number of permits, given out first come, first served. One mechanism for every limit of the run: requests under
 * way, tags alive, and what must not overlap (taking all permits shuts everyone else out).
 */
export class Permits {
  readonly total: number;
  #free: number;
  readonly #queue: { readonly wanted: number; readonly go: () => void }[] = [];

  constructor(total: number) {
    this.total = total;
    this.#free = total;
  }

  /** Runs `work` with that many permits held; more than there are counts as all of them. */
  async use<T>(wanted: number, work: () => Promise<T>): Promise<T> {
    const held = Math.min(wanted, this.total);
    await this.#take(held);
    try {
      return await work();
    } finally {
      this.#free += held;
      this.#serve();
    }
  }

  #take(wanted: number): Promise<void> {
    return new Promise((go) => {
      this.#queue.push({ wanted, go });
      this.#serve();
    });
  }

  #serve(): void {
    for (let next = this.#queue[0]; next !== undefined && next.wanted <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.wanted;
      next.go();
    }
  }
}
