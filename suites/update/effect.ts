import {
  accepted,
  answers,
  broken,
  createdIn,
  type Exchange,
  holds,
  type Listed,
  listedIn,
  type Lookup,
  type Outcome,
  quote,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, lookInAll, mayBePage, showingLast, shows, showsNamed } from '../listed-tags.ts';

/** Updates a tag and checks that the lists show the new name, and no longer the old one. */
export async function updateTakesEffect(target: Target, tag: Tag): Promise<Outcome> {
  const name = target.name();
  const exchange = await target.rename(tag.tagId, { name });
  if (!accepted(exchange)) return undecided('failure', `the update ${whatCame(exchange)}`, exchange);
  const { seen } = await target.until(
    () => target.lookUp(tag.tagId, name, tag.name),
    ({ entries }) =>
      entries.some((entry) => entry.tagId === tag.tagId && entry.name === name) &&
      !entries.some((entry) => entry.name === tag.name),
  );
  const names = seen.entries.filter(({ tagId }) => tagId === tag.tagId).map((entry) => entry.name);
  if (!names.includes(name)) {
    const other = names.length === 0 ? seen.entries.find((entry) => entry.name === name) : undefined;
    const now =
      other === undefined
        ? nameNow(names[0], tag)
        : `the new name is listed under another tag_id, ${quote(other.tagId)} in place of ${quote(tag.tagId)}`;
    const lists = showingLast(seen.exchanges, (entry) => other !== undefined && entry.name === name);
    return broken(`${whatCame(exchange)}, yet ${now}`, exchange, ...lists);
  }
  const old = seen.entries.find((entry) => entry.name === tag.name);
  if (old === undefined) return filterFollows(target, tag, name);
  return broken(
    `the new name is listed, and the old one still is too, under tag_id ${quote(old.tagId)}`,
    exchange,
    ...seen.exchanges,
  );
}

/** Sends a create with the former name of an updated tag. If it is accepted, checks that lists show the new tag. */
export async function formerNameIsFree(target: Target, { tagId, name }: Tag): Promise<Outcome> {
  const create = await target.create({ name });
  const what = 'to a create with the name that another tag had before its update';
  // The specification leaves open whether a former name stays taken.
  if (!accepted(create)) return isTaken(create) ? holds() : judgeOddAnswer(create, what);
  const isMade = (entry: Listed): boolean => entry.name === name && entry.tagId !== tagId;
  const showsMade = (list: Exchange): boolean => listedIn(list)?.some(isMade) === true;
  // An index may still map this name to the updated tag, and so leave out the new one.
  const { list, good } = await listUntil(target, showsMade, { filter: name });
  if (good) return holds();
  const { entries, exchanges } = await lookInAll(target, undefined, name);
  if (!entries.some(isMade))
    return broken(`${whatCame(create)} ${what}, but no such tag is listed`, create, list, ...exchanges);
  return (await filterWorks(target, name))
    ? broken(`${whatCame(create)} ${what}, but the filter does not find it`, create, ...exchanges, list)
    : holds();
}

/** Whether a name is refused because a tag has it, or had it. */
export const isTaken = (exchange: Exchange): boolean => [409, 422].includes(statusOf(exchange));

/** The outcome of a request that was neither accepted nor refused because its name is taken. */
export const judgeOddAnswer = (exchange: Exchange, what: string): Outcome =>
  exchange.answer === undefined
    ? undecided('failure', whatCame(exchange), exchange)
    : broken(`${whatCame(exchange)} ${what}, neither 200 nor 422`, exchange);

/**
 * Checks that the filter finds a tag by its new name, which another tag has as well, if it finds that other tag.
 *
 * @returns also the last list that was filtered by that name.
 */
export async function isFoundBesideNamesake(
  target: Target,
  tag: Tag,
  namesake: Tag,
  update: Exchange,
): Promise<{ readonly outcome: Outcome; readonly list: Exchange }> {
  const { list, good } = await listUntil(
    target,
    (one) => listedIn(one) === undefined || shows(one, tag) || mayBePage(target, one),
    { filter: tag.name },
  );
  // Another requirement reports a filter that finds nothing.
  const outcome =
    good || !shows(list, namesake)
      ? holds()
      : broken(
          `${whatCame(update)} to an update to a name that another tag has, but the filter by that name finds only the other tag`,
          update,
          list,
        );
  return { outcome, list };
}

/**
 * Whether the filter finds a new tag by that tag's name, and nothing by this name reversed. The latter rules out a filter that
 * ignores the order of letters. Another requirement reports a filter that finds nothing or everything.
 */
export async function filterWorks(target: Target, name: string): Promise<boolean> {
  const twin = await target.makeTag();
  const turned = [...name].toReversed().join('');
  return shows(await target.list(twin.name), twin) && listedIn(await target.list(turned))?.length === 0;
}

/**
 * Whether the filter by a tag's former name also finds a new tag of its present name, which never had the former one. Then
 * the filter finds similar names.
 */
async function findsAlike(target: Target, former: Tag, name: string): Promise<boolean> {
  // The specification leaves open whether two tags may have the same name.
  if (!accepted(await target.rename(former.tagId, { name: target.name() }))) return false;
  const create = await target.create({ name }, { open: true });
  const made = createdIn(create);
  const isFound =
    made !== undefined &&
    (
      await listUntil(target, (list) => shows(list, made), {
        filter: former.name,
        late: 'ignored',
      })
    ).good;
  if (made !== undefined) await target.delete(made.tagId);
  await target.rename(former.tagId, { name });
  return isFound;
}

/** A clause that says which name the tag has now. */
export function nameNow(name: unknown, tag: Tag): string {
  if (name === undefined) return 'the tag is no longer listed under its tag_id';
  return name === tag.name
    ? 'the tag is still listed with its old name'
    : `the tag is listed with the name ${quote(name)}`;
}

/**
 * Checks that the filter finds the tag by its new name, and not by its old one.
 *
 * @param before an earlier lookup of the tag after the update, which may already show that the filter by the new name
 *   finds it.
 */
export async function filterFollows(
  target: Target,
  tag: Tag,
  name: string,
  before?: Lookup,
): Promise<Outcome> {
  const [only, ...more] = before?.exchanges ?? [];
  const known = more.length === 0 && only !== undefined && shows(only, tag) ? only : undefined;
  const { seen, good } = await target.until(
    async () => {
      const exchanges = await Promise.all([known ?? target.list(name), target.list(tag.name)]);
      const [found, stale] = exchanges.map((list) => shows(list, tag));
      return { found, stale, exchanges };
    },
    ({ found, stale }) => found === true && stale === false,
  );
  if (good || !(await filterWorks(target, name))) return holds();
  if (seen.found === true && (await findsAlike(target, tag, name))) return holds();
  // The exchange that decides comes last.
  return seen.found === true
    ? broken('the filter by the old name still finds the tag', ...seen.exchanges)
    : broken('the filter by the new name does not find the tag', ...seen.exchanges.toReversed());
}

/** Deletes a tag, and tries to make another one with its first name, which the target may treat as taken. */
export async function makeAgain(target: Target, tag: Tag): Promise<Exchange> {
  await target.delete(tag.tagId);
  await target.untilGone(tag);
  return target.create({ name: tag.name }, { open: true });
}

/** Updates of a tag to names in use. Whether they are accepted is open. */
export interface ToNamesInUse {
  /** The update to the tag's current name. */
  readonly same: Exchange;
  /** The list filtered by that name, after the update. */
  readonly afterSame: Exchange;
  /** It was accepted, and that list leaves out the tag, which one before had shown. */
  readonly isLost: boolean;
  /** The update to the name of another tag. */
  readonly taken: Exchange;
  /** If that was refused, the list filtered by the name, afterwards. */
  readonly afterTaken?: Exchange;
  /** If that was accepted, and the filter by the tag's old name still finds it, but did not find the other tag: that list. */
  readonly stale?: Exchange;
}

/** Sends both updates, once in a run. */
export function updatesToNamesInUse(target: Target): Promise<ToNamesInUse> {
  return target.shared('updates to names in use', 2, async (shared) => {
    const [tag, other] = await shared.makeTags('at once', shared.name(), shared.name());
    const same = await shared.rename(tag.tagId, { name: tag.name }, { open: true });
    const { list: afterSame, good } = await listUntil(
      shared,
      (list) => !accepted(same) || listedIn(list) === undefined || shows(list, tag),
      { filter: tag.name },
    );
    const isLost = !good && !mayBePage(shared, afterSame);
    const taken = await shared.rename(tag.tagId, { name: other.name }, { open: true });
    const both = { same, afterSame, isLost, taken };
    if (answers.isClientError(taken)) return { ...both, afterTaken: await shared.list(other.name) };
    if (!accepted(taken)) return both;
    // A list with the old name may lag, or the update had no effect. Other requirements are about that.
    const updated = { tagId: tag.tagId, name: other.name };
    const { list: stale, good: isGone } = await listUntil(shared, (list) => !showsNamed(list, updated), {
      filter: tag.name,
    });
    // Some filters find similar names: before the update, this one must have found the one tag alone.
    const findsAlike = !shows(afterSame, tag) || shows(afterSame, other);
    return isGone || findsAlike ? both : { ...both, stale };
  });
}
