import { type Exchange, type Listed, listedIn, type Lookup, type Target } from '../lib/check.ts';

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
