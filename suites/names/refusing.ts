import {
  accepted,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  jsonOf,
  learn,
  listedIn,
  type Outcome,
  PLAIN_LETTERS,
  quote,
  statusOf,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { longestName, mostCharacters } from '../open/name-length.ts';
import { hasLargeBody, queryable } from './sizes.ts';
import { told } from './wording.ts';

/** Whether a name is accepted, or refused as the specification says. */
export function acceptedOr422(exchange: Exchange, name: string, what: string): Outcome {
  if (accepted(exchange) || statusOf(exchange) === 422) return holds();
  if (statusOf(exchange) === 413 && hasLargeBody(exchange)) return holds();
  const why = `the ${what} with ${told(name)} ${whatCame(exchange)}, neither accepted nor 422`;
  return isOthers(exchange, [403, 406]) ? holdsWithWarning(why, exchange) : broken(why, exchange);
}

/** A page in place of JSON is the answer of something that stands before the server. */
export const isOthers = (exchange: Exchange, statuses: readonly number[]): boolean =>
  statuses.includes(statusOf(exchange)) && jsonOf(exchange) === undefined;

/** Whether a refused create left a tag behind, under its name or a part of it. */
export async function leftBehind(target: Target, create: Exchange, name: string): Promise<Outcome> {
  // Those behind the whole list are for where that is a page, and the filter takes whole names or parts of them.
  const whole = await target.list();
  const most = await longest(target);
  const filters = queryable(name.slice(0, PLAIN_LETTERS), name.slice(0, most));
  const lists = [whole, ...(await Promise.all(filters.map((filter) => target.list(filter))))];
  const left = lists
    .flatMap((list) => listedIn(list) ?? [])
    .find((tag) => typeof tag.name === 'string' && startsAs(tag.name, name));
  return left === undefined
    ? holds()
    : broken(
        `the create with ${told(name)} ${whatCame(create)}, yet a tag named ${quote(left.name)} is listed`,
        create,
        ...lists,
      );
}

/** The first letters of a name are the run's own, so that a cut one is told from a stranger's. */
const startsAs = (name: string, given: string): boolean =>
  name === given ||
  (/^[a-z]{16}/.test(given) && name.toLowerCase().startsWith(given.slice(0, PLAIN_LETTERS)));

/** To how many characters the target could have cut a name that it refuses. */
export async function longest(target: Target): Promise<number | undefined> {
  try {
    return mostCharacters(await learn(target, longestName));
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}
