import {
  accepted,
  createdIn,
  type Exchange,
  type Listed,
  listedIn,
  type Tag,
  type Target,
  Undecided,
} from '../lib/check.ts';
import { createAnyhow, namesOfWaves, type NewName, noteCreated } from './full-account-creates.ts';
import { type LostTag, updateToForms } from './full-account-updates.ts';
import { listUntil, shows, tagsIn } from './listed-tags.ts';
import { longestAccepted } from './open/name-length.ts';

/** What lists show while the run has as many tags as it may have. */
export interface FilledAccount {
  /** The wave in which each tag was made, by tag_id: tags of a later wave are younger. */
  readonly waves: ReadonlyMap<string, number>;
  /** Two answers to the same list, while nothing changed. */
  readonly lists: readonly [Exchange, Exchange];
  /** Whether the unfiltered list leaves out a tag that the filtered list shows. */
  readonly isPaged: boolean;
  /** A tag that the unfiltered list leaves out although it is not paged. */
  readonly lost: LostTag | undefined;
  /** A tag that the unfiltered list leaves out since an update, although earlier lists were not paged. */
  readonly hidden: LostTag | undefined;
  /** The list to a client that accepts compression, if it cannot be read, and the usual one, which can. */
  readonly garbled: readonly Exchange[] | undefined;
  /** The youngest or the oldest tag, if the unfiltered list shows it and the filter by its name does not. */
  readonly unfound: LostTag | undefined;
  /** The first refused create, if any, and the number of tags that the list showed then. */
  readonly refused: { readonly exchange: Exchange; readonly listed: number } | undefined;
}

/** A request whose answer may be compressed. */
const COMPRESSED = { headers: { 'Accept-Encoding': 'gzip, deflate' } } as const;

/** More tags than fit on a page of 15. */
const MOST_TAGS = 18;

/** Two waves: enough to see the order of lists that are known to be pages. */
const MOST_TAGS_ON_PAGES = 6;

/** For waits that record no late effects: if lists are paged, a tag may show late for another reason. */
const LATE_BY_PAGES = { late: 'ignored' } as const;

/** The number of requests that are left for other checks. */
const KEPT_FOR_OTHERS = 1_300;

/**
 * Fills the account with tags, once in a run, and then updates them to names that start and end with unusual
 * characters.
 */
export async function fillAccount(target: Target): Promise<FilledAccount> {
  const isUpdated = target.settings.effort === 'standard';
  const longest = isUpdated ? await longestAccepted(target) : undefined;
  // The calling check may have made tags already.
  const useful = target.facts.arePages ? MOST_TAGS_ON_PAGES : MOST_TAGS;
  const most = Math.max(1, Math.min(useful, target.settings.mostTags, target.facts.tagsLeft));
  return target.shared('full account', most, async (shared) => {
    const made: (Tag & NewName & { readonly wave: number })[] = [];
    let refused: Exchange | undefined;
    let areFormsRefused = false;
    const first = tagsIn(await shared.list());
    const strangers = strangersAmong(shared, first);
    // This list may lack a tag as well.
    const own = shared.facts.tags.filter(({ isAlive }) => isAlive);
    const start = Math.max(first.length, strangers.length + own.length);
    // The full list must not have a round number of tags, because a page may end there.
    const count = (start + most) % ROUND === 0 ? Math.max(1, most - 1) : most;
    let short: LeftOut | undefined;
    const left = ROUND - (start % ROUND);
    // The first list may have left out a tag of a stranger.
    const stops = new Set([left - 1, left]);
    for (const { wave, names } of stepsOf(namesOfWaves(shared, count), [...stops])) {
      const asked: readonly NewName[] = areFormsRefused ? names.map(() => ({ name: shared.name() })) : names;
      for (const one of await Promise.all(asked.map((some) => createAnyhow(shared, some)))) {
        areFormsRefused ||= one === undefined || !asked.some(({ name }) => name === one.name);
        if (one === undefined) continue;
        const { name, form, create } = one;
        const created = createdIn(create);
        if (created !== undefined) made.push({ tagId: created.tagId, name, form, wave });
        else refused ??= create;
      }
      if (refused !== undefined) break;
      if (stops.delete(made.length)) short ??= await leftOutOfRound(shared, made);
    }
    if (made.length === 0)
      throw new Undecided('failure', 'no tag could be made', ...(refused ? [refused] : []));
    // A new tag may show late. Only a tag that stays missing is on another page.
    const { list } = await listUntil(shared, (look) => made.every((tag) => shows(look, tag)), LATE_BY_PAGES);
    // Some servers compress only large answers, such as the list of a full account.
    const lists = [list, await shared.list(undefined, COMPRESSED)] as const;
    const garbled = await ifGarbled(shared, lists);
    const listed = tagsIn(lists[0]);
    await noteCreated(shared, made, list);
    // Older tags count too: if the newest tags come first, only older ones are missing from a page.
    const before = shared.facts.tags.filter(({ isAlive }) => isAlive);
    // The target may keep a name with a form in another one, by which a filter does not find the tag.
    const plain = made.filter(({ form }) => form === undefined);
    const missing = [...plain, ...before, ...strangers, ...made].find(
      (tag) => !lists.some((one) => shows(one, tag)),
    );
    // A short page of a filtered list may leave out the tag, too.
    const isPaged =
      missing !== undefined &&
      (shared.facts.arePages || (await shared.untilListed(missing.tagId, missing.name)).good);
    const isFull = refused !== undefined;
    // A page does not become longer.
    const lost =
      short !== undefined && listed.length > short.length
        ? { ...short, exchanges: [...short.exchanges, list] }
        : isPaged
          ? await ifLost(shared, missing, { made, whole: list, isFull })
          : undefined;
    if (isPaged && lost === undefined) shared.note({ pageSize: listed.length });
    if (missing === undefined) shared.note({ wholeLength: listed.length });
    const isWhole = missing === undefined && refused === undefined;
    const unfound = isWhole
      ? ((await ifUnfound(shared, listed, made.at(-1)?.tagId)) ??
        (await ifUnfound(shared, listed, before[0]?.tagId)))
      : undefined;
    const forms = shared.facts.requestsLeft - KEPT_FOR_OTHERS;
    const hidden =
      isWhole && forms > 0 && isUpdated
        ? await updateToForms(shared, made.slice(0, forms), longest)
        : undefined;
    return {
      waves: new Map(made.map(({ tagId, wave }) => [tagId, wave])),
      lists,
      isPaged,
      lost,
      hidden,
      garbled,
      unfound,
      refused: refused === undefined ? undefined : { exchange: refused, listed: listed.length },
    };
  });
}

/** Whether, twice, only the list to a client that accepts compression cannot be read; answers may be cut off by chance. */
async function ifGarbled(
  target: Target,
  lists: readonly [usual: Exchange, compressed: Exchange],
): Promise<readonly Exchange[] | undefined> {
  const isGarbled = ([usual, compressed]: typeof lists): boolean =>
    listedIn(usual) !== undefined && accepted(compressed) && listedIn(compressed) === undefined;
  if (!isGarbled(lists)) return undefined;
  const again = [await target.list(), await target.list(undefined, COMPRESSED)] as const;
  return isGarbled(again) ? again : undefined;
}

/** A number of tags at which a page may end. */
const ROUND = 10;

/** The waves in their order, divided where so many tags are made. */
function stepsOf(
  waves: readonly (readonly NewName[])[],
  stops: readonly number[],
): readonly { readonly wave: number; readonly names: readonly NewName[] }[] {
  let made = 0;
  return waves.flatMap((names, wave) => {
    const within = stops.map((stop) => stop - made).filter((at) => at > 0 && at < names.length);
    made += names.length;
    return [0, ...within].map((at, part) => ({ wave, names: names.slice(at, within[part]) }));
  });
}

/** A tag that a list of this length leaves out. */
interface LeftOut extends LostTag {
  readonly length: number;
}

/** A tag that the list leaves out while it has about a round number of tags, if the filter shows it. */
async function leftOutOfRound(target: Target, made: readonly Tag[]): Promise<LeftOut | undefined> {
  const isLeft = (list: Exchange): Tag | undefined => made.find((tag) => !shows(list, tag));
  const { list } = await listUntil(target, (look) => isLeft(look) === undefined, LATE_BY_PAGES);
  const tag = isLeft(list);
  if (tag === undefined) return undefined;
  const filtered = await target.list(tag.name);
  return shows(filtered, tag)
    ? { name: tag.name, exchanges: [filtered, list], length: tagsIn(list).length }
    : undefined;
}

/** The tags that a list shows and that the run did not make. */
function strangersAmong(target: Target, list: readonly Listed[]): Tag[] {
  const own = new Set(target.facts.tags.map(({ tagId }) => tagId));
  return list.flatMap(({ tagId, name }) =>
    typeof name === 'string' && name !== '' && !own.has(tagId) ? [{ tagId, name }] : [],
  );
}

/**
 * Finds a tag that the unfiltered list leaves out although the list is not paged. The length shows the difference: a
 * whole list becomes shorter with a delete and longer with a create. A page keeps its length, or becomes shorter with a
 * delete but not longer with a create.
 */
async function ifLost(
  target: Target,
  missing: Tag,
  {
    made,
    whole,
    isFull,
    isLast = false,
  }: {
    readonly made: readonly Tag[];
    readonly whole: Exchange;
    readonly isFull: boolean;
    /** Whether a finding counts although other users may have written meanwhile. */
    readonly isLast?: boolean;
  },
): Promise<LostTag | undefined> {
  const allShown = made.filter((tag) => shows(whole, tag));
  // Deletes a tag in the middle. If a page keeps the place of a deleted tag, a create then changes only the ends of the page,
  // and the gap stays.
  const shown = allShown[Math.floor(allShown.length / 2)];
  if (shown === undefined) return undefined;
  const length = tagsIn(whole).length;
  await target.delete(shown.tagId);
  const { good: isGone } = await target.untilGone(shown);
  // On a page, the tag that takes the place of the deleted one may show late.
  const shorter = await listUntil(target, (list) => tagsIn(list).length !== length - 1, LATE_BY_PAGES);
  if (!isGone) return undefined;
  // A list that loses a tag may keep its length by chance, for instance if it lacks one at every even number of tags.
  // A full account has room for one tag only, in place of the deleted one: too few for `ifLonger`, which makes two.
  if (shorter.good) return isFull ? undefined : ifLonger(target, missing, { shorter: whole, length });
  const added = await target.makeTag();
  const longer = await listUntil(target, (list) => tagsIn(list).length === length, LATE_BY_PAGES);
  // The delete may have moved the missing tag to another place, and another tag to its place.
  const others = made.filter(({ tagId }) => tagId !== shown.tagId);
  const absent = [missing, added, ...others].find((tag) => !shows(longer.list, tag));
  if (!longer.good || absent === undefined) return undefined;
  const filtered = await target.list(absent.name);
  const exchanges = [whole, shorter.list, filtered, longer.list];
  if (!shows(filtered, absent)) return undefined;
  // Other users may have deleted a tag before the shorter list, and made one before the longer one.
  const theirs = [whole, shorter.list, longer.list].map((list) =>
    strangersAmong(target, tagsIn(list)).filter(({ tagId }) => tagId !== absent.tagId),
  );
  const shownTheirs = new Set(
    theirs.map((tags) => JSON.stringify(tags.map(({ tagId }) => tagId).toSorted())),
  );
  if (isLast || shownTheirs.size === 1) return { name: absent.name, exchanges };
  return ifLost(target, absent, { made: [...others, added], whole: longer.list, isFull, isLast: true });
}

/** Whether a list that left out a tag shows more tags after two creates: a page does not. */
async function ifLonger(
  target: Target,
  { tagId, name }: Tag,
  { shorter, length }: { readonly shorter: Exchange; readonly length: number },
): Promise<LostTag | undefined> {
  if (target.facts.room < 2) return undefined;
  await target.makeTags('at once', target.name(), target.name());
  const longer = await target.list();
  const filtered = await target.list(name);
  return tagsIn(longer).length > length && shows(filtered, { tagId })
    ? { name, exchanges: [filtered, shorter, longer] }
    : undefined;
}

/** Whether the filter misses a tag that the list shows: a target may filter only its first or last tags. */
async function ifUnfound(
  target: Target,
  listed: readonly Listed[],
  tagId: string | undefined,
): Promise<LostTag | undefined> {
  const name = listed.find((tag) => tag.tagId === tagId)?.name;
  if (tagId === undefined || typeof name !== 'string') return undefined;
  const { list, good } = await listUntil(target, (look) => shows(look, { tagId }), {
    filter: name,
    ...LATE_BY_PAGES,
  });
  return good ? undefined : { name, exchanges: [list] };
}
