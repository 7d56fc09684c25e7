import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import { ifDecided } from '../outcome.ts';
import { REFUSALS } from './token-life.ts';

/** How often a list without a token is sent again that the target does not answer. */
const MOST_IN_VAIN = 3;

/**
 * Tells answers that may refuse a token from others. The specification leaves the form of that refusal open (5), so an answer
 * that is like the one to a request without a token may refuse it, too.
 */
export class TokenRefusal {
  readonly #list: () => Promise<Exchange>;
  readonly #hasContentType: () => boolean;
  /** A list without a token, for comparison, and whether it had a Content-Type. It is sent once in a run. */
  #withoutToken: { readonly list: Promise<Exchange>; readonly hadContentType: boolean } | undefined;
  /** How often the target did not answer that list. */
  #inVain = 0;

  /**
   * @param list sends a list without a token.
   * @param hasContentType whether lists are sent with a Content-Type now.
   */
  constructor(list: () => Promise<Exchange>, hasContentType: () => boolean) {
    this.#list = list;
    this.#hasContentType = hasContentType;
  }

  /** Whether an answer may refuse the token. */
  async mayBe(exchange: Exchange): Promise<boolean> {
    if (exchange.answer === undefined) return false;
    const status = statusOf(exchange);
    if (REFUSALS.has(status)) return true;
    const without = await this.#listWithoutToken();
    // How this target refuses tokens is unknown. Another request with the token decides.
    if (without === undefined) return !accepted(exchange);
    if (status !== statusOf(without)) return false;
    const isSuccess = status >= 200 && status < 300;
    return (
      !isSuccess || Buffer.compare(exchange.answer.bytes, without.answer?.bytes ?? Buffer.alloc(0)) === 0
    );
  }

  /** Undefined if the target cannot answer it now: the next call sends it again, a few times in a run. */
  async #listWithoutToken(): Promise<Exchange | undefined> {
    const hadContentType = this.#hasContentType();
    // If the target refuses Content-Type on lists, the first answer may have been about that, not about the token.
    if (this.#withoutToken?.hadContentType !== hadContentType)
      this.#withoutToken = { list: this.#list(), hadContentType };
    const asked = this.#withoutToken;
    const exchange = await ifDecided(() => asked.list);
    if (exchange?.answer !== undefined && statusOf(exchange) !== 503) return exchange;
    if (this.#withoutToken === asked && this.#inVain++ < MOST_IN_VAIN) this.#withoutToken = undefined;
    return undefined;
  }
}
