import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  holds,
  type Listed,
  listedIn,
  matches,
  type Outcome,
  quote,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { listUntil, showsNamed } from '../listed-tags.ts';
import { stillListed } from '../neighbours.ts';
import { despiteErrors, isLawful } from '../taken-names.ts';
import {
  filterFollows,
  filterWorks,
  type ToNamesInUse,
  updatesToNamesInUse,
  updateTakesEffect,
} from './effect.ts';

/** The length of a short name, which is still unique to the run. */
const SHORT = 9;

/** One of the updates that are sent one after another. */
interface Step {
  /** Completes "an update to …". */
  readonly what: string;
  readonly name: string;
  /** Whether to filter by the name before the update. */
  readonly isSoughtBefore?: true;
  /** Whether no tag has or had such a name, in any letter case. */
  readonly isNew?: true;
  /** A former name. If given, the filter by it must not find the tag any more. */
  readonly former?: string;
  /** The previous update, if it is part of the evidence. */
  readonly after?: Exchange | undefined;
}

/** A capital in every third place: no target changes a name to this form. */
const inMixedCase = (name: string): string =>
  [...name.toLowerCase()].map((char, at) => (at % 3 === 1 ? char.toUpperCase() : char)).join('');

/** A text in the letter case in which the target keeps this plain name. */
export function inKeptCase(text: string, plain: string): string {
  if (plain === plain.toUpperCase()) return text.toUpperCase();
  const [first = ''] = plain;
  return first === first.toUpperCase()
    ? `${text.slice(0, 1).toUpperCase()}${text.slice(1).toLowerCase()}`
    : text;
}

interface Mixed {
  readonly tag: Tag;
  /** Whether its name is in mixed letter case. */
  readonly keepsCase: boolean;
}

/** Makes a tag with a name in mixed letter case or, if the target does not keep that, with a plain name. */
async function makeMixed(target: Target): Promise<Mixed> {
  const name = target.names.extended(inMixedCase(target.name()), '');
  const created = createdIn(await target.create({ name }));
  if (created?.name === name) {
    const { good } = await target.untilListed(created.tagId, name);
    if (good) return { tag: { tagId: created.tagId, name }, keepsCase: true };
  }
  await target.removeTags();
  return { tag: await target.makeTag(), keepsCase: false };
}

/** Updates the tag. Whether the target accepts the name is open. */
const renamed = (target: Target, { tagId }: Tag, name: string): Promise<Exchange> =>
  despiteErrors(() => target.rename(tagId, { name }, { open: true }));

/** The answer to an update, and its effect. */
interface UpdateResult {
  readonly isDone: boolean;
  readonly exchange: Exchange;
  /** What lists show of the tag afterwards, and of others with its new name. */
  readonly entries?: readonly Listed[];
  readonly finding?: Outcome;
}

/** Updates the tag, and checks that a list shows its new name. */
async function updateTo(
  target: Target,
  tag: Tag,
  { what, name, isSoughtBefore, isNew, former, after }: Step,
): Promise<UpdateResult> {
  const before = [
    ...(after === undefined ? [] : [after]),
    ...(isSoughtBefore === true ? [await target.list(name)] : []),
  ];
  // The specification leaves open how short a name may be, and whether another tag may have the same name in another
  // letter case.
  const exchange = await renamed(target, tag, name);
  // A new name cannot be taken.
  const isConflict = isNew === true && statusOf(exchange) === 409;
  if (!isLawful(exchange) || isConflict) {
    const why = `the update to ${what} ${whatCame(exchange)}, neither 200 nor 422`;
    return { isDone: false, exchange, finding: broken(why, ...before, exchange) };
  }
  if (!accepted(exchange)) return { isDone: false, exchange };
  const { seen, good } =
    isSoughtBefore === true ? await untilFound(target, tag, name) : await target.untilListed(tag.tagId, name);
  if (good) {
    const followed =
      former === undefined ? holds() : await filterFollows(target, { ...tag, name: former }, name, seen);
    const { entries } = seen;
    return { isDone: true, exchange, entries, ...(followed.kind === 'holds' ? {} : { finding: followed }) };
  }
  const now = seen.entries.find(({ tagId }) => tagId === tag.tagId)?.name;
  const finding = broken(
    `the update to ${what} ${whatCame(exchange)}, but the tag is ${now === undefined ? 'not found by its new name' : `named ${quote(now)}, not ${quote(name)}`}`,
    ...before,
    exchange,
    ...seen.exchanges,
  );
  return { isDone: true, exchange, finding };
}

/** Waits until the filter by the name finds the tag. An unfiltered list does not count here. */
async function untilFound(target: Target, { tagId }: Tag, name: string) {
  const { list, good } = await listUntil(target, (one) => showsNamed(one, { tagId, name }), { filter: name });
  return { seen: { entries: listedIn(list) ?? [], exchanges: [list] }, good };
}

/**
 * One tag has another's tag_id as its name. Checks that an update with that tag_id changes only the tag that has it as
 * its tag_id.
 */
async function keepsApart(target: Target, named: Tag, other: Tag): Promise<Outcome> {
  const name = target.name();
  const exchange = await target.rename(other.tagId, { name });
  if (!accepted(exchange)) return undecided('failure', `the update ${whatCame(exchange)}`, exchange);
  const { seen, good } = await target.untilListed(other.tagId, name);
  const { seen: stays, good: isThere } = await stillListed(target, named);
  return good && isThere
    ? holds()
    : broken(
        `the update ${whatCame(exchange)}, and ${good ? `the tag whose name is that tag_id is changed` : 'the tag with that tag_id does not have its new name, while another tag has the tag_id as its name'}`,
        exchange,
        ...seen.exchanges,
        ...stays.exchanges,
      );
}

/** Updates the tag to names that differ from the previous one in letter case and length, and then to tag_ids. */
async function updateToAll(
  target: Target,
  { tag, keepsCase }: Mixed,
  other: Tag,
  inUse: ToNamesInUse,
): Promise<Outcome> {
  const { names } = target;
  const plain = target.name();
  const inForm = (text: string): string => names.extended(inKeptCase(text, plain), '');
  const shortened = inForm(target.name().slice(-SHORT));
  const short = keepsCase ? names.extended(inMixedCase(shortened), '') : shortened;
  const long = inForm(`${short}${target.name().toLowerCase().slice(SHORT)}`);
  // A target may read a name in capitals as an abbreviation.
  const capitals = keepsCase ? names.extended(tag.name.toUpperCase(), '') : undefined;
  const steps: Step[] = [
    ...(isLawful(inUse.same) ? [] : [{ what: 'the name that it has', name: tag.name }]),
    ...(isLawful(inUse.taken) ? [] : [{ what: 'the name of another tag', name: other.name }]),
    ...(capitals === undefined ? [] : [{ what: 'the same name in capitals', name: capitals }]),
    { what: 'a shorter name', name: short, isNew: true, isSoughtBefore: true, former: capitals ?? tag.name },
    { what: 'a longer name that begins with the one before', name: long, isNew: true },
  ];
  let current: string | undefined;
  let last: Exchange | undefined;
  for (const step of steps) {
    const { isDone, finding, exchange } = await updateTo(target, tag, step);
    last = exchange;
    if (finding !== undefined) return finding;
    if (isDone) current = step.name;
  }
  // The filter by the first name may still find the tag if the names differ only in letter case.
  const followed = current === long ? await filterFollows(target, tag, long) : holds();
  if (followed.kind !== 'holds') return followed;
  const beginning = inForm(long.slice(0, -2));
  const what = 'the beginning of the name before';
  const cut = await updateTo(target, tag, { what, name: beginning, isNew: true, after: last });
  if (cut.finding !== undefined) return cut.finding;
  // Names of strangers' tags may contain a short tag_id, and fill a page of the filtered list.
  const isFree = listedIn(await target.list(other.tagId))?.length === 0;
  const isLower = plain === plain.toLowerCase() && other.tagId === other.tagId.toLowerCase();
  const isIdKept = keepsCase || isLower || !/\p{L}/u.test(other.tagId);
  return isIdKept && isFree ? updateToIds(target, tag, other, cut.isDone ? beginning : undefined) : holds();
}

/** Updates the tag to the tag_id of another tag, and then to its own. */
async function updateToIds(
  target: Target,
  tag: Tag,
  other: Tag,
  former: string | undefined,
): Promise<Outcome> {
  const { isDone, finding, exchange, entries } = await updateTo(target, tag, {
    what: 'the tag_id of another tag',
    name: other.tagId,
    isNew: true,
    ...(former === undefined ? {} : { former }),
  });
  if (finding !== undefined) return finding;
  if (!isDone) return holds();
  if (entries?.some(({ tagId, name }) => tagId === other.tagId && name !== other.name) === true)
    return broken('an update to the tag_id of another tag changed that other tag', exchange);
  const apart = await keepsApart(target, { tagId: tag.tagId, name: other.tagId }, other);
  // Names of strangers' tags may also contain its own tag_id. The run sends no list for that, so lists must be short.
  if (apart.kind !== 'holds' || !target.facts.hasShortLists) return apart;
  return (await updateTo(target, tag, { what: 'its own tag_id', name: tag.tagId })).finding ?? holds();
}

/**
 * Checks that an update to the tag's current name makes no other tag and loses none, and that a refused update to the name of another tag has no
 * effect. No stranger's tag has a name of the run.
 */
function doublesNone({ same, isLost, afterSame, taken, afterTaken }: ToNamesInUse): Outcome {
  const isDoubled = (list: Exchange): boolean => {
    const entries = listedIn(list) ?? [];
    const [first] = entries;
    return new Set(entries.filter(({ name }) => name === first?.name).map(({ tagId }) => tagId)).size > 1;
  };
  const doubled = (what: string, update: Exchange, list: Exchange): Outcome =>
    broken(`the update to ${what} ${whatCame(update)}, and two tags of that name are listed`, update, list);
  if (isDoubled(afterSame)) return doubled('the name that it has', same, afterSame);
  if (isLost) {
    const why = `the update to the name that it has ${whatCame(same)}, and the filter by that name no longer finds the tag`;
    return broken(why, same, afterSame);
  }
  return afterTaken !== undefined && isDoubled(afterTaken)
    ? doubled('the name of another tag', taken, afterTaken)
    : holds();
}

/** Keeps a finding about an update only if an update to a plain name works. */
export async function unlessPlainFails(target: Target, finding: Outcome): Promise<Outcome> {
  await target.removeTags();
  const twin = await updateTakesEffect(target, await target.makeTag());
  const exchanges: readonly Exchange[] = 'exchanges' in twin ? twin.exchanges : [];
  return twin.kind === 'holds'
    ? finding
    : undecided('failure', 'an update to a plain name does not work either', ...exchanges);
}

export const updateToAnyName: Requirement = {
  id: 'update/to-any-name',
  effort: 'standard',
  section: '4.3',
  sentences: ['1/rename', '2/tag-name-meaning', '4.3/path-tag-id', '4.3/body', '4.3/status-200'],
  level: 'derived',
  derivation:
    'An update of a tag is answered 200 or 422 (4.3), and a confirmed one gives it the name in the body, whatever that name has in common with the name before, with a filter or with another tag.',
  text: 'An update to any of these names is answered 200 and takes effect, or is answered 422: the name that the tag has, a shorter or a longer one, one in another letter case, one that was filtered for, and the name or the tag_id of another tag.',
  cause:
    'An update that changes no row is answered like one of a missing tag, a change of letter case alone or to a name of the same length is not written, a cache by name is not cleared, or the tag is looked up by tag_id or name.',
  // Two tags, and one for each check that the filter follows the update.
  tags: 5,
  check: async (target) => {
    const mixed = await makeMixed(target);
    const other = await target.makeTag();
    const inUse = await updatesToNamesInUse(target);
    const confirmed = allOf(
      ...[inUse.same, inUse.taken].filter((exchange) => statusOf(exchange) === 200).map(matches.success),
    );
    if (confirmed.kind !== 'holds') return confirmed;
    const doubled = doublesNone(inUse);
    if (doubled.kind !== 'holds') return doubled;
    const { stale, taken } = inUse;
    if (stale !== undefined && (await filterWorks(target, target.name()))) {
      const why = `the update to the name of another tag ${whatCame(taken)}, and the filter by the old name still finds the tag`;
      return unlessPlainFails(target, broken(why, taken, stale));
    }
    const outcome = await updateToAll(target, mixed, other, inUse);
    return outcome.kind === 'broken' ? unlessPlainFails(target, outcome) : outcome;
  },
};
