import { type Exchange, statusOf } from '../lib/check.ts';
import { isFromIntermediary } from './names/refused-name.ts';

/** 422 and 409 refuse a name as invalid or as taken. The other statuses say nothing about the name. */
const REFUSALS: readonly number[] = [422, 409, 0, 429, 503];

/** Whether a create or an update succeeded with 200, the only success of section 4, or its refusal is no fault. */
export const isLawful = (exchange: Exchange): boolean =>
  statusOf(exchange) === 200 || REFUSALS.includes(statusOf(exchange)) || isFromIntermediary(exchange);

/** The most times that a request is repeated after a 5xx. */
export const MOST_REPEATS = 3;

/** Sends a request, and repeats it after a 5xx, which may be temporary. */
export async function despiteErrors(send: () => Promise<Exchange>): Promise<Exchange> {
  let exchange = await send();
  for (let again = 0; statusOf(exchange) >= 500 && again < MOST_REPEATS; again++) exchange = await send();
  return exchange;
}
