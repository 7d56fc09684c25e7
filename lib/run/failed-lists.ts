import type { Account } from '../account/account.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Listener } from '../http/listener.ts';
import { isServerError } from '../http/retryable.ts';
import { quote, whatCame } from '../http/wording.ts';
import { ifDecided } from '../outcome.ts';
import { listedIn } from '../spec/reading.ts';
import { filterIn, filterQuery } from '../spec/requests.ts';
import type { Session } from './session.ts';

/** The most filters that are asked again. */
const MOST_FILTERS = 3;

/** How often a list must fail in a row, each time alone. */
const TIMES = 3;

/** Filters of printable ASCII characters, which no part of a server has a reason to refuse. */
const PLAIN = /^[\x20-\x7e]{1,255}$/;

/** Keeps plain filters of well-formed lists that failed. */
export class FailedLists implements Listener {
  readonly #filters = new Set<string>();

  heard(exchange: Exchange): void {
    const { operation, path, regular } = exchange.ask;
    if (operation !== 'list' || !regular || !isServerError(exchange)) return;
    const [, query] = path.split('?');
    const filter = filterIn(query);
    if (filter !== undefined && PLAIN.test(filter)) this.#filters.add(filter);
  }

  /** The first of these filters. */
  get filters(): readonly string[] {
    return [...this.#filters].slice(0, MOST_FILTERS);
  }
}

/**
 * Asks each of the filters again. Records a sign if one fails each time although the list without a filter can be read: then
 * neither the load nor the time is the reason.
 */
export async function noteFailedLists(
  { accounts, signs }: Pick<Session, 'accounts' | 'signs'>,
  filters: readonly string[],
): Promise<void> {
  for (const filter of filters)
    for (const account of accounts) {
      const failed = await failedAgain(account, filter);
      const last = failed.at(-1);
      if (last === undefined || failed.length < TIMES) continue;
      const whole = await ifDecided(() => account.list());
      if (whole === undefined || listedIn(whole) === undefined) return;
      signs.record(
        'list-failed',
        `the list with the filter ${quote(filter)}, ${whatItIs(account, filter)}, ${whatCame(last)} each of ${TIMES} times, while the list without a filter can be read`,
        last,
        whole,
      );
      return;
    }
}

function whatItIs({ tags }: Account, filter: string): string {
  const tag = tags.named(filter);
  if (tag === undefined)
    return tags.withId(filter) === undefined ? 'which is the name of no tag' : 'which is the tag_id of a tag';
  if (tag.state === 'removed') return 'which is the name of a deleted tag';
  return tag.name === filter ? 'which is the name of a tag' : 'which is the former name of a tag';
}

/** The lists with this filter that fail, until one does not. */
async function failedAgain(account: Account, filter: string): Promise<readonly Exchange[]> {
  const failed: Exchange[] = [];
  while (failed.length < TIMES) {
    const list = await ifDecided(() => account.list(filterQuery(filter)));
    if (list === undefined || !isServerError(list)) break;
    failed.push(list);
  }
  return failed;
}
