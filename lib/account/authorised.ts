import type { Client } from '../http/client.ts';
import { statusOf, type Exchange, type HeaderLine } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import type { TagOperation } from '../spec/operations.ts';
import { listedIn } from '../spec/reading.ts';
import { ask, filterQuery, pathOf, type RequestOverrides } from '../spec/requests.ts';
import type { Logins } from './logins.ts';
import type { Names } from './names.ts';

/**
 * Whether a request without a body carries Content-Type. Section 5 demands it; some frameworks answer 400 to it.
 */
export interface ContentType {
  list: boolean;
  delete: boolean;
}

/** Sends tag operations with the token of an account, and replaces that token when it has ended. */
export class Authorised {
  readonly #client: Client;
  readonly #logins: Logins;
  readonly #names: Names;
  readonly #extra: readonly HeaderLine[];
  readonly #contentType: ContentType;
  /** The answer to a request without a token, for comparison; asked once in a run. */
  #withoutToken: Promise<Exchange> | undefined;

  constructor(parts: {
    readonly client: Client;
    readonly logins: Logins;
    readonly names: Names;
    readonly extraHeaders: readonly HeaderLine[];
    readonly contentType: ContentType;
  }) {
    this.#client = parts.client;
    this.#logins = parts.logins;
    this.#names = parts.names;
    this.#extra = parts.extraHeaders;
    this.#contentType = parts.contentType;
  }

  /**
   * Sends an authorised, well-formed request, but for its overrides.
   *
   * @throws Undecided where the token has ended and no other one can be had.
   */
  async send(
    operation: TagOperation,
    path: string,
    body?: unknown,
    overrides?: RequestOverrides,
  ): Promise<Exchange> {
    const contentType = operation === 'list' || operation === 'delete' ? this.#contentType[operation] : true;
    const put = (token: Secret | undefined): Promise<Exchange> =>
      this.#client.send(ask(operation, path, { body, contentType, extra: this.#extra, token, overrides }));
    if (overrides?.token === 'none') return put(undefined);
    if (overrides?.token !== undefined) return put(overrides.token);
    let token = await this.#logins.token();
    let exchange = await put(token);
    for (let isNew = false; await this.#hasEnded(token, exchange); isNew = true) {
      // Only another login could have ended the new token: if there was none, the refusal has another reason.
      if (isNew && this.#logins.isUndisturbed(token)) {
        this.#logins.stopRenewing();
        return exchange;
      }
      const fresh = await this.#renewed(token, exchange);
      if (fresh === undefined) return exchange;
      const again = await put(fresh);
      this.#client.retract(exchange);
      [token, exchange] = [fresh, again];
    }
    return exchange;
  }

  /** Whether a token has ended: the answer looks like one to no token, and the token works nowhere else. */
  async #hasEnded(token: Secret, exchange: Exchange): Promise<boolean> {
    try {
      return (await this.#looksUnauthorised(exchange)) && !(await this.#works(token));
    } catch (error) {
      // The question could not be asked. The request itself was answered.
      if (error instanceof Undecided && !error.wasSent) return false;
      throw error;
    }
  }

  async #looksUnauthorised({ answer }: Exchange): Promise<boolean> {
    if (answer === undefined) return false;
    this.#withoutToken ??= this.send('list', pathOf.list(), undefined, { token: 'none' });
    const without = (await this.#withoutToken).answer;
    const isSame = answer.status === without?.status && Buffer.compare(answer.bytes, without.bytes) === 0;
    return isSame || answer.status === 401;
  }

  async #works(token: Secret): Promise<boolean> {
    const path = pathOf.list(filterQuery(this.#names.plain()));
    const list = await this.send('list', path, undefined, { token });
    return listedIn(list) !== undefined && !(await this.#looksUnauthorised(list));
  }

  /**
   * @throws Undecided where no other token can be had: then the answer to the ended one says nothing about the request.
   */
  async #renewed(ended: Secret, refusal: Exchange): Promise<Secret | undefined> {
    try {
      return await this.#logins.renew(ended);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      this.#client.retract(refusal);
      const because = error.outcome.kind === 'undecided' ? error.outcome.because : 'failure';
      const why = `the token has ended, and there is no other: ${error.message}`;
      throw new Undecided(because, why, refusal).afterSending();
    }
  }
}

/** Whether a request was refused with a 4xx status. */
export const isClientError = (exchange: Exchange): boolean =>
  statusOf(exchange) >= 400 && statusOf(exchange) < 500;
