import {
  accepted,
  broken,
  type Exchange,
  generated,
  holds,
  holdsWithWarning,
  listedIn,
  type Outcome,
  quote,
  statusOf,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { allTags } from '../listed-tags.ts';
import { longestAccepted } from '../open/name-length.ts';
import { hasLargeBody, queryable } from './sizes.ts';
import { describeName } from './wording.ts';

/** Some frameworks, such as Django and Tornado, answer 400 to a body that is larger than they permit, in bytes. */
const LARGE_BODY = 8 * 1_024;

/** Checks that a name is accepted, or refused as the specification says. */
export function acceptedOr422(exchange: Exchange, name: string, operation: string): Outcome {
  if (accepted(exchange) || statusOf(exchange) === 422) return holds();
  if (statusOf(exchange) === 413 && hasLargeBody(exchange)) return holds();
  if (statusOf(exchange) === 400 && hasLargeBody(exchange, LARGE_BODY)) return holds();
  const why = `the ${operation} with ${describeName(name)} ${whatCame(exchange)}, neither accepted nor 422`;
  return isFromIntermediary(exchange, name) || isOfQuota(exchange, name)
    ? holdsWithWarning(why, exchange)
    : broken(why, exchange);
}

/** Characters that firewalls look for: control characters, and those of HTML, SQL, shells, templates and paths. */
const LIKE_AN_ATTACK = /[\p{Cc}<>'"`;|&$%{}()\\]|--|\.\./u;

/**
 * Whether an intermediary, such as a firewall, probably takes the name for an attack. Some close the connection in place of an
 * answer.
 */
export const isFromIntermediary = (exchange: Exchange, name = ''): boolean =>
  [403, 406].includes(statusOf(exchange)) ||
  (exchange.failure?.kind === 'closed' && LIKE_AN_ATTACK.test(name));

/** Names of more characters, and bodies of more bytes, may be too much for a quota. */
const SHORT = { name: 100, body: 1_000 };

/** Whether an answer says that there is no room for the name: quotas are open, and may count the length of names (8). */
const isOfQuota = (exchange: Exchange, name: string): boolean =>
  [402, 507].includes(statusOf(exchange)) ||
  (statusOf(exchange) === 409 && name.length > SHORT.name) ||
  (statusOf(exchange) === 413 && hasLargeBody(exchange, SHORT.body));

/** Checks that a refused create made no tag, neither with its name nor with a part of it. */
export async function checkNothingCreated(target: Target, create: Exchange, name: string): Promise<Outcome> {
  const all = await allTags(target);
  const lists = all === undefined ? await listsThatMayShow(target, name) : [all.list];
  const left = lists
    .flatMap((list) => listedIn(list) ?? [])
    .find((tag) => typeof tag.name === 'string' && isNameOrItsPart(tag.name, name));
  const isStrangers =
    left !== undefined && target.names.isCommon(name) && !(await leavesAnother(target, name));
  return left === undefined || isStrangers
    ? holds()
    : broken(
        `the create with ${describeName(name)} ${whatCame(create)}, yet a tag named ${quote(left.name)} is listed`,
        create,
        ...lists,
      );
}

/** How often a further refused create must leave a tag behind if a stranger may have a tag of that name. */
const CONFIRMATIONS = 2;

/** Whether each further create of the name is refused, but leaves one more tag of that name. */
async function leavesAnother(target: Target, name: string): Promise<boolean> {
  const look = async () => (listedIn(await target.list(name)) ?? []).filter((tag) => tag.name === name);
  for (let time = 0; time < CONFIRMATIONS; time++) {
    const before = new Set((await look()).map(({ tagId }) => tagId));
    if (accepted(await target.create({ name }))) return false;
    if ((await look()).every(({ tagId }) => before.has(tagId))) return false;
  }
  return true;
}

/** The list, and the filters that may show the tag: lists may be paged, and a filter may match whole names or parts. */
async function listsThatMayShow(target: Target, name: string): Promise<readonly Exchange[]> {
  const whole = await target.list();
  const longest = await longestAccepted(target);
  const letters = generated.ownLettersIn(name) ?? name.slice(0, generated.plainLetters);
  const filters = queryable(letters, name.slice(0, longest));
  return [whole, ...(await Promise.all(filters.map((filter) => target.list(filter))))];
}

/**
 * Whether a listed name is the sent one or a part of it. The part must contain the letters that are unique to the run.
 */
function isNameOrItsPart(listed: string, sent: string): boolean {
  const letters = generated.ownLettersIn(sent);
  return listed === sent || (letters !== undefined && listed.toLowerCase().includes(letters.toLowerCase()));
}
