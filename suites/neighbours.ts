import {
  accepted,
  broken,
  type Exchange,
  holds,
  ifDecided,
  learn,
  type Listed,
  listedIn,
  type Outcome,
  quote,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { allTags, listUntil, mayBePage, shows } from './listed-tags.ts';
import { filterMatch } from './open/filter.ts';
import { isTaken } from './update/effect.ts';

/** The text with the case of every letter swapped. */
export const swappedCase = (text: string): string =>
  [...text].map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('');

/**
 * Makes a tag, and other tags that a careless target could confuse with it: an older one, whose name is the beginning
 * of its name; and, if the target allows them, younger ones whose names begin with its name, are the same, or are the
 * same in the other letter case.
 *
 * @param ends what is appended to the tag's name in the names that begin with it.
 */
export async function neighbours(
  target: Target,
  // A target may cut a name at a blank.
  ends: readonly string[] = [' z'],
): Promise<{ readonly tag: Tag; readonly others: readonly Tag[] }> {
  const start = target.name();
  const name = target.names.extended(start);
  const [older, tag] = await pairOf(target, start, name);
  const alikes: string[] = [];
  for (const alike of new Set([
    ...ends.map((end) => target.names.extended(name, end)),
    name,
    target.names.extended(swappedCase(name), ''),
  ])) {
    // A create whose answer was lost or is malformed may have made a tag as well, which counts against the room.
    if (target.facts.room > 0 && accepted(await target.create({ name: alike }))) alikes.push(alike);
  }
  // A filter by the beginning of all these names often finds all of them.
  const list = listedIn(await target.list(target.facts.hasShortLists ? undefined : start));
  const find = async (alike: string): Promise<Tag[]> => {
    const isOther = (entry: Listed): boolean =>
      entry.name === alike && entry.tagId !== tag.tagId && entry.tagId !== older.tagId;
    const one = list?.find(isOther) ?? (await target.lookUp(undefined, alike)).entries.find(isOther);
    return one === undefined ? [] : [{ tagId: one.tagId, name: alike }];
  };
  const made = (await Promise.all(alikes.map(find))).flat();
  const isShown = ({ tagId, name: own }: Tag): boolean =>
    list?.some((entry) => entry.tagId === tagId && entry.name === own) === true;
  const all = [older, ...made];
  const hidden = all.filter((other) => !isShown(other));
  return { tag, others: [...all.filter(isShown), ...(await shownAmong(target, hidden))] };
}

/**
 * Two tags whose names begin alike.
 *
 * @throws Undecided if the target refuses the second name, but not others: which names count as taken is open.
 */
async function pairOf(target: Target, start: string, name: string): Promise<readonly [Tag, Tag]> {
  try {
    return await target.makeTags('in turn', start, name);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    const refused = error.outcome.exchanges.find((one) => isTaken(one) && one.ask.operation === 'create');
    if (refused === undefined || !accepted(await target.create({ name: target.name() }))) throw error;
    throw new Undecided('choice', 'the target refuses a name that another one begins', refused);
  }
}

/** The tags that filtered lists show. If lists are paged, tags with similar names may push a tag off the page. */
async function shownAmong(target: Target, tags: readonly Tag[]): Promise<Tag[]> {
  const areShown = await Promise.all(tags.map(async (tag) => shows(await target.list(tag.name), tag)));
  return tags.filter((_, at) => areShown[at]);
}

/** The tags in the order of the lengths of their names, the shortest first. */
export const byLength = (tags: readonly Tag[]): readonly Tag[] =>
  tags.toSorted((one, other) => one.name.length - other.name.length);

/**
 * The tags that one list does not show with their names. If lists are not short, it is filtered by the shortest name, with which
 * the others often begin.
 */
async function notInOneList(target: Target, tags: readonly Tag[]): Promise<readonly Tag[]> {
  const [shortest, another] = byLength(tags);
  const { hasShortLists } = target.facts;
  if (!hasShortLists && another === undefined) return tags;
  const shown = listedIn(await target.list(hasShortLists ? undefined : shortest?.name)) ?? [];
  return tags.filter((tag) => !shown.some(({ tagId, name }) => tagId === tag.tagId && name === tag.name));
}

/** Looks whether a tag is listed with its name. Repeats that for the settle time, because a replica may lag. */
export const stillListed = (target: Target, { tagId, name }: Tag) =>
  target.until(
    () => target.lookUp(tagId, name),
    ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === name),
    { late: 'ignored' },
  );

/**
 * Checks that a request left other tags unchanged.
 *
 * @param whose what the other tags are called in a finding.
 */
export async function othersStay(
  target: Target,
  exchange: Exchange,
  others: readonly Tag[],
  what: string,
  whose = 'another tag',
): Promise<Outcome> {
  for (const other of await notInOneList(target, others)) {
    const { seen } = await stillListed(target, other);
    const { entries, exchanges } = seen;
    const now = entries.find(({ tagId }) => tagId === other.tagId)?.name;
    // If lists are paged, younger tags may fill the page by now.
    if (now === other.name || (now === undefined && seen.mayBeOnAnotherPage === true)) continue;
    const fate = now === undefined ? 'is no longer listed' : `is now named ${quote(now)}`;
    const which = isExtended(exchange, other) ? 'the tag of that tag_id' : whose;
    return broken(`the ${what} ${whatCame(exchange)}, and ${which} ${fate}`, exchange, ...exchanges);
  }
  return holds();
}

/** A tag_id of so many characters is hardly the beginning of another one by chance. */
const LONG_ID = 8;

/** Whether the path of a request ends with the tag_id of this tag and something more. */
function isExtended({ ask: { path } }: Exchange, { tagId }: Tag): boolean {
  const [, more] = path.split(`/${encodeURIComponent(tagId)}`);
  return more !== undefined && (tagId.length >= LONG_ID || !/^[a-z\d]/i.test(more));
}

/** Whether the filter finds every name that begins with it. With the effort `quick`, that is not asked. */
export async function findsByStart(target: Target): Promise<boolean> {
  if (target.settings.effort === 'quick') return false;
  const match = await ifDecided(() => learn(target, filterMatch));
  return match === 'prefix' || match === 'substring';
}

/** Whether the filter by its name finds a new tag whose name ends like this. */
async function findsNew(target: Target, end: string): Promise<boolean> {
  const tag = await target.makeTag(target.names.extended(target.name(), end));
  return shows(await target.list(tag.name), tag);
}

/**
 * Checks that a filter still finds the tags whose names begin with it, if it finds every such name.
 *
 * @param list filtered by this start of names, after the request.
 */
export async function areStillFound(
  target: Target,
  exchange: Exchange,
  list: Exchange,
  start: string,
  others: readonly Tag[],
  what: string,
): Promise<Outcome> {
  if (listedIn(list) === undefined || mayBePage(target, list)) return holds();
  // A create of a longer name may have hidden the shortest one, which another requirement reports.
  const longer = others.filter(({ name }) => name !== start && name.startsWith(start));
  for (const other of longer.filter((one) => !shows(list, one))) {
    const mayFind = (one: Exchange): boolean => shows(one, other) || mayBePage(target, one);
    const { list: own, good } = await listUntil(target, mayFind, { filter: other.name, late: 'ignored' });
    const all = good ? undefined : await allTags(target);
    if (all === undefined || !shows(all.list, other)) continue;
    // A filter that finds no such name at all is not due to the request.
    await target.removeTags();
    return (await findsNew(target, other.name.slice(start.length)))
      ? broken(
          `the ${what} ${whatCame(exchange)}, and the filter by the name of another tag, ${quote(other.name)}, does not find that any more`,
          exchange,
          all.list,
          own,
        )
      : holds();
  }
  return holds();
}

/**
 * Deletes tags whose names begin with that of another tag. Checks that the filter by that name still finds the other one: an index
 * may drop it with the last name that begins with it.
 *
 * @param before a list with that filter, from before the deletes. What it does not show is reported by another requirement.
 */
export async function staysFoundAlone(
  target: Target,
  tag: Tag,
  longer: readonly Tag[],
  before: Exchange,
): Promise<Outcome> {
  if (!shows(before, tag)) return holds();
  const deletes: Exchange[] = [];
  for (const { tagId } of longer.toReversed()) deletes.push(await target.delete(tagId));
  const mayFind = (list: Exchange): boolean => shows(list, tag) || mayBePage(target, list);
  const { list, good } = await listUntil(target, mayFind, { filter: tag.name, late: 'ignored' });
  // Other requirements report a list that cannot be read.
  const isDecided = !good && listedIn(list) !== undefined && deletes.every(accepted);
  const all = isDecided ? await allTags(target) : undefined;
  return all === undefined || !shows(all.list, tag)
    ? holds()
    : broken(
        `the filter by the name of a tag, ${quote(tag.name)}, does not find it since tags with longer names that begin with it were deleted`,
        before,
        ...deletes,
        all.list,
        list,
      );
}
