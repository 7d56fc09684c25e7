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
 * Repeats the list until it is good, or until the settle time has passed.
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

/**
 * Sorts lists that are evidence: those that show such a tag come last, because a report shows the last one as proof.
 */
export function showingLast(lists: readonly Exchange[], isSuch: (tag: Listed) => boolean): Exchange[] {
  const isShown = (list: Exchange): boolean => listedIn(list)?.some(isSuch) === true;
  return [...lists.filter((list) => !isShown(list)), ...lists.filter(isShown)];
}

/** Letters that occur in no plain name: a filter by a plain name finds no name of these letters, and the other way round. */
export const OTHER_LETTERS = 'fkswxy';

/** A tag that a check may list but must not change: the one that the run keeps to its end, or a new one. */
export const tagToList = async (target: Target): Promise<Tag> => target.facts.keeper ?? target.makeTag();

/** Updates a tag, to a new name by default; undefined if that fails, because its name is then unknown. */
export async function updated(target: Target, { tagId }: Tag, given?: string): Promise<Tag | undefined> {
  const name = given ?? target.name();
  if (!accepted(await target.rename(tagId, { name }, given === undefined ? undefined : { open: true })))
    return undefined;
  const { good } = await target.untilListed(tagId, name);
  return good ? { tagId, name } : undefined;
}

/**
 * Makes a tag and updates it, if updates work.
 *
 * @param wanted the name of another account's tag. The specification leaves open whether this one may have it, too.
 */
export async function makeUpdatedTag(target: Target, wanted: string): Promise<Tag> {
  const made = await target.makeTag();
  const tag = (await updated(target, made, wanted)) ?? (await updated(target, made));
  if (tag !== undefined) return tag;
  // Another requirement reports updates that do not work.
  await target.removeTags();
  return target.makeTag();
}

/** An unfiltered list that shows all tags of the account. */
interface AllTags {
  readonly list: Exchange;
  readonly tags: readonly Listed[];
}

/** A list of fewer tags is not a page. */
const LEAST_PAGE = 2;

/**
 * Whether a list, filtered or not, may be a page that leaves out tags. The run does not always know whether lists are
 * paged, so any list as long as the longest one may be a page.
 */
export const mayBePage = (target: Target, list: Exchange): boolean =>
  (listedIn(list)?.length ?? 0) >= Math.max(LEAST_PAGE, target.facts.longestList);

/** Lists all tags; undefined if lists are long, cannot be read, or may be pages. */
export async function allTags(target: Target): Promise<AllTags | undefined> {
  const shown = await shownTags(target);
  return shown?.areAll === true ? shown : undefined;
}

/** Lists tags, and tells whether they are all tags of the account; undefined if lists are long or cannot be read. */
export async function shownTags(
  target: Target,
): Promise<(AllTags & { readonly areAll: boolean }) | undefined> {
  if (!target.facts.hasShortLists) return undefined;
  const list = await target.list();
  const tags = listedIn(list);
  if (tags === undefined) return undefined;
  // An empty list does not prove that a tag is gone.
  return { list, tags, areAll: tags.length > 0 && !mayBePage(target, list) };
}

/** What a list shows under a tag's tag_id and under these names. */
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

/** Looks a tag up once: in one list of all tags if possible, otherwise in the lists filtered by these names. */
export async function lookInAll(
  target: Target,
  tagId: string | undefined,
  ...names: readonly string[]
): Promise<Lookup> {
  const all = await allTags(target);
  return all === undefined ? target.lookUp(tagId, ...names) : lookIn(all, tagId, ...names);
}
