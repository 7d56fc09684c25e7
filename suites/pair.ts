import {
  accepted,
  broken,
  type Exchange,
  type Outcome,
  statusOf,
  undecided,
  Undecided,
  whatCame,
} from '../lib/check.ts';

/** A refused request beside its twin: the same request without the one defect, which the target accepted. */
export interface Pair {
  readonly accepted: Exchange;
  readonly refused: Exchange;
}

/**
 * Sends a request that has to be refused together with its twin: the same request without the defect.
 *
 * @param asks.again sends another twin after an error of the server, if the first one may have been sent long before: the
 * server may answer every request with that error by now.
 * @throws Undecided if the twin is refused as well: then the refusal has another reason.
 */
export async function sendPair(asks: {
  readonly accepted: () => Exchange | Promise<Exchange>;
  readonly refused: () => Promise<Exchange>;
  readonly again?: () => Promise<Exchange>;
}): Promise<Pair> {
  const [first, refused] = await Promise.all([asks.accepted(), asks.refused()]);
  const twin = statusOf(refused) >= 500 && accepted(first) ? ((await asks.again?.()) ?? first) : first;
  if (accepted(twin)) return { accepted: twin, refused };
  const why = `the same request without the defect ${whatCame(twin)}, so that a refusal proves nothing`;
  throw new Undecided('failure', why, twin, refused);
}

/**
 * The outcome if a request that has to be refused got no answer. A server answers each request (RFC 9110, 3.3), so a closed
 * connection is no refusal; the run itself discounts connections that were closed by chance. A time-out decides nothing:
 * some servers let a client with wrong credentials wait.
 */
export const unrefused = (why: string, exchange: Exchange, ...others: readonly Exchange[]): Outcome =>
  exchange.failure?.kind === 'closed'
    ? broken(why, exchange, ...others)
    : undecided('failure', why, exchange, ...others);
