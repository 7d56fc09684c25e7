/**
 * A number of permits, given out first come, first served. One mechanism for every limit of the run: requests under
 * way, tags alive, and what must not overlap (taking all permits shuts everyone else out).
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
   * Runs `work` with that many permits held; more than there are counts as all of them.
   *
   * @param urgent whether it comes before what is not.
   */
  async use<T>(wanted: number, work: () => Promise<T>, urgent = false): Promise<T> {
    const giveBack = await this.hold(wanted, urgent);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Waits for that many permits, or for all of them; returns what gives them back. */
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
