import type { Ask, Exchange } from './exchange.ts';

/** Is told of every exchange of a run, in the order in which they ended. */
export interface Listener {
  heard(exchange: Exchange): void;
  /** The answer was due to something that has been mended since, such as an ended token. */
  retracted(exchange: Exchange): void;
  /**
   * The target deferred the request, which is sent again.
   *
   * @param delayMs how long the run waits for that.
   */
  deferred(exchange: Exchange, delayMs: number): void;
}

/** Is told of every request on the wire, those included that the client sends by itself. */
export interface Witness {
  /** A request goes out. */
  sent(number: number, ask: Ask, startedAt: number): void;
  /** It has come to its end. */
  ended(exchange: Exchange): void;
}
