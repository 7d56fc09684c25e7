import { accepted, type Exchange, statusOf } from '../lib/check.ts';
import { isFromIntermediary } from './names/refused-name.ts';

/** 422 and 409 refuse a name as invalid or as taken. The other statuses are no answer to the request. */
const REFUSALS: readonly number[] = [422, 409, 0, 429, 503];

/** Whether a create or an update is answered 200, or refused with 422 or in its place. */
export const isLawful = (exchange: Exchange): boolean =>
  accepted(exchange) || REFUSALS.includes(statusOf(exchange)) || isFromIntermediary(exchange);

/** How often a request that is answered with an error of the server is sent again. */
const ATTEMPTS = 3;

/** Sends a request, and again after an error of the server, which may be one of the moment. */
export async function despiteErrors(send: () => Promise<Exchange>): Promise<Exchange> {
  let exchange = await send();
  for (let again = 0; statusOf(exchange) >= 500 && again < ATTEMPTS; again++) exchange = await send();
  return exchange;
}
