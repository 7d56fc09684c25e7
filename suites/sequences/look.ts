import { createdIn, type Exchange, quote, type Tag, type Target } from '../../lib/check.ts';
import { shows, tagsIn } from '../listed-tags.ts';
import { compare, type Account } from './model.ts';

/** What is wrong with a list, as a clause, and the exchanges that show it. */
export interface ListFault {
  readonly fault: string;
  readonly exchanges: readonly Exchange[];
  /** If the fault is that the filter shows a tag with another name: that tag and the filter. */
  readonly otherName?: OtherName;
}

interface OtherName {
  readonly filter: string;
  readonly tag: Tag;
}

/** The runs, by their names, on whose target the filter also shows tags with similar names. */
const looseFilters = new WeakSet<Target['names']>();

/**
 * Repeats the list until it agrees with the model, or until the settle time has passed.
 *
 * @param names all names of the case.
 * @param filter the name by which the list is filtered.
 * @returns undefined if the list agrees.
 */
export async function faultInList(
  target: Target,
  account: Account,
  names: ReadonlySet<string>,
  filter?: string,
): Promise<ListFault | undefined> {
  const isLoose = looseFilters.has(target.names);
  const { seen } = await target.until(
    () => look(target, account, names, filter),
    ({ fault, otherName }) => fault === undefined || (isLoose && otherName !== undefined),
  );
  const { fault, exchanges, otherName } = seen;
  if (fault === undefined) return undefined;
  if (otherName !== undefined && (await isLooseFilter(target, account))) return undefined;
  const list = filter === undefined ? 'the list' : `the filter by ${quote(filter)}`;
  return { fault: `${list} ${fault}`, exchanges, ...(otherName === undefined ? {} : { otherName }) };
}

/** A list without a fault has none. */
type Look = Omit<ListFault, 'fault'> & Partial<Pick<ListFault, 'fault'>>;

async function look(
  target: Target,
  account: Account,
  names: ReadonlySet<string>,
  filter: string | undefined,
): Promise<Look> {
  const list = await target.list(filter);
  const shown = tagsIn(list);
  const { fault, missing } = compare(account, shown, names, filter);
  if (fault !== undefined) return { fault, exchanges: [list] };
  // If the list is paged, a missing tag may be on another page. Then the filter finds it.
  const mayBePage = shown.length >= target.facts.wholeLength;
  const filtered =
    filter === undefined ? await Promise.all(missing.map(({ name }) => target.list(name))) : [];
  const lost = missing.find(({ tagId }, at) => {
    const found = filtered[at];
    return !mayBePage || found === undefined || !tagsIn(found).some((tag) => tag.tagId === tagId);
  });
  if (lost !== undefined)
    return { fault: `leaves out the tag named ${quote(lost.name)}`, exchanges: [list, ...filtered] };
  const other = shown.find(
    ({ tagId, name }) =>
      account.tags.has(tagId) && filter !== undefined && name !== filter && !isAlike(String(name), filter),
  );
  if (other === undefined || filter === undefined) return { exchanges: [] };
  const name = String(other.name);
  return {
    fault: `shows the tag named ${quote(name)}`,
    otherName: { filter, tag: { tagId: other.tagId, name } },
    exchanges: [list],
  };
}

/**
 * Whether the filter also finds a new tag of that name. Then the name matches the filter in a way that the specification leaves
 * open (4.4), such as by its sound, and the history of the tag plays no part. Deletes the tag, whose name may have to be unique.
 */
export async function isMatch(target: Target, { filter, tag }: OtherName): Promise<boolean> {
  await target.delete(tag.tagId);
  const twin = createdIn(await target.create({ name: tag.name }, { open: true }));
  // The name of a deleted tag may stay taken, so that nothing shows whether the filter finds it.
  const matches =
    twin === undefined ||
    ((await target.untilListed(twin.tagId, tag.name)).good && shows(await target.list(filter), twin));
  if (matches) looseFilters.add(target.names);
  return matches;
}

/** Filters by similarity compare pairs of letters. A name may share as many with a filter by chance. */
const PAIRS_OF_ALIKE = 1 / 4;

/**
 * Whether a filter by similarity may show a name by chance: the name shares many of the filter's pairs of letters, or has
 * all its letters in any order.
 */
export function isAlike(name: string, filter: string): boolean {
  const [own, sought] = [pairsOf(name), pairsOf(filter)];
  const shared = [...sought].filter((pair) => own.has(pair)).length;
  return shared >= sought.size * PAIRS_OF_ALIKE || hasLettersOf(filter, name);
}

const hasLettersOf = (filter: string, name: string): boolean =>
  [...filter.toLowerCase()].every((letter) => name.toLowerCase().includes(letter));

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2).toLowerCase()));

/** Whether the filter also shows tags with similar names. How it matches is open (4.4). */
async function isLooseFilter(target: Target, account: Account): Promise<boolean> {
  if (looseFilters.has(target.names)) return true;
  const shown = tagsIn(await target.list(target.name()));
  const isLoose = shown.some(({ tagId }) => account.tags.has(tagId));
  if (isLoose) looseFilters.add(target.names);
  return isLoose;
}
