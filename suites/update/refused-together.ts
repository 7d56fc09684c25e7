import {
  accepted,
  broken,
  type Exchange,
  holds,
  holdsWithWarning,
  type Lookup,
  matches,
  type Outcome,
  quote,
  statusOf,
  type Tag,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, shows } from '../listed-tags.ts';
import { unrefused } from '../pair.ts';
import { holdsAsHidden, holdsAsTaken, isTakenText } from '../taken-text.ts';
import { nameNow } from './effect.ts';

/** A body of an update that must be refused. */
export interface InvalidBody {
  /** Completes "an update …". */
  readonly what: string;
  readonly body: unknown;
  /** Names that a careless target could find in the body. */
  readonly names: readonly string[];
  /** The strings to which a framework may convert the value. A target that stores one of them gets a warning. */
  readonly texts: readonly string[];
  /** Whether the specification leaves the status of the refusal open. */
  readonly open?: true;
}

/** An update with such a body, its answer and its effect. */
export type Refusal<Body extends InvalidBody> = Body & {
  /** The tag before the update. */
  readonly tag: Tag;
  readonly exchange: Exchange;
  /** Whether it was refused because the value was converted to a string that is taken as a name. */
  readonly isTaken: boolean;
  /** The tag afterwards, if the request was accepted or was the last one. */
  readonly look?: Lookup;
};

/** Updates with several invalid bodies, and an accepted one to compare them with. */
export interface Refusals<Body extends InvalidBody> {
  readonly twin: Exchange;
  /** The tag, if no refused update had an effect on it. */
  readonly tag?: Tag;
  readonly sent: readonly Refusal<Body>[];
}

/** The most tags that the updates need: the updated one, a neighbour and a replacement. */
export const TAGS_OF_REFUSALS = 3;

/**
 * Updates one tag with every body, after an accepted update. One look at the end shows whether any refused update had
 * an effect.
 *
 * @param options.hasNeighbour whether another tag is updated before the look, because a database session may keep a
 *   refused change and store it with the next one.
 */
export async function refusedTogether<Body extends InvalidBody>(
  target: Target,
  bodies: readonly Body[],
  { hasNeighbour = false }: { readonly hasNeighbour?: boolean } = {},
): Promise<Refusals<Body>> {
  const { twin, tag } = await updatedTag(target);
  const first = await sendAll(target, tag, bodies, { looks: 'once', hasNeighbour });
  if (!first.sent.some(isChanged)) return { twin, tag: first.tag, sent: first.sent };
  // One look does not show which of several refused updates had the effect. So they are sent again, with a look after
  // each.
  await target.removeTags();
  const { tag: other } = await updatedTag(target);
  const again = await sendAll(target, other, bodies, { looks: 'after each', hasNeighbour });
  const { sent } = again.sent.some(isChanged) ? again : first;
  return { twin, sent };
}

/** A tag that was updated before, because a refused update may restore an earlier name. */
async function updatedTag(target: Target): Promise<{ readonly twin: Exchange; readonly tag: Tag }> {
  const { tagId, name: former } = await target.makeTag();
  const name = target.name();
  const twin = await target.rename(tagId, { name });
  if (accepted(twin) && (await target.untilListed(tagId, name)).good) return { twin, tag: { tagId, name } };
  if (!accepted(twin)) return { twin, tag: { tagId, name: former } };
  // Another requirement reports updates that have no effect.
  await target.removeTags();
  if (target.facts.room === 0) throw new Undecided('failure', 'an update has no effect', twin);
  return { twin, tag: await target.makeTag() };
}

/** Checks that a tag can still be found and updated after refused updates, if it can without them. */
export async function updatesAfterwards(
  target: Target,
  tag: Tag,
  refused: readonly Exchange[],
): Promise<Outcome> {
  const { list, good: isFound } = await filteredByName(target, tag);
  const { update, seen, good } = await nextUpdate(target, tag.tagId);
  if (isFound && good) return holds();
  // A tag with as many accepted updates shows whether the refusals are the cause.
  await target.removeTags();
  if (target.facts.room < TAGS_OF_REFUSALS) return holds();
  const other = await updatedTag(target);
  if (!isFound)
    return (await filteredByName(target, other.tag)).good
      ? broken(
          'after refused updates of a tag, the filter by its name no longer finds it',
          ...refused.slice(-1),
          list,
        )
      : holds();
  if (!(await nextUpdate(target, other.tag.tagId)).good) return holds();
  return broken(
    `${whatCame(update)} to an update of a tag after others of it were refused${accepted(update) ? ', but it has no effect' : ''}`,
    ...refused.slice(-1),
    update,
    ...seen.exchanges,
  );
}

/** The list filtered by the name of a tag. It is good if it shows the tag. */
const filteredByName = (target: Target, tag: Tag): ReturnType<typeof listUntil> =>
  listUntil(target, (one) => shows(one, tag), { filter: tag.name });

/** Updates a tag and looks it up. */
async function nextUpdate(
  target: Target,
  tagId: string,
): Promise<{ readonly update: Exchange; readonly seen: Lookup; readonly good: boolean }> {
  const name = target.name();
  const update = await target.rename(tagId, { name });
  const { seen, good } = await target.untilListed(tagId, name);
  return { update, seen, good: accepted(update) && good };
}

/** Whether an update changed the tag although it was refused. */
const isChanged = ({ tag, exchange, look }: Refusal<InvalidBody>): boolean =>
  !accepted(exchange) && look !== undefined && nameIn(look, tag) !== tag.name;

/** Updates a tag with every body, and looks it up. If an effect cannot be undone, another tag replaces it. */
async function sendAll<Body extends InvalidBody>(
  target: Target,
  start: Tag,
  bodies: readonly Body[],
  { looks, hasNeighbour }: { readonly looks: 'once' | 'after each'; readonly hasNeighbour: boolean },
): Promise<{ readonly tag: Tag; readonly sent: readonly Refusal<Body>[] }> {
  let neighbour = hasNeighbour ? await target.makeTag() : undefined;
  let tag = start;
  const sent: Refusal<Body>[] = [];
  for (const [at, one] of bodies.entries()) {
    const { tagId, name: former } = tag;
    const send = (): Promise<Exchange> =>
      target.rename(tagId, one.body, one.open === true ? { open: true } : undefined);
    const answered = await send();
    // Among so many requests, a gateway may well lose an answer.
    const exchange = [502, 504].includes(statusOf(answered)) ? await send() : answered;
    const names = [former, ...one.names, ...(accepted(exchange) ? one.texts.filter(Boolean) : [])];
    const seenWhere = async (isGood: (name: unknown) => boolean): Promise<Lookup> => {
      const look = (): Promise<Lookup> => target.lookUp(tagId, ...new Set(names));
      return (await target.until(look, (seen) => isGood(nameIn(seen, { tagId })), { late: 'ignored' })).seen;
    };
    // Most targets refuse all bodies, so one look after the last refusal is enough.
    const isLookedAt = accepted(exchange) || looks === 'after each' || at === bodies.length - 1;
    if (isLookedAt && !accepted(exchange) && neighbour !== undefined)
      await target.rename(neighbour.tagId, { name: target.name() });
    // An accepted update may show late.
    const seen = isLookedAt ? await seenWhere((now) => (now === former) !== accepted(exchange)) : undefined;
    const isTaken = await isTakenText(target, exchange, one.texts);
    sent.push({ ...one, tag, exchange, isTaken, ...(seen === undefined ? {} : { look: seen }) });
    if (seen === undefined || nameIn(seen, tag) === former) continue;
    // The next body needs a tag with its former name, which the target may treat as taken.
    const back = await target.rename(tagId, { name: former });
    if (accepted(back) && (await target.untilListed(tagId, former)).good) continue;
    await target.removeTags();
    neighbour = undefined;
    if (target.facts.room < TAGS_OF_REFUSALS) break;
    tag = await target.makeTag();
  }
  return { tag, sent };
}

const nameIn = ({ entries }: Lookup, { tagId }: Pick<Tag, 'tagId'>): unknown =>
  entries.find((entry) => entry.tagId === tagId)?.name;

/** Checks that an update was refused and left the tag unchanged. */
export function judgeRefusal(
  { tag, what, texts, open, exchange, isTaken, look }: Refusal<InvalidBody>,
  twin: Exchange,
): Outcome {
  const now = look === undefined ? tag.name : nameIn(look, tag);
  const why = `${whatCame(exchange)} to an update ${what}`;
  if (accepted(exchange) && typeof now === 'string' && now !== tag.name && texts.includes(now))
    return holdsWithWarning(`${why}: the value was converted to the string ${quote(now)}`, exchange);
  if (isTaken && now === tag.name) return holdsAsTaken(exchange);
  if (accepted(exchange) && now === undefined && texts.length > 0 && look?.mayBeOnAnotherPage === true)
    return holdsAsHidden(exchange);
  if (now !== tag.name)
    return broken(`${why}, and ${nameNow(now, tag)}`, exchange, ...(look?.exchanges ?? []));
  if (open !== true) return matches.refusal({ accepted: twin, refused: exchange }, 422);
  if (statusOf(exchange) === 0) return unrefused(why, exchange);
  return accepted(exchange) ? broken(`${why}, a success`, exchange) : holds();
}
