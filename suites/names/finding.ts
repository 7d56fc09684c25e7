import {
  accepted,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  learn,
  listedIn,
  type Outcome,
  quote,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { pagination } from '../open/lists.ts';
import { isFormOf, tellDifference } from './keeping.ts';
import { isOthers } from './refusing.ts';
import { queryable } from './sizes.ts';
import { shown, told } from './wording.ts';

/**
 * Whether a tag is listed under a faithful form of the name that it was given, and found by that.
 *
 * @param exchange the create or update that gave it.
 */
export async function found(
  target: Target,
  exchange: Exchange,
  given: {
    readonly tagId: string;
    readonly name: string;
    /** The name in the answer, where that shows one. */
    readonly answered?: unknown;
    readonly formerly?: string;
  },
): Promise<{ readonly outcome: Outcome; readonly kept?: string }> {
  const { tagId, name, answered, formerly } = given;
  const what = exchange.ask.operation === 'rename' ? 'update' : 'create';
  const isIt = (entry: { tagId: string; name: unknown }): boolean =>
    entry.tagId === tagId && entry.name !== formerly;
  const names = queryable(name, answered);
  const look = (...filters: readonly string[]) => target.lookUp(tagId, ...filters);
  let { seen } = await target.until(
    () => look(...names),
    ({ entries }) => entries.some(isIt),
    // Newer tags may have pushed it off its page for a while.
    { late: names.length > 0 ? 'recorded' : 'ignored' },
  );
  let entry = seen.entries.find(isIt);
  const isFiltered = entry !== undefined && seen.exchanges.length === names.length && names.length > 0;
  if (entry === undefined && !seen.entries.some((one) => one.tagId === tagId)) {
    // Where lists are paged, and the filter takes the name as it is kept, in a form that no answer tells.
    const forms = queryable(...formsOf(name)).filter((form) => !names.includes(form));
    seen = forms.length === 0 ? seen : await look(...forms);
    entry = seen.entries.find(isIt);
  }
  if (entry === undefined) {
    const stays = seen.entries.find((one) => one.tagId === tagId);
    // What fits into no query shows in a whole list alone.
    if (stays === undefined && names.length === 0 && typeof answered === 'string')
      return { outcome: faithful(name, answered, exchange), kept: answered };
    if (stays === undefined && names.length === 0 && (await learn(target, pagination)) !== 'none')
      return { outcome: holds() };
    const but = stays === undefined ? 'no list shows the tag' : 'the tag is listed under its former name';
    return {
      outcome: broken(
        `the ${what} with ${told(name)} ${whatCame(exchange)}, but ${but}`,
        exchange,
        ...seen.exchanges,
      ),
    };
  }
  const kept = entry.name;
  const outcome = faithful(name, kept, exchange, ...seen.exchanges);
  if (outcome.kind !== 'holds' || typeof kept !== 'string') return { outcome };
  if (answered !== undefined && answered !== kept)
    return {
      outcome: broken(
        `the create with ${told(name)} answered the name ${quote(answered)}, but the list shows ${quote(kept)}`,
        exchange,
        ...seen.exchanges,
      ),
    };
  if (isFiltered) return { outcome, kept };
  return { outcome: await foundBy(target, exchange, tagId, kept), kept };
}

/** Whether the filter by the name that a tag is kept under lets it through. */
async function foundBy(target: Target, exchange: Exchange, tagId: string, kept: string): Promise<Outcome> {
  const filters = queryable(kept, kept.trim());
  if (filters.length === 0) return holds();
  const { seen, good } = await target.until(
    async () => {
      const exchanges = await Promise.all(filters.map((filter) => target.list(filter)));
      return { exchanges };
    },
    ({ exchanges }) =>
      exchanges.some((list) => listedIn(list)?.some((entry) => entry.tagId === tagId) === true),
  );
  if (good) return holds();
  const refused = seen.exchanges.find((list) => !accepted(list));
  if (refused !== undefined && isOthers(refused, [400, 403, 406]))
    return holdsWithWarning(`the filter by ${told(kept)} ${whatCame(refused)}, with no JSON`, refused);
  const how = refused === undefined ? 'leaves it out' : whatCame(refused);
  return broken(
    `the tag with ${told(kept)} exists, but the filter by just that name ${how}`,
    exchange,
    ...seen.exchanges,
  );
}

function faithful(name: string, kept: unknown, exchange: Exchange, ...looks: readonly Exchange[]): Outcome {
  if (typeof kept === 'string' && isFormOf(kept, name)) return holds();
  const difference = typeof kept === 'string' ? `: ${tellDifference(name, kept)}` : '';
  const what = exchange.ask.operation === 'rename' ? 'update' : 'create';
  return broken(
    `the ${what} with ${told(name)} ${whatCame(exchange)}, but the name became ${shown(kept)}${difference}`,
    exchange,
    ...looks,
  );
}

/** Forms in which a target may keep a name. */
const formsOf = (name: string): string[] => {
  const tidy = name
    .replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const normal = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).flatMap((form) => [
    name.normalize(form),
    tidy.normalize(form),
  ]);
  return [
    name.trim(),
    tidy,
    ...normal,
    ...[name, tidy].flatMap((one) => [one.toLowerCase(), one.toUpperCase()]),
  ];
};
