import {
  accepted,
  createdIn,
  type Exchange,
  ifDecided,
  listedIn,
  type Lookup,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../lib/check.ts';
import { shows } from './listed-tags.ts';
import { areSparse, countUp, differWidely } from './unknown-ids.ts';

/** Creates before and after a delete, and what they show about the ids of deleted tags. */
export interface FreedIds {
  /** The creates; the last one follows the delete. */
  readonly creates: readonly Exchange[];
  readonly deletion: Exchange;
  /** Whether the next create may get the id of a deleted tag although a younger tag exists. */
  readonly areGivenOut: boolean;
  /** Whether ids come in no order, so that an id that was given again at any time tells that all may be. */
  readonly areRandom: boolean;
}

/** Makes tags, deletes the oldest one and makes another, once in a run. */
export function freedIds(target: Target): Promise<FreedIds> {
  return target.shared('ids of deleted tags', 4, async (shared) => {
    const first = await shared.makeTag();
    const living = await Promise.all([1, 2].map(() => shared.create({ name: shared.name() })));
    const deletion = await shared.delete(first.tagId);
    const next = await shared.create({ name: shared.name() });
    // Somebody else's create may have got the id.
    const others = [...(listedIn(await shared.list()) ?? []), ...shared.facts.tags];
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
 * Whether an id was issued after all of these and not freed by a deleted tag. Random ids come in no order, and are rare
 * enough to be no stranger's. Others have to count up: one that does not may have been free since somebody's delete.
 */
function isAfter(id: string, [first = '', ...living]: readonly string[]): boolean {
  return areInNoOrder([id, first, ...living]) || living.every((one) => countUp([first, one, id]));
}

const areInNoOrder = (ids: readonly string[]): boolean => areSparse(ids) || differWidely(ids);

const mayBeGivenOut = (target: Target, { areGivenOut, areRandom }: FreedIds): boolean =>
  areGivenOut || target.facts.fillsGaps || (areRandom && target.facts.givesIdsAgain);

const WHY =
  'the target may give the tag_id of a deleted tag to the next one at once, so that it may be the tag_id of a stranger’s tag';

/** @throws Undecided where another client may be given the tag_id of a deleted tag at once. */
export async function requireRestingIds(target: Target): Promise<void> {
  const freed = await freedIds(target);
  if (mayBeGivenOut(target, freed)) throw new Undecided('choice', WHY, ...freed.creates);
}

/** Whether the tag_ids of deleted tags are used again on purpose: not where another client may be given them at once. */
export async function doIdsRest(target: Target): Promise<boolean> {
  const freed = await ifDecided(() => freedIds(target));
  return freed !== undefined && !mayBeGivenOut(target, freed);
}

/** Whether tag_ids are random, so that nobody is ever given that of a deleted tag. */
export async function areIdsRandom(target: Target): Promise<boolean> {
  const freed = await ifDecided(() => freedIds(target));
  return freed?.areRandom === true && !mayBeGivenOut(target, freed);
}

/**
 * Deletes a tag whose tag_id is to be used again, and waits until no list shows it.
 *
 * @returns the delete.
 * @throws Undecided where the tag is still there, or its tag_id is another tag's by now.
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

/** Whether a list shows the tag_id, whatever the name. */
export const isListed = ({ exchanges }: Lookup, tag: Pick<Tag, 'tagId'>): boolean =>
  exchanges.some((list) => shows(list, tag));
