import type { Ask, Exchange } from './exchange.ts';

/** Is told what happens on the wire, and what becomes of it in the run. Each listener takes what concerns it. */
export interface Listener {
  /** A request goes out, be it one that the client sends by itself. */
  sent?(number: number, ask: Ask, startedAt: number): void;
  /** That request has come to its end. */
  ended?(exchange: Exchange): void;
  /** The result of a request counts for the run: it is no deferral, and no connection that was closed by chance. */
  heard?(exchange: Exchange): void;
  /** An answer that was heard was due to something that has been mended since, such as an ended token. */
  retracted?(exchange: Exchange): void;
  /**
   * The target deferred the request, which is sent again.
   *
   * @param delayMs how long the run waits for that.
   */
  deferred?(exchange: Exchange, delayMs: number): void;
}
