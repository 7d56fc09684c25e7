import {
  broken,
  holds,
  ifDecided,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { fillAccount, type FilledAccount } from '../crowd.ts';
import { isPage } from './page.ts';

async function checkWholeList(target: Target): Promise<Outcome> {
  const crowd = (): Promise<FilledAccount | undefined> => ifDecided(() => fillAccount(target));
  // With the effort quick, no other check needs so many tags.
  const filled = target.settings.effort === 'quick' ? undefined : await crowd();
  const lostInCrowd = filled?.lost;
  if (lostInCrowd !== undefined)
    return broken(
      `the list leaves out ${quote(lostInCrowd.name)}, which the filter shows, and becomes shorter with a delete and longer with a create, unlike a page`,
      ...lostInCrowd.exchanges,
    );
  if (filled?.hidden !== undefined)
    return broken(
      `the list, which held all of as many tags before, leaves out one that was updated to ${quote(filled.hidden.name)}, and the filter shows it`,
      ...filled.hidden.exchanges,
    );
  const renamed = await target.makeTag();
  await target.rename(renamed.tagId, { name: target.name() });
  // A cache would keep this list.
  await target.list();
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
    // Tags on a page come and go for other reasons.
    { late: 'ignored' },
  );
  if (good) return holds();
  if (seen.entries === undefined) {
    return undecided('failure', `the list ${whatCame(seen.exchange)} and cannot be read`, ...seen.exchanges);
  }
  // Deleted tags may keep their places on a page, so that it changes its size and lacks what is older.
  const youngest = [renamed.tagId, last.tagId];
  const isWhole = (await crowd())?.isPaged === false;
  const missing = seen.missing.filter(({ tagId }) => isWhole || youngest.includes(tagId));
  // Only a missing tag that the filter shows exists for sure.
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

export const holdsAllTags: Requirement = {
  id: 'list/holds-all-tags',
  section: '4.4',
  sentences: ['1/list', '4.4/filter-optional', '4.4/status-200-tagging'],
  level: 'derived',
  derivation:
    'List returns the tags (4.4): the specification does not show whether it is paged, but it must not lose a tag.',
  text: 'The list without a filter holds all tags, or a page of them.',
  // Otherwise another check may have made the last tag and still be waiting for it to appear.
  when: 'calm',
  sign: 'list-incomplete',
  cause: 'The list is built from a stale copy or a cache, or a join drops tags.',
  tags: 4,
  check: checkWholeList,
};
