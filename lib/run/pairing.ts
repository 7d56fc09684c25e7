import { accepted, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';

/** A refusal beside its twin: the same request without the one defect, which the target accepted. */
export interface Pair {
  readonly accepted: Exchange;
  readonly refused: Exchange;
}

/** How both are asked for. */
export interface Asks {
  readonly accepted: () => Exchange | Promise<Exchange>;
  readonly refused: () => Promise<Exchange>;
}

/** @throws Undecided where the request without the defect is refused as well. */
export async function pairOf(asks: Asks): Promise<Pair> {
  const [twin, refused] = await Promise.all([asks.accepted(), asks.refused()]);
  if (accepted(twin)) return { accepted: twin, refused };
  const why = `the same request without the defect ${whatCame(twin)}, so that a refusal proves nothing`;
  throw new Undecided('failure', why, twin, refused);
}
