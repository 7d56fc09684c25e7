import {
  accepted,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  ifDecided,
  learn,
  type Outcome,
  quote,
  spec,
  statusOf,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { shows } from '../listed-tags.ts';
import { pagination } from '../open/lists.ts';
import { keepsCapitals, keptForm } from '../open/name-form.ts';
import { describeDifference, isFormOf } from './kept-form.ts';
import { isFromIntermediary } from './refused-name.ts';
import { queryable } from './sizes.ts';
import { describeKeptName, describeName } from './wording.ts';

/** A name that a create or an update gave to a tag. */
interface GivenName {
  readonly tagId: string;
  readonly name: string;
  /** The name in the answer, if the answer shows one. */
  readonly answered?: unknown;
  /** The name that an update replaced. */
  readonly formerly?: string;
  /** Forms in which the target is likely to keep the name. */
  readonly forms?: readonly string[];
}

/**
 * Checks that a tag is listed with a faithful form of the name that it was given, and that the filter by that form
 * finds it.
 *
 * @param exchange the create or update that gave the name.
 * @returns the outcome, and the form in which the name is kept, if the check found it.
 */
export async function checkStoredName(
  target: Target,
  exchange: Exchange,
  { tagId, name, answered, formerly, forms: known = [] }: GivenName,
): Promise<{ readonly outcome: Outcome; readonly kept?: string }> {
  const hasNewName = (entry: { tagId: string; name: unknown }): boolean =>
    entry.tagId === tagId && entry.name !== formerly;
  // The name as it was sent finds nothing where names are kept in another form and the filter heeds it.
  const [likeliest = name] = queryable(answered, ...target.names.inKeptCase(name), name);
  const filters = queryable(likeliest);
  const look = (...names: readonly string[]) => target.lookUp(tagId, ...names);
  let { seen } = await target.until(
    () => look(...filters),
    ({ entries }) => entries.some(hasNewName),
    // In an unfiltered list, newer tags may have pushed the tag off the page.
    { late: filters.length > 0 ? 'recorded' : 'ignored' },
  );
  let entry = seen.entries.find(hasNewName);
  const isFoundByFilter =
    entry !== undefined && seen.exchanges.length === filters.length && filters.length > 0;
  if (entry === undefined && !seen.entries.some((one) => one.tagId === tagId)) {
    // If lists are paged, the filter may need the form in which the name is kept, which no answer has shown yet.
    const forms = queryable(...known, ...target.names.likelyForms(name)).filter(
      (form) => !filters.includes(form),
    );
    seen = forms.length === 0 ? seen : await look(...forms);
    entry = seen.entries.find(hasNewName);
  }
  if (entry === undefined) {
    const isListed = seen.entries.some((one) => one.tagId === tagId);
    // A name that is too long for a query can be found only in a list of all tags.
    const isTooLong = (one: string): boolean => queryable(one).length === 0;
    if (!isListed && typeof answered === 'string' && isTooLong(answered))
      return { outcome: checkForm(name, answered, exchange), kept: answered };
    if (
      !isListed &&
      [name, ...target.names.likelyForms(name)].some(isTooLong) &&
      (await learn(target, pagination)) !== 'none'
    )
      return { outcome: holds() };
    const but = isListed ? 'the tag is listed under its former name' : 'no list shows the tag';
    return {
      outcome: broken(
        `the ${spec.nameOf(exchange.ask.operation)} with ${describeName(name)} ${whatCame(exchange)}, but ${but}`,
        exchange,
        ...seen.exchanges,
      ),
    };
  }
  const kept = entry.name;
  const outcome = checkForm(name, kept, exchange, ...seen.exchanges);
  const isKept = outcome.kind === 'holds' && typeof kept === 'string';
  const given = describeName(name);
  const isAnswerGood = isKept
    ? answered !== undefined
    : typeof answered === 'string' && isFormOf(answered, name);
  if (isAnswerGood && answered !== kept)
    return {
      outcome: broken(
        `the create with ${given} answered the name ${quote(answered)}, but the list shows ${describeKeptName(kept)}`,
        exchange,
        ...seen.exchanges,
      ),
    };
  if (!isKept) return { outcome };
  if (await changesCase(target, name, kept))
    return {
      outcome: broken(
        `the ${spec.nameOf(exchange.ask.operation)} with ${given} ${whatCame(exchange)}, but the name became ${describeKeptName(kept)}: its letter case changed, which other names keep`,
        exchange,
        ...seen.exchanges,
      ),
    };
  if (isFoundByFilter) return { outcome, kept };
  return { outcome: await checkFilter(target, exchange, tagId, kept), kept };
}

/** Checks that the filter finds a tag by the name under which it is listed. */
async function checkFilter(
  target: Target,
  exchange: Exchange,
  tagId: string,
  kept: string,
): Promise<Outcome> {
  const filters = queryable(kept, kept.trim());
  if (filters.length === 0) return holds();
  const { seen, good } = await target.until(
    async () => ({ exchanges: await Promise.all(filters.map((filter) => target.list(filter))) }),
    ({ exchanges }) => exchanges.some((list) => shows(list, { tagId })),
    { kind: 'found' },
  );
  if (good) return holds();
  const refused = seen.exchanges.find((list) => !accepted(list));
  if (refused !== undefined && (isFromIntermediary(refused, kept) || isPage400(refused)))
    return holdsWithWarning(`the filter by ${describeName(kept)} ${whatCame(refused)}`, refused);
  const how = refused === undefined ? 'leaves it out' : whatCame(refused);
  return broken(
    `the tag with ${describeName(kept)} exists, but the filter by that name ${how}`,
    exchange,
    ...seen.exchanges,
  );
}

/** Whether a name is kept in another letter case although the target does not keep all names in one. */
async function changesCase(target: Target, sent: string, kept: string): Promise<boolean> {
  const mayBeInAnotherCase = target.names.inKeptCase(sent).some((form) => form !== sent);
  if (isFormOf(kept, sent, { hasCase: true }) || mayBeInAnotherCase) return false;
  const forms = await ifDecided(() => learn(target, keptForm));
  // The question may have been answered without a capital letter, because the target refused the name with one.
  return forms?.every((form) => !form.endsWith(' case')) === true && (await keepsCapitals(target));
}

/** Some intermediaries answer 400 to a query that looks like an attack, without JSON. */
const isPage400 = (exchange: Exchange): boolean =>
  statusOf(exchange) === 400 && exchange.answer?.json.value === undefined;

/** Checks that a name is kept in a faithful form. */
function checkForm(name: string, kept: unknown, exchange: Exchange, ...looks: readonly Exchange[]): Outcome {
  if (typeof kept === 'string' && isFormOf(kept, name)) return holds();
  const difference = typeof kept === 'string' ? `: ${describeDifference(name, kept)}` : '';
  return broken(
    `the ${spec.nameOf(exchange.ask.operation)} with ${describeName(name)} ${whatCame(exchange)}, but the name became ${describeKeptName(kept)}${difference}`,
    exchange,
    ...looks,
  );
}
