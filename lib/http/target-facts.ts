import { header, type Exchange } from './exchange.ts';
import type { Listener } from './listener.ts';

/** How far the clock of the target is from ours. */
interface ClockDifference {
  /** By how many milliseconds the target is ahead; negative if it is behind. */
  readonly aheadMs: number;
  /** By how many milliseconds that may be wrong. */
  readonly withinMs: number;
}

/** The field Date counts whole seconds (RFC 9110, 6.6.1). */
const RESOLUTION_MS = 1_000;

/** What the answers of a run say about the target itself. */
export class TargetFacts implements Listener {
  readonly #servers = new Set<string>();
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  ended({ answer, startedAt, durationMs }: Exchange): void {
    if (answer === undefined) return;
    const server = header(answer, 'server');
    if (server !== undefined) this.#servers.add(server);
    const date = Date.parse(header(answer, 'date') ?? '');
    // A cache hands on the time at which it was given the answer.
    if (Number.isNaN(date) || header(answer, 'age') !== undefined) return;
    const sentAt = performance.timeOrigin + startedAt;
    const least = Math.max(this.#least, date - (sentAt + durationMs));
    const most = Math.min(this.#most, date + RESOLUTION_MS - sentAt);
    // Several machines with clocks of their own may answer: the first one counts.
    if (least <= most) [this.#least, this.#most] = [least, most];
  }

  /** Every value of the field Server, as sent, in the order in which they came. */
  get servers(): readonly string[] {
    return [...this.#servers];
  }

  /** Undefined if no answer had a Date. */
  get clock(): ClockDifference | undefined {
    if (!Number.isFinite(this.#least)) return undefined;
    return {
      // Adding 0 makes 0 of -0, which JSON does not know.
      aheadMs: Math.round((this.#least + this.#most) / 2) + 0,
      withinMs: Math.ceil((this.#most - this.#least) / 2),
    };
  }
}
