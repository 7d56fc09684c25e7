import { header, type Exchange } from '../http/exchange.ts';
import type { Listener } from '../http/listener.ts';

/** The difference between the clock of the target and ours. */
interface ClockDifference {
  /** By how many milliseconds the target is ahead; negative if it is behind. */
  readonly aheadMs: number;
  /** The most that `aheadMs` may be wrong, in milliseconds. */
  readonly withinMs: number;
}

/** The Date field has a resolution of one second (RFC 9110, 6.6.1). */
const RESOLUTION_MS = 1_000;

/** Facts about the target from the headers of its answers. */
export class TargetFacts implements Listener {
  readonly #servers = new Set<string>();
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;

  ended({ answer, startedAt, durationMs }: Exchange): void {
    if (answer === undefined) return;
    const server = header(answer, 'server');
    if (server !== undefined) this.#servers.add(server);
    const date = Date.parse(header(answer, 'date') ?? '');
    // An answer from a cache has the Date at which the cache stored it.
    if (Number.isNaN(date) || header(answer, 'age') !== undefined) return;
    const sentAt = performance.timeOrigin + startedAt;
    const least = Math.max(this.#least, date - (sentAt + durationMs));
    const most = Math.min(this.#most, date + RESOLUTION_MS - sentAt);
    // Several machines with different clocks may answer: the first one counts.
    if (least <= most) [this.#least, this.#most] = [least, most];
  }

  /** Every value of the Server field, in the order of its first appearance. */
  get servers(): readonly string[] {
    return [...this.#servers];
  }

  /** Undefined if no answer had a Date. */
  get clock(): ClockDifference | undefined {
    if (!Number.isFinite(this.#least)) return undefined;
    return {
      // Adding 0 turns -0, which JSON does not have, into 0.
      aheadMs: Math.round((this.#least + this.#most) / 2) + 0,
      withinMs: Math.ceil((this.#most - this.#least) / 2),
    };
  }
}
