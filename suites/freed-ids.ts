import {
  accepted,
  createdIn,
  type Exchange,
  ifDecided,
  listedIn,
  type Lookup,
  type RequestOverrides,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { shows } from './listed-tags.ts';
import { areSparse, countUp, differWidely } from './unknown-ids.ts';

/** Creates before and after a delete, and what they show about the reuse of deleted tags' ids. */
interface FreedIds {
  /** The creates; the last one follows the delete. */
  readonly creates: readonly Exchange[];
  readonly deletion: Exchange;
  /** Whether the target may give the id of a deleted tag to the next tag although a younger tag exists. */
  readonly areGivenOut: boolean;
  /** Whether ids are random. If a random id is ever given again, any id may be. */
  readonly areRandom: boolean;
}

/** Makes tags, deletes the oldest one and makes another, once in a run. */
export function freedIds(target: Target): Promise<FreedIds> {
  return target.shared('ids of deleted tags', 4, async (shared) => {
    // The names of earlier tags: a deleted one of them may have had the same id.
    const earlier = new Set(shared.facts.tags.map(({ name }) => name));
    const first = await shared.makeTag();
    const living = await Promise.all([1, 2].map(() => shared.create({ name: shared.name() })));
    const deletion = await shared.delete(first.tagId);
    const next = await shared.create({ name: shared.name() });
    // The target may have given the tag_id to a stranger's tag, which lists may show late.
    const { seen } = await shared.until(
      async () => ({ exchanges: [await shared.list()] }),
      () => true,
    );
    const later = shared.facts.tags.filter(({ name }) => !earlier.has(name));
    const others = [...seen.exchanges.flatMap((list) => listedIn(list) ?? []), ...later];
    const isTaken = others.some(({ tagId, name }) => tagId === first.tagId && name !== first.name);
    const ids = living.flatMap((exchange) => createdIn(exchange)?.tagId ?? []);
    const nextId = createdIn(next)?.tagId;
    const areGivenOut =
      isTaken || nextId === undefined || nextId === first.tagId || !isAfter(nextId, [first.tagId, ...ids]);
    return {
      creates: [...living, next],
      deletion,
      areGivenOut,
      areRandom: !areGivenOut && areInNoOrder([nextId, first.tagId, ...ids]),
    };
  });
}

/**
 * Whether an id is certainly new, and not that of a deleted tag. Random ids are new. Other ids are new if they count
 * up; otherwise the id may be that of a tag that somebody deleted.
 */
function isAfter(id: string, [first = '', ...living]: readonly string[]): boolean {
  return areInNoOrder([id, first, ...living]) || living.every((one) => countUp([first, one, id]));
}

const areInNoOrder = (ids: readonly string[]): boolean => areSparse(ids) || differWidely(ids);

const mayBeGivenOut = (target: Target, { areGivenOut, areRandom }: FreedIds): boolean =>
  areGivenOut || target.facts.fillsGaps || (areRandom && target.facts.givesIdsAgain);

const WHY =
  'the target may give the tag_id of a deleted tag to the next one at once, so that it may be the tag_id of a stranger’s tag';

/** @throws Undecided if the target may give the tag_id of a deleted tag to another client's tag at once. */
export async function requireFreeDeletedIds(target: Target): Promise<void> {
  const freed = await freedIds(target);
  if (mayBeGivenOut(target, freed)) throw new Undecided('choice', WHY, ...freed.creates);
}

/**
 * Whether checks may send requests with the tag_id of a deleted tag, because the target does not give it to another
 * client's tag at once.
 */
export async function doDeletedIdsStayFree(target: Target): Promise<boolean> {
  const freed = await ifDecided(() => freedIds(target));
  return freed !== undefined && !mayBeGivenOut(target, freed);
}

/** Whether tag_ids are random and never reused, so that no tag has the tag_id of a deleted one. */
export async function areIdsRandom(target: Target): Promise<boolean> {
  const freed = await ifDecided(() => freedIds(target));
  return freed?.areRandom === true && !mayBeGivenOut(target, freed);
}

/**
 * Deletes a tag and waits until no list shows it, so that its tag_id can be used in further requests.
 *
 * @returns the delete.
 * @throws Undecided if the tag still exists, or another tag has its tag_id now.
 */
export async function deleteBeforeReuse(target: Target, tag: Tag): Promise<Exchange> {
  const exchange = await target.delete(tag.tagId);
  if (!accepted(exchange)) throw new Undecided('failure', `the delete ${whatCame(exchange)}`, exchange);
  const { good, seen } = await target.untilGone(tag);
  if (!good)
    throw new Undecided('failure', 'the tag is still there after its delete', exchange, ...seen.exchanges);
  if (isListed(seen, tag)) throw new Undecided('choice', WHY, exchange, ...seen.exchanges);
  return exchange;
}

/**
 * Repeats the delete of a deleted tag until it is refused. As long as a target has not yet carried out the first
 * delete, it may confirm further ones.
 */
export async function deleteUntilRefused(
  target: Target,
  tagId: string,
  overrides?: RequestOverrides,
): Promise<readonly Exchange[]> {
  const deletes: Exchange[] = [];
  await target.until(
    async () => {
      const exchange = await target.delete(tagId, overrides);
      deletes.push(exchange);
      return { exchange, exchanges: [exchange] };
    },
    ({ exchange }) => !accepted(exchange),
    { late: 'ignored' },
  );
  return deletes;
}

/** Whether a list shows the tag_id, whatever the name. */
export const isListed = ({ exchanges }: Lookup, tag: Pick<Tag, 'tagId'>): boolean =>
  exchanges.some((list) => shows(list, tag));
