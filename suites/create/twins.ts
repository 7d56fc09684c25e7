import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  ifDecided,
  learn,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { deleteUntilRefused, doDeletedIdsStayFree } from '../freed-ids.ts';
import { listUntil, mayBePage, shows, showsNamed } from '../listed-tags.ts';
import { inOtherCase } from '../open/filter-probe.ts';
import { pagination } from '../open/lists.ts';
import { despiteErrors, isLawful } from '../taken-names.ts';

/** Two tags whose creates had the same name, or one name in two letter cases. */
interface Twins {
  readonly tags: readonly [Tag, Tag];
  /** A third tag of the same name, if the target makes one. */
  readonly third?: Tag;
  readonly creates: readonly Exchange[];
}

/** The result of creates with one name. */
interface Made {
  /** Undecided if the target made fewer than two tags. */
  readonly twins: Twins | Outcome;
  /** Whether the second create was answered with the tag of the first. */
  readonly isGivenAgain: boolean;
}

async function makeOne(
  target: Target,
  name: string,
): Promise<{
  readonly name: string;
  readonly create: Exchange;
  readonly first: ReturnType<typeof createdIn>;
}> {
  const create = await target.create({ name });
  return { name, create, first: createdIn(create) };
}

/** Makes two tags of one name; if the target refuses the second one, of one name in two letter cases. */
async function makeTwins(target: Target): Promise<Made> {
  let isGivenAgain = false;
  // Some targets count a number at the end up, and some refuse numbers.
  const numbered = await makeOne(target, target.names.endingIn('7'));
  const { name, create, first } =
    numbered.first === undefined ? await makeOne(target, target.name()) : numbered;
  if (first === undefined) {
    const twins = undecided('failure', `the create ${whatCame(create)} without a tag`, create);
    return { twins, isGivenAgain };
  }
  // The specification leaves open whether names are unique, and whether letter case matters in that.
  for (const same of [name, target.names.extended(inOtherCase(name), '')]) {
    const again = await despiteErrors(() => target.create({ name: same }, { open: true }));
    if (!isLawful(again)) {
      const why = `the create with the name of another tag${same === name ? '' : ' in another letter case'} ${whatCame(again)}, neither 200 nor 422`;
      return { twins: broken(why, create, again), isGivenAgain };
    }
    const second = createdIn(again);
    if (second !== undefined && second.tagId !== first.tagId) {
      const tags = [
        { tagId: first.tagId, name },
        { tagId: second.tagId, name: same },
      ] as const;
      return { twins: { tags, creates: [create, again] }, isGivenAgain };
    }
    if (second !== undefined && same === name) isGivenAgain = true;
    if (accepted(again) && second === undefined) break;
  }
  return { twins: undecided('choice', 'the target makes no two tags of one name'), isGivenAgain };
}

/** The most tags that `checkReplay` makes. */
const REPLAYED = 3;

/**
 * For targets that answer a create with the existing tag of that name: checks that they no longer do so after that tag
 * was renamed.
 */
async function checkReplay(target: Target): Promise<Outcome> {
  const { tagId, name } = await target.makeTag();
  const create = await target.create({ name }, { open: true });
  const update = await target.rename(tagId, { name: target.name() });
  const again = await target.create({ name }, { open: true });
  if (!accepted(update) || createdIn(again)?.tagId !== tagId) return holds();
  const { list, good } = await listUntil(target, (one) => showsNamed(one, { tagId, name }), { filter: name });
  return good
    ? holds()
    : broken(
        'a create with a name that a tag had before its update was answered with that tag, and no tag of the name is listed',
        create,
        update,
        again,
        list,
      );
}

/** Makes a third tag of the same name, unless the target answers it with one of the two. */
async function withThird(target: Target, twins: Twins): Promise<Twins> {
  const [{ name }] = twins.tags;
  const create = await target.create({ name }, { open: true });
  const tagId = createdIn(create)?.tagId;
  return tagId === undefined || twins.tags.some((tag) => tag.tagId === tagId)
    ? twins
    : { ...twins, third: { tagId, name }, creates: [...twins.creates, create] };
}

/** Checks that all tags are listed, and that an update or a delete of one leaves the others unchanged. */
async function checkTwins(target: Target, two: Twins | Outcome, isPaged: boolean): Promise<Outcome> {
  if ('kind' in two) return two;
  // If lists are paged, even the list filtered by the name may have no room for a third tag.
  const twins = isPaged ? two : await withThird(target, two);
  const listed = await checkListed(target, twins, isPaged);
  return listed.kind === 'holds' ? checkChangedAlone(target, twins) : listed;
}

async function checkListed(target: Target, twins: Twins, isPaged: boolean): Promise<Outcome> {
  const all = [...twins.tags, ...(twins.third === undefined ? [] : [twins.third])];
  const names = [...new Set(all.map(({ name }) => name))];
  const { seen, good } = await target.until(
    async () => {
      const filtered = await Promise.all(names.map((name) => target.list(name)));
      const whole = isPaged ? [] : [await target.list()];
      const isShown = all.every(
        (tag) =>
          filtered.some((list) => shows(list, tag)) &&
          whole.every((list) => shows(list, tag) || mayBePage(target, list)),
      );
      return { isShown, exchanges: [...filtered, ...whole] };
    },
    ({ isShown }) => isShown,
  );
  if (!good)
    return broken(
      `${all.length === 2 ? 'two' : 'three'} creates with one name were answered with a tag_id each, but a list leaves out one of the tags`,
      ...twins.creates,
      ...seen.exchanges,
    );
  const shownAs = ({ tagId }: Tag): unknown =>
    seen.exchanges.flatMap((list) => listedIn(list) ?? []).find((entry) => entry.tagId === tagId)?.name;
  const [first, second] = twins.tags;
  const other = first.name === second.name ? all.find((tag) => shownAs(tag) !== shownAs(first)) : undefined;
  return other === undefined
    ? holds()
    : broken(
        `creates with one name were answered with a tag_id each, but the tags are listed as ${quote(shownAs(first))} and as ${quote(shownAs(other))}`,
        ...twins.creates,
        ...seen.exchanges,
      );
}

async function checkChangedAlone(
  target: Target,
  { tags: [first, second], third, creates }: Twins,
): Promise<Outcome> {
  const renamed = { tagId: second.tagId, name: target.name() };
  const update = await target.rename(second.tagId, { name: renamed.name });
  if (!accepted(update)) return undecided('failure', `the update ${whatCame(update)}`, update);
  const afterUpdate = await bothListed(target, first, renamed);
  if (!afterUpdate.good)
    return broken(
      'an update of one of two tags with the same name did not change that tag alone',
      ...creates,
      update,
      ...afterUpdate.seen.exchanges,
    );
  const remove = await target.delete(first.tagId);
  if (!accepted(remove)) return undecided('failure', `the delete ${whatCame(remove)}`, remove);
  const { seen: left, good: isAlone } = await target.until(
    async () => {
      const [old, now] = await Promise.all([target.list(first.name), target.list(renamed.name)]);
      return { isAlone: !shows(old, first) && shows(now, renamed), exchanges: [old, now] };
    },
    (look) => look.isAlone,
  );
  if (!isAlone)
    return broken(
      'a delete of one of two tags that had the same name did not remove that tag alone',
      ...creates,
      remove,
      ...left.exchanges,
    );
  // A younger tag of the same name exists, so the tag_id of the deleted tag is free if the target does not reuse ids at
  // once.
  if (third === undefined || !(await doDeletedIdsStayFree(target))) return holds();
  const last = (await deleteUntilRefused(target, first.tagId)).at(-1);
  return last !== undefined && accepted(last)
    ? broken(
        'one of several tags with the same name was deleted again, and each time that was confirmed',
        ...creates,
        remove,
        last,
      )
    : holds();
}

const bothListed = (target: Target, first: Tag, renamed: Tag) =>
  target.until(
    async () => {
      const lists = await Promise.all([target.list(first.name), target.list(renamed.name)]);
      const isShown = (tag: Tag): boolean => lists.some((list) => showsNamed(list, tag));
      const isOld = showsNamed(lists[0], { tagId: renamed.tagId, name: first.name });
      return {
        good: (shows(lists[0], first) || isShown(first)) && isShown(renamed) && !isOld,
        exchanges: lists,
      };
    },
    (look) => look.good,
  );

/** Checks that a delete of one of two tags with the same name leaves the other, in the second account. */
async function checkInSecond(target: Target): Promise<Outcome> {
  const { twins } = await makeTwins(target);
  if ('kind' in twins) return twins.kind === 'broken' ? twins : holds();
  const [first, second] = twins.tags;
  const filter = first.name;
  const before = await listUntil(target, (list) => shows(list, first), { filter });
  if (!before.good)
    return broken(
      'in the second account, the filter by the name of a tag does not find the tag',
      ...twins.creates,
      before.list,
    );
  const remove = await target.delete(second.tagId);
  if (!accepted(remove) && statusOf(remove) !== 404) return holds();
  const isRemovedAlone = (list: Exchange): boolean =>
    accepted(remove) && shows(list, first) && !shows(list, second);
  const { list, good } = await listUntil(target, isRemovedAlone, { filter });
  return good
    ? holds()
    : broken(
        `in the second account, the delete of the younger of two tags with the same name ${whatCame(remove)}, and did not remove that tag alone`,
        ...twins.creates,
        remove,
        list,
      );
}

export const sameNameTwice: Requirement = {
  id: 'create/same-name-twice',
  effort: 'standard',
  section: '4.2',
  sentences: ['2/tag-id-meaning', '4.2/status-200-tag-id', '4.4/status-200-tagging'],
  level: 'derived',
  derivation:
    'A create that is answered 200 has made the tag in its answer (4.2), and tag_id tells tags apart (2): two tag_ids are two tags, whatever their names. A name that cannot be used twice is invalid input, which is answered 422 (7).',
  text: 'A second create with the same name is accepted, or refused with 422. Two creates that are answered with different tag_ids make two tags, which are listed, updated and deleted separately.',
  cause: 'Tags are kept, grouped or looked up by their names.',
  // A missing tag can be noticed only if lists show all tags.
  when: 'counted',
  tags: 3,
  check: async (target) => {
    const isPaged = (await learn(target, pagination)) !== 'none';
    const { twins, isGivenAgain } = await makeTwins(target);
    const outcome = await checkTwins(target, twins, isPaged);
    if (outcome.kind === 'broken') return outcome;
    await target.removeTags();
    const hasRoom = target.facts.room >= REPLAYED;
    const replayed = isGivenAgain && hasRoom ? await checkReplay(target) : holds();
    if (replayed.kind === 'broken') return replayed;
    if (outcome.kind !== 'holds') return outcome;
    await target.removeTags();
    // Without a second account there is nothing more to check.
    return (await ifDecided(() => checkInSecond(target.second))) ?? outcome;
  },
};
