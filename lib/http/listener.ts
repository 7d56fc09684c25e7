import type { Ask, Exchange } from './exchange.ts';

/** Called for each event of the client. A listener implements the methods that it needs. */
export interface Listener {
  /** A request is sent, also one that the client sends by itself. */
  sent?(number: number, ask: Ask, startedAt: number): void;
  /** That request has ended, with an answer or without. */
  ended?(exchange: Exchange): void;
  /** The exchange counts for the run: it was not deferred, and is not repeated by the client. */
  heard?(exchange: Exchange): void;
  /** An exchange that was heard no longer counts: its answer had a reason that is gone by now, such as an ended token. */
  retracted?(exchange: Exchange): void;
  /**
   * The target deferred the request, which will be sent again.
   *
   * @param delayMs how long the run waits before that.
   */
  deferred?(exchange: Exchange, delayMs: number): void;
}
