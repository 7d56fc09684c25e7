import {
  accepted,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  listedIn,
  type Outcome,
  type Target,
} from '../../lib/check.ts';
import { listUntil } from '../listed-tags.ts';

/** A list as short as this is no page. */
const NO_PAGE = 1;

/** Pages are seldom as short as this: a list that never changes may be so. */
const RARE_PAGE = 4;

/**
 * Whether a list that lacks a tag is a page of all tags: whether it keeps its size while tags are added, and, if it is
 * short, whether a filtered list has no more entries either.
 *
 * @param list an unfiltered list that lacks a tag.
 * @param why what is wrong if it is no page.
 * @param exchanges what shows that.
 */
export async function isPage(
  target: Target,
  list: Exchange,
  why: string,
  ...exchanges: readonly Exchange[]
): Promise<Outcome> {
  const size = sizeOf(list);
  for (let time = 0; time < 2; time++) {
    const { tagId } = await target.makeTag();
    // If creates do not clear a cache, updates may.
    await target.rename(tagId, { name: target.name() });
    if (sizeOf(await target.list()) !== size) return broken(why, ...exchanges);
  }
  if (size <= NO_PAGE) return broken(why, ...exchanges);
  if (size > RARE_PAGE) return holds();
  await target.removeTags();
  const filtered = await target.part(size + 1, (part) => filteredList(part, size + 1));
  const shown = sizeOf(filtered);
  if (shown === size) return holds();
  return shown > size
    ? broken(why, ...exchanges, filtered)
    : holdsWithWarning(`${why}, and the list keeps its size whatever is made`, ...exchanges);
}

/** A list with a filter that finds this many tags, unless the filter is exact and the target lets no two names be the same. */
async function filteredList(target: Target, tags: number): Promise<Exchange> {
  const { name } = await target.makeTag();
  for (let made = 1; made < tags; made++) {
    const twin = await target.create({ name });
    const longer = `${name}${String.fromCharCode('a'.charCodeAt(0) + made)}`;
    // Whether a list shows it is the question.
    if (!accepted(twin)) await target.create({ name: target.names.extended(longer, '') });
  }
  // A page leaves out tags for another reason than that they show late.
  const options = { filter: name, late: 'ignored' } as const;
  return (await listUntil(target, (list) => sizeOf(list) >= tags, options)).list;
}

const sizeOf = (list: Exchange): number => listedIn(list)?.length ?? 0;
