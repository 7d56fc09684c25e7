import {
  accepted,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  ifDecided,
  listedIn,
  type Outcome,
  outcomeOf,
  quote,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { fillAccount, type FilledAccount } from '../full-account.ts';
import { listUntil, shows } from '../listed-tags.ts';

async function checkWholeList(target: Target): Promise<Outcome> {
  const full = (): Promise<FilledAccount | undefined> => ifDecided(() => fillAccount(target));
  // The effort `quick` does not fill the account.
  const isFilled = target.settings.effort !== 'quick';
  const filled = isFilled ? await full() : undefined;
  const failed = isFilled && filled === undefined ? await failsWhenFull(target) : holds();
  if (failed.kind !== 'holds') return failed;
  if (filled?.garbled !== undefined)
    return broken(
      'the list of many tags cannot be read by a client that accepts compression (Accept-Encoding: gzip, deflate)',
      ...filled.garbled,
    );
  const lostWhenFull = filled?.lost;
  if (lostWhenFull !== undefined)
    return broken(
      `the list leaves out ${quote(lostWhenFull.name)}, which the filter finds, and is not paged: it becomes longer with further creates`,
      ...lostWhenFull.exchanges,
    );
  if (filled?.hidden !== undefined)
    return broken(
      `the list leaves out a tag that was updated to ${quote(filled.hidden.name)}, though the filter finds it, and the list showed as many tags before`,
      ...filled.hidden.exchanges,
    );
  const { tagId } = await target.makeTag();
  const renamed = { tagId, name: target.name() };
  await target.rename(tagId, { name: renamed.name });
  // A faulty cache keeps this list. It has one tag less than the next one, so one of them has an even number of tags.
  const early = await target.list();
  if (filled?.isPaged === false && !shows(early, renamed)) {
    const left = await isLeftOut(target, renamed);
    if (left !== undefined) return left;
  }
  const last = await target.makeTag();
  const { seen, good } = await target.until(
    async () => {
      const exchange = await target.list();
      const entries = listedIn(exchange);
      const listed = new Set(entries?.map(({ tagId }) => tagId));
      const missing = target.facts.tags.filter(({ tagId, isAlive }) => isAlive && !listed.has(tagId));
      return { exchange, entries, missing, exchanges: [exchange] };
    },
    ({ entries, missing }) => entries !== undefined && missing.length === 0,
    // If the list is paged, its tags change for other reasons, which are no late effects.
    { late: 'ignored' },
  );
  if (good) return holds();
  if (seen.entries === undefined) {
    return undecided('failure', `the list ${whatCame(seen.exchange)} and cannot be read`, ...seen.exchanges);
  }
  // If the list is paged, deleted tags may keep their places, and older tags may be missing.
  const youngest = [renamed.tagId, last.tagId];
  const isWhole = (await full())?.isPaged === false;
  const missing = seen.missing.filter(({ tagId }) => isWhole || youngest.includes(tagId));
  // Only if the filter shows a missing tag does the tag certainly exist.
  const [lost] = (
    await Promise.all(missing.map(async (tag) => ({ tag, ...(await target.lookUp(tag.tagId, tag.name)) })))
  ).filter(
    ({ tag, entries, exchanges }) =>
      exchanges.length === 1 && entries.some(({ tagId }) => tagId === tag.tagId),
  );
  if (lost === undefined) return holds();
  return isPage(
    target,
    seen.exchange,
    `the list holds ${seen.entries.length} tags, but not ${quote(lost.tag.name)}, which the filter shows${lost.tag.tagId === last.tagId ? ' and which was made last' : ''}`,
    ...lost.exchanges,
    ...seen.exchanges,
  );
}

/** Checks, if the account could not be filled, whether the reason is a list that fails only while there are many tags. */
async function failsWhenFull(target: Target): Promise<Outcome> {
  const filled = await outcomeOf(async () => {
    await fillAccount(target);
    return holds();
  });
  const exchanges = filled.kind === 'undecided' ? filled.exchanges : [];
  const list = exchanges.find((one) => one.ask.operation === 'list' && statusOf(one) >= 500);
  const fewer = list === undefined ? undefined : await target.list();
  return list === undefined || fewer === undefined || listedIn(fewer) === undefined
    ? holds()
    : broken(`the list ${whatCame(list)} while the account had many tags, and not with fewer`, list, fewer);
}

/** Checks again whether the list without a filter leaves out a tag, if lists are known to be whole. */
async function isLeftOut(target: Target, tag: Tag): Promise<Outcome | undefined> {
  const { list, good } = await listUntil(target, (one) => shows(one, tag), { late: 'ignored' });
  const filtered = await target.list(tag.name);
  return good || listedIn(list) === undefined || !shows(filtered, tag)
    ? undefined
    : broken(
        `the list leaves out the youngest tag, which the filter by its name shows, and a longer list was no page`,
        filtered,
        list,
      );
}

export const holdsAllTags: Requirement = {
  id: 'list/holds-all-tags',
  section: '4.4',
  sentences: ['1/list', '4.4/filter-optional', '4.4/status-200-tagging'],
  level: 'derived',
  derivation:
    'List returns the tags (4.4): the specification does not show whether it is paged, but it must not lose a tag.',
  text: 'The list without a filter holds all tags, or a page of them.',
  // The check runs alone: otherwise another check might have made the last tag, and still wait for it to appear.
  when: 'calm',
  signs: ['list-incomplete'],
  cause: 'The list is built from a stale copy or a cache, or a join drops tags.',
  tags: 4,
  check: checkWholeList,
};

/** A list of at most this length is not a page. */
const NO_PAGE = 1;

/** Pages are seldom this short. A shorter list may be one that never changes. */
const RARE_PAGE = 4;

/**
 * Checks that a list that lacks a tag is a page: it keeps its size while tags are added and, if it is short, a filtered
 * list has no more entries, either.
 *
 * @param list an unfiltered list that lacks a tag.
 * @param why what is wrong if it is not a page.
 * @param exchanges the evidence of that.
 */
async function isPage(
  target: Target,
  list: Exchange,
  why: string,
  ...exchanges: readonly Exchange[]
): Promise<Outcome> {
  const size = sizeOf(list);
  for (let time = 0; time < 2; time++) {
    const { tagId } = await target.makeTag();
    // Updates may clear a cache that creates do not clear.
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

/** A filtered list that shows this many tags, unless the filter is exact and names are unique. */
async function filteredList(target: Target, tags: number): Promise<Exchange> {
  const { name } = await target.makeTag();
  for (let made = 1; made < tags; made++) {
    const twin = await target.create({ name });
    const longer = `${name}${String.fromCharCode('a'.charCodeAt(0) + made)}`;
    // Not with `makeTag`: it needs a list that shows the tag, which is what is being checked.
    if (!accepted(twin)) await target.create({ name: target.names.extended(longer, '') });
  }
  // A page leaves out tags, which is no late effect.
  const options = { filter: name, late: 'ignored' } as const;
  return (await listUntil(target, (list) => sizeOf(list) >= tags, options)).list;
}

const sizeOf = (list: Exchange): number => listedIn(list)?.length ?? 0;
