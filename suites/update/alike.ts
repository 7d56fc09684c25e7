import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  learn,
  type Listed,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  type Target,
  undecided,
} from '../../lib/check.ts';
import { mayBePage } from '../listed-tags.ts';
import { isFormOf } from '../names/kept-form.ts';
import { pagination } from '../open/lists.ts';
import { unlessPlainFails } from './any-name.ts';

/**
 * The names of one tag, which are similar to those of the other tags: all names share their letters and differ in their
 * ends. `ends` has the end in the create, in a first update and in a second one. Since a target may keep a name in
 * another form, the updates together also remove blanks and compatibility forms and add an accent.
 */
interface Course {
  readonly ends: readonly [string, string?, string?];
  /** The text before the letters. */
  readonly start?: string;
  /** Whether it is made after the tags that a target may confuse it with. */
  readonly isLater?: true;
  /** Whether it is updated after the others, so that an update of another tag in its place can be noticed. */
  readonly isLast?: true;
  /**
   * Whether it is deleted in the end, while tags remain whose names a pattern or a path made of its name would match.
   */
  readonly isDeleted?: true;
}

const COURSES: readonly Course[] = [
  // A fullwidth letter, the ASCII letter, and the letter with an accent.
  { ends: ['/\uff58', '/x', '/\u1e8b'] },
  { ends: ['/_', '/_1', '/_'], isLast: true, isDeleted: true },
  { ends: [' ', ''], isDeleted: true },
  // Some code escapes a name only in a second update. A colon may join a name to that of a parent.
  { ends: [':😀', ':🍣', ':<&"'] },
  { ends: ['%'], isDeleted: true },
  // The end of the first tag in upper case, and with an accent.
  { ends: ['/\uff38'], isLater: true },
  { ends: ['/\uff58\u0301'], isLater: true },
  // Some collations ignore blanks at the ends.
  { start: ' ', ends: ['% '], isLater: true },
];

/** A tag with the name that it was given last. */
interface Tag {
  readonly course: Course;
  readonly tagId: string;
  readonly name: string;
}

/** Updates the tags to their names of a round. A tag whose update is refused keeps its name. */
async function updated(target: Target, tags: readonly Tag[], nameOf: NameOf, round: 1 | 2) {
  const exchanges: Exchange[] = [];
  const update = async (tag: Tag): Promise<Tag> => {
    const end = tag.course.ends[round];
    if (end === undefined) return tag;
    const name = nameOf(end, tag.course);
    const exchange = await target.rename(tag.tagId, { name });
    exchanges.push(exchange);
    return accepted(exchange) ? { ...tag, name } : tag;
  };
  const first = await Promise.all(tags.filter(({ course }) => course.isLast !== true).map(update));
  const last = await Promise.all(tags.filter(({ course }) => course.isLast === true).map(update));
  return { tags: [...first, ...last], exchanges };
}

const NOT_LISTED = 'not listed';

type NameOf = (end: string, course?: Course) => string;

/**
 * Looks whether each tag is listed with a faithful form of its name.
 *
 * @param isFaithful whether a kept name is such a form of the name that was sent.
 */
async function look(
  target: Target,
  tags: readonly Tag[],
  isFaithful: (kept: string, name: string) => boolean = isFormOf,
) {
  const isShown = (entries: readonly Listed[], { tagId, name }: Tag): boolean =>
    entries.some(
      (entry) => entry.tagId === tagId && typeof entry.name === 'string' && isFaithful(entry.name, name),
    );
  const { seen, good } = await target.until(
    async () => {
      // One list shows all of them, if lists are short.
      const whole = target.facts.hasShortLists ? await target.list() : undefined;
      const shown = whole === undefined ? [] : (listedIn(whole) ?? []);
      const missing = tags.filter((tag) => !isShown(shown, tag));
      const looks = await Promise.all(missing.map((tag) => target.lookUp(tag.tagId, tag.name)));
      const entries = [...shown, ...looks.flatMap((one) => one.entries)];
      return {
        entries,
        leftOut: shown.length > 0 && whole !== undefined && !mayBePage(target, whole) ? missing : [],
        exchanges: [...(whole === undefined ? [] : [whole]), ...looks.flatMap((one) => one.exchanges)],
      };
    },
    ({ entries }) => tags.every((tag) => isShown(entries, tag)),
    { late: 'ignored' },
  );
  const odd = tags.find((tag) => !isShown(seen.entries, tag));
  const now = seen.entries.find(({ tagId }) => tagId === odd?.tagId)?.name;
  const leftOut = good && seen.leftOut.length > 0 ? await stillLeftOut(target, seen.leftOut) : undefined;
  return {
    good,
    leftOut,
    entries: seen.entries,
    exchanges: seen.exchanges,
    odd,
    fate: now === undefined ? NOT_LISTED : `named ${quote(now)}`,
    mayBeOnAnotherPage: !good && now === undefined && seen.exchanges.some((list) => mayBePage(target, list)),
  };
}

/**
 * A tag that lists show with the name of one that was made later, in place of its own: a create may have renamed it. The name may also
 * be the form in which the target keeps its own name.
 */
function renamedByLater({ names }: Target, tags: readonly Tag[], entries: readonly Listed[]) {
  const later = new Set<unknown>(tags.flatMap(({ course, name }) => (course.isLater === true ? [name] : [])));
  for (const odd of tags) {
    const now = entries.find(({ tagId }) => tagId === odd.tagId)?.name;
    const isKeptAsSent = names.inKeptCase(odd.name).every((form) => form === odd.name);
    if (now !== odd.name && later.has(now) && isKeptAsSent) return { odd, fate: `named ${quote(now)}` };
  }
  return undefined;
}

/** A page may show all tags of the run until a stranger's tag pushes one of them off. */
const onAnotherPage = (...exchanges: readonly Exchange[]): Outcome =>
  undecided(
    'choice',
    'lists may be pages, and a tag with a similar name may be on another one',
    ...exchanges,
  );

/** The first of these tags that unfiltered lists leave out during the whole settle time, although they show others. */
async function stillLeftOut(target: Target, tags: readonly Tag[]) {
  const { seen, good } = await target.until(
    async () => {
      const list = await target.list();
      const ids = new Set(listedIn(list)?.map(({ tagId }) => tagId));
      return { tag: tags.find(({ tagId }) => !ids.has(tagId)), exchanges: [list] };
    },
    ({ tag }) => tag === undefined,
    { late: 'ignored' },
  );
  const isShort = seen.exchanges.every((list) => !mayBePage(target, list));
  return good || seen.tag === undefined || !isShort
    ? undefined
    : { tag: seen.tag, exchanges: seen.exchanges };
}

/**
 * Judges a tag that is not listed with its name although its create was answered with a tag_id of its own. Broken if a
 * create with such a name works while no tag has a similar name, because then the similar names are the cause.
 */
async function lostBeside(
  target: Target,
  { odd, fate, exchanges }: Pick<Awaited<ReturnType<typeof look>>, 'odd' | 'fate' | 'exchanges'>,
  nameOf: NameOf,
  creates: readonly Exchange[],
  isFaithful = isFormOf,
): Promise<Outcome> {
  const lacking = undecided('failure', 'a create with such a name has no effect', ...creates, ...exchanges);
  if (odd === undefined) return lacking;
  await target.removeTags();
  const start = /^ ?/.exec(odd.name)?.[0] ?? '';
  const end = odd.name.slice(start.length + nameOf('').length);
  const name = target.names.extended(`${start}${target.name()}`, end);
  const tagId = createdIn(await target.create({ name }))?.tagId;
  if (tagId === undefined || !(await look(target, [{ ...odd, tagId, name }], isFaithful)).good)
    return lacking;
  return broken(
    `creates with similar names were answered with a tag_id each, but the tag ${quote(odd.name)} is ${fate}`,
    ...creates,
    ...exchanges,
  );
}

const leftOutOf = (
  { tag, exchanges }: NonNullable<Awaited<ReturnType<typeof stillLeftOut>>>,
  before: readonly Exchange[],
): Outcome =>
  broken(
    `a tag was given the name ${quote(tag.name)}, and the list without a filter leaves it out`,
    ...before,
    ...exchanges,
  );

async function checkAlike(target: Target): Promise<Outcome> {
  const letters = target.name();
  const nameOf: NameOf = (end, course) => target.names.extended(`${course?.start ?? ''}${letters}`, end);
  const create = (course: Course): Promise<Exchange> =>
    target.create({ name: nameOf(course.ends[0], course) });
  const first = await Promise.all(COURSES.filter(({ isLater }) => isLater !== true).map(create));
  const creates = [
    ...first,
    ...(await Promise.all(COURSES.filter(({ isLater }) => isLater === true).map(create))),
  ];
  const made = COURSES.flatMap((course, at): Tag[] => {
    const exchange = creates[at];
    const tagId = exchange === undefined ? undefined : createdIn(exchange)?.tagId;
    // A target may answer a create with the existing tag if it treats the name as taken.
    const isOther = creates.slice(0, at).every((other) => createdIn(other)?.tagId !== tagId);
    return tagId === undefined || !isOther ? [] : [{ course, tagId, name: nameOf(course.ends[0], course) }];
  });
  // A target may refuse each of these names, or treat it as taken.
  if (made.length === 0) return undecided('choice', 'the target accepts no such names', ...creates);
  const start = await look(target, made);
  if (start.mayBeOnAnotherPage) return onAnotherPage(...start.exchanges);
  if (!start.good) return lostBeside(target, start, nameOf, creates);
  if (start.leftOut !== undefined) return leftOutOf(start.leftOut, [...creates, ...start.exchanges]);
  const renamed = renamedByLater(target, made, start.entries);
  if (renamed !== undefined)
    return lostBeside(target, { ...start, ...renamed }, nameOf, creates, (kept, name) => kept === name);
  let tags: readonly Tag[] = made;
  for (const round of [1, 2] as const) {
    const { tags: now, exchanges } = await updated(target, tags, nameOf, round);
    tags = now;
    const removed = round === 1 ? [] : tags.filter(({ course }) => course.isDeleted === true);
    const deletes = await Promise.all(removed.map(({ tagId }) => target.delete(tagId)));
    const {
      good,
      odd,
      fate,
      leftOut,
      exchanges: looks,
      mayBeOnAnotherPage,
    } = await look(
      target,
      tags.filter((tag) => !removed.includes(tag)),
    );
    if (leftOut !== undefined) return leftOutOf(leftOut, [...exchanges, ...looks]);
    if (good || odd === undefined) continue;
    if (mayBeOnAnotherPage) return onAnotherPage(...looks);
    const others = removed.length === 0 ? '' : ', and tags with similar names were deleted';
    return broken(
      `a tag was given the name ${quote(odd.name)}${others}, and it is ${fate}`,
      ...exchanges,
      ...deletes,
      ...looks,
    );
  }
  return holds();
}

export const updateToNameAlike: Requirement = {
  id: 'update/to-a-name-alike',
  effort: 'standard',
  section: '4.3',
  sentences: ['1/rename', '2/tag-name-meaning', '4.3/path-tag-id', '4.3/body', '4.3/status-200'],
  level: 'derived',
  derivation:
    'A confirmed update gives the tag that the path identifies the name in the body (4.3), and no other tag, however alike the two names are to each other or to those of other tags.',
  text: 'An update to a name that differs from the one before in a blank, an accent, a compatibility form or an emoji takes effect, and neither an update nor a delete changes a tag that a pattern or a path made of the name would match.',
  cause:
    'The new name is compared with the old one by a collation that takes them for equal, or other tags are looked up by LIKE or by the start of their names.',
  tags: COURSES.length,
  when: 'counted',
  check: async (target) => {
    if ((await learn(target, pagination)) !== 'none')
      return undecided(
        'choice',
        'lists are paged, so that tags with similar names may push one another off the page',
      );
    const outcome = await checkAlike(target);
    return outcome.kind === 'broken' ? unlessPlainFails(target, outcome) : outcome;
  },
};
