import type { Exchange } from '../http/exchange.ts';

/** A list, and how it was requested. */
export interface Look {
  readonly exchange: Exchange;
  /** The name that it was filtered by; undefined without a filter. */
  readonly filter?: string | undefined;
  /** Whether it had no filter and is shorter than another list, so it is no page. */
  readonly isShort?: boolean;
  /** Whether it had no filter and is shorter than a list that is known to show all tags, so it has to show all as well. */
  readonly isWhole?: boolean;
  /** Whether lists are known to be pages, and it is as long as one: it may leave out tags. */
  readonly isPage?: boolean;
  /** When it was requested, by `performance.now()`. */
  readonly askedAt: number;
}
