import { PLAIN_LETTERS } from '../account/names.ts';
import type { Sign, Signs } from '../account/signs.ts';
import { accepted, statusOf, type Ask, type Exchange } from '../http/exchange.ts';
import type { Listener } from '../http/listener.ts';
import { whatCame } from '../http/wording.ts';
import { nameOf } from '../spec/operations.ts';

/** So many errors may be due to chance, as when the target is restarted. */
const MOST_BY_CHANCE = 2;

/** Matches the path of a list without a filter, or with one of letters. */
const PLAIN_LIST = /^[^?]*(?:\?\w+=[a-z]+)?$/i;

/** Matches the body of a create or an update with a plain name. */
const PLAIN_BODY = new RegExp(`^{"name":"[a-z]{${PLAIN_LETTERS}}"}$`);

const plainBodyIn = ({ body }: Ask): string | undefined =>
  typeof body === 'string' && PLAIN_BODY.test(body) ? body : undefined;

/**
 * Notices plain requests that are answered 500 now and then although no other request of the run is under way. Most checks send such a
 * request again, so their findings do not tell of it.
 */
export class SporadicErrors implements Listener {
  /** Errors, and whether a later answer has shown that such a request can be accepted. */
  #errors: readonly { readonly exchange: Exchange; readonly isSporadic: boolean }[] = [];
  /** The paths of accepted lists. */
  readonly #listed = new Set<string>();
  /** The plain bodies of creates and updates. */
  readonly #sent = new Set<string>();
  /** Whether a request was accepted after the last error: errors in a row have one reason. */
  #hasRecovered = true;
  /** A request that timed out may still keep the target busy. */
  #hasTimedOut = false;

  ended({ failure }: Exchange): void {
    this.#hasTimedOut ||= failure?.kind === 'timeout';
  }

  heard(exchange: Exchange): void {
    const { ask } = exchange;
    if (accepted(exchange)) this.#learnFrom(ask);
    else if (this.#isError(exchange) && this.#isPlain(ask)) {
      if (this.#hasRecovered) this.#errors = [...this.#errors, { exchange, isSporadic: false }];
      this.#hasRecovered = false;
    }
    const body = plainBodyIn(ask);
    if (body !== undefined) this.#sent.add(body);
  }

  /** Records the sporadic errors as signs, if there were too many to be due to chance. */
  conclude(signs: Signs): void {
    const sporadic = this.#errors.filter(({ isSporadic }) => isSporadic);
    if (sporadic.length <= MOST_BY_CHANCE) return;
    for (const { exchange } of sporadic)
      signs.record(
        signOf(exchange.ask),
        `a plain ${nameOf(exchange.ask.operation)} ${whatCame(exchange)} although no other request of the run was under way, and such requests were accepted before and after`,
        exchange,
      );
  }

  #learnFrom(ask: Ask): void {
    this.#hasRecovered = true;
    if (!ask.regular) return;
    if (ask.operation === 'list') this.#listed.add(ask.path);
    this.#errors = this.#errors.map(({ exchange, isSporadic }) => ({
      exchange,
      isSporadic: isSporadic || showsSporadic(ask, exchange.ask),
    }));
  }

  /** Whether nothing but the request itself explains a server error. */
  #isError(exchange: Exchange): boolean {
    const { beside = 0, inOutage } = exchange;
    return statusOf(exchange) === 500 && beside === 0 && inOutage !== true && !this.#hasTimedOut;
  }

  /** Whether a request should be accepted, if its tag exists. A name that was sent before may be taken. */
  #isPlain(ask: Ask): boolean {
    const { regular, operation, path } = ask;
    if (!regular) return false;
    if (operation === 'list') return PLAIN_LIST.test(path) && this.#listed.has(path);
    if (operation === 'delete') return true;
    const body = plainBodyIn(ask);
    return body !== undefined && !this.#sent.has(body);
  }
}

/** Whether an accepted request shows that an earlier one could have been accepted. A deleted tag could have been updated. */
function showsSporadic(later: Ask, { operation, path }: Ask): boolean {
  if (operation === 'rename' || operation === 'delete') return later.path === path;
  return later.operation === operation && (operation === 'create' || later.path === path);
}

function signOf({ operation, path }: Ask): Sign {
  if (operation === 'list') return path.includes('?') ? 'filter-error' : 'list-error';
  if (operation === 'create') return 'create-error';
  return operation === 'rename' ? 'update-error' : 'delete-error';
}
