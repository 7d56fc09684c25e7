import {
  accepted,
  type Exchange,
  type Listed,
  listedIn,
  type Lookup,
  type RequestOverrides,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../lib/check.ts';

/**
 * The tags that a list shows.
 *
 * @throws Undecided if the answer cannot be read as a list.
 */
export function tagsIn(list: Exchange): readonly Listed[] {
  const tags = listedIn(list);
  if (tags === undefined)
    throw new Undecided('failure', `the list ${whatCame(list)} and cannot be read`, list);
  return tags;
}

/** Whether a list shows a tag_id, with whatever name. */
export const shows = (list: Exchange, { tagId }: Pick<Tag, 'tagId'>): boolean =>
  listedIn(list)?.some((entry) => entry.tagId === tagId) === true;

/** Whether a list shows a tag_id with this name. */
export const showsNamed = (list: Exchange, { tagId, name }: Tag): boolean =>
  listedIn(list)?.some((entry) => entry.tagId === tagId && entry.name === name) === true;

/**
 * Lists the tags until a list is good, at most for the settle time.
 *
 * @returns the last list, and whether it is good.
 */
export async function listUntil(
  target: Target,
  isGood: (list: Exchange) => boolean,
  {
    filter,
    overrides,
    late = 'recorded',
  }: {
    readonly filter?: string;
    readonly overrides?: RequestOverrides;
    readonly late?: 'ignored' | 'recorded';
  },
): Promise<{ readonly list: Exchange; readonly good: boolean }> {
  const { seen, good } = await target.until(
    async () => {
      const list = await target.list(filter, overrides);
      return { list, exchanges: [list] };
    },
    ({ list }) => isGood(list),
    { late },
  );
  return { list: seen.list, good };
}

/** Lists as evidence: those that show such a tag come last, because the last list decides a finding about an effect. */
export function showingLast(lists: readonly Exchange[], isSuch: (tag: Listed) => boolean): Exchange[] {
  const isShown = (list: Exchange): boolean => listedIn(list)?.some(isSuch) === true;
  return [...lists.filter((list) => !isShown(list)), ...lists.filter(isShown)];
}

/** A tag to list: one that stays until the run ends, else a new one. It is neither updated nor deleted. */
export const tagToList = async (target: Target): Promise<Tag> => target.facts.keeper ?? target.makeTag();

/** Updates a tag. Returns undefined if that does not work: what it is named then is not known. */
export async function updated(target: Target, { tagId }: Tag): Promise<Tag | undefined> {
  const name = target.name();
  if (!accepted(await target.rename(tagId, { name }))) return undefined;
  const { good } = await target.untilListed(tagId, name);
  return good ? { tagId, name } : undefined;
}

/** Makes a tag that was updated, if updates work. */
export async function makeUpdatedTag(target: Target): Promise<Tag> {
  const tag = await updated(target, await target.makeTag());
  if (tag !== undefined) return tag;
  // Another requirement reports updates that do not work.
  await target.removeTags();
  return target.makeTag();
}

/** A list without a filter that shows all tags of the account. */
interface AllTags {
  readonly list: Exchange;
  readonly tags: readonly Listed[];
}

/** A list that holds fewer tags is no page. */
const LEAST_PAGE = 2;

/**
 * Whether a list, with or without a filter, may be a page that leaves out tags. Pages are not always known for such: a list
 * as long as the longest one may be a page.
 */
export const mayBePage = (target: Target, list: Exchange): boolean =>
  (listedIn(list)?.length ?? 0) >= Math.max(LEAST_PAGE, target.facts.longestList);

/** Lists all tags; undefined if lists are long, cannot be read, or may be pages. */
export async function allTags(target: Target): Promise<AllTags | undefined> {
  if (!target.facts.hasShortLists) return undefined;
  const list = await target.list();
  const tags = listedIn(list);
  // A list that shows no tag at all does not show that one is gone.
  const isWhole = tags !== undefined && tags.length > 0 && !mayBePage(target, list);
  return isWhole ? { list, tags } : undefined;
}

/** What the list shows of a tag, by its tag_id and by names. */
export const lookIn = (
  { list, tags }: AllTags,
  tagId: string | undefined,
  ...names: readonly string[]
): Lookup => ({
  entries: tags.filter(
    (tag) => tag.tagId === tagId || (typeof tag.name === 'string' && names.includes(tag.name)),
  ),
  exchanges: [list],
});

/** Looks a tag up once, in one list of all tags if there is one, else in the lists that its names filter. */
export async function lookInAll(
  target: Target,
  tagId: string | undefined,
  ...names: readonly string[]
): Promise<Lookup> {
  const all = await allTags(target);
  return all === undefined ? target.lookUp(tagId, ...names) : lookIn(all, tagId, ...names);
}
