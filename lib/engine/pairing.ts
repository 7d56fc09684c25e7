import type { Exchange } from '../http/exchange.ts';

/** A refusal beside its twin: the same request without the one defect, which the target accepted. */
export interface Pair {
  readonly accepted: Exchange;
  readonly refused: Exchange;
}
