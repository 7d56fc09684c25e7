import type { Answer, Failure } from './exchange.ts';

/** Ends the waiting for answers to all requests under way. */
export class CutOff {
  readonly #waiting = new Set<(failure: Failure) => void>();

  /** Waits for an answer, unless it is cut off. */
  async wait(answer: Promise<Answer | Failure>): Promise<Answer | Failure> {
    let give: (failure: Failure) => void = () => undefined;
    const ended = new Promise<Failure>((resolve) => (give = resolve));
    this.#waiting.add(give);
    const came = await Promise.race([answer, ended]);
    this.#waiting.delete(give);
    return came;
  }

  now(): void {
    for (const give of this.#waiting)
      give({ kind: 'timeout', message: 'the run ended before an answer came' });
  }
}
