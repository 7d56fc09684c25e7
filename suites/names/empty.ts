import {
  accepted,
  allOf,
  broken,
  createdIn,
  type Exchange,
  holds,
  learn,
  listedIn,
  type Outcome,
  quote,
  type Requirement,
  statusOf,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { expectNoTag, isLeft } from '../create/left-behind.ts';
import { listUntil, mayBePage } from '../listed-tags.ts';
import { oddUpdates } from '../odd-bodies.ts';
import { pagination } from '../open/lists.ts';
import { aboutNames } from './about.ts';
import { isFormOf } from './kept-form.ts';
import { acceptedOr422 } from './refused-name.ts';

/** Names without visible characters. */
export const [EMPTY, BLANK] = ['', '   '];

/** A create with such a name and, if it was accepted, what became of its tag. */
interface InvisibleCreate {
  readonly create: Exchange;
  readonly kept?: Outcome;
}

/**
 * A filter cannot find names without visible characters, so only a list of all tags shows their tags.
 *
 * @throws Undecided if lists are paged.
 */
export async function requireCompleteLists(target: Target): Promise<void> {
  if ((await learn(target, pagination)) !== 'none')
    throw new Undecided('choice', 'lists are paged, so a tag with this name might not be found again');
}

/**
 * Creates a tag with such a name, once in a run, and deletes it.
 *
 * @throws Undecided if a stranger has a tag with this name.
 */
export async function createInvisible(target: Target, name: string): Promise<InvisibleCreate> {
  await requireCompleteLists(target);
  return target.shared(`a create with the name ${quote(name)}`, 1, (shared) =>
    // A target may store an empty and a blank name in the same form.
    shared.run('exclusively', async () => {
      const { entries } = await shared.lookUp(undefined, name);
      if (entries.length > 0) throw new Undecided('tester', 'a stranger has a tag with this name');
      const create = await shared.create({ name });
      const tagId = accepted(create) ? createdIn(create)?.tagId : undefined;
      if (tagId === undefined) return { create };
      const kept = await isKept(shared, tagId, name, create);
      if (kept.kind !== 'holds') return { create, kept };
      const remove = await shared.delete(tagId);
      const why = `the delete of a tag with the name ${quote(name)} ${whatCame(remove)}, not 200`;
      return { create, kept: accepted(remove) ? holds() : broken(why, create, remove) };
    }),
  );
}

/** Checks that a list shows the tag with a faithful form of the name. */
async function isKept(target: Target, tagId: string, name: string, write: Exchange): Promise<Outcome> {
  const nameIn = (list: Exchange): unknown => listedIn(list)?.find((tag) => tag.tagId === tagId)?.name;
  const isForm = (kept: unknown): boolean => typeof kept === 'string' && isFormOf(kept, name);
  const { list, good } = await listUntil(target, (one) => isForm(nameIn(one)), { late: 'ignored' });
  const kept = nameIn(list);
  // A quota may have kept the account so small that it was not seen that lists are paged.
  const mayBeOnAnotherPage = kept === undefined && mayBePage(target, list);
  if (good || listedIn(list) === undefined || mayBeOnAnotherPage) return holds();
  return broken(
    `the name ${quote(name)} ${whatCame(write)}, yet ${kept === undefined ? 'no list shows the tag' : `the tag is listed as ${quote(kept)}`}`,
    write,
    list,
  );
}

/** Updates a tag to a name that an update was accepted with before; once in a run. */
const updateIsKept = (target: Target, name: string): Promise<Outcome> =>
  target.shared(`an update to the name ${quote(name)}`, 1, async (shared) => {
    const { tagId } = await shared.makeTag();
    const update = await shared.rename(tagId, { name });
    return accepted(update) ? isKept(shared, tagId, name, update) : holds();
  });

/** A refused create of a name. */
interface Refused {
  readonly name: string;
  readonly create: Exchange;
}

/** Checks that no list shows a tag that a refused create made: with its name, which no list showed before, or with another one. */
async function leftNone(target: Target, refused: readonly Refused[]): Promise<Outcome> {
  if (refused.length === 0) return holds();
  const list = await target.list();
  // Another check may update a tag to such a name at the same time.
  const known = new Set(target.facts.tags.map(({ tagId }) => tagId));
  const unknown = listedIn(list)?.filter(({ tagId }) => !known.has(tagId));
  const left = refused.find(({ name }) => unknown?.some((tag) => tag.name === name));
  if (left !== undefined)
    return broken(
      `the create with the name ${quote(left.name)} ${whatCame(left.create)}, yet a tag with that name is listed`,
      left.create,
      list,
    );
  const isSuspect = unknown?.some((tag) => isLeft(tag, new Set(), [])) === true;
  return isSuspect ? leftUnderAnotherName(target, refused) : holds();
}

/** Sends the refused creates again, each alone: a tag is listed with a name as programs give it, which a stranger may have made. */
const leftUnderAnotherName = (target: Target, refused: readonly Refused[]): Promise<Outcome> =>
  target.shared('creates of names without a visible character again', 2, async (shared) => {
    for (const { name } of refused) {
      const { left } = await expectNoTag(shared, () => shared.create({ name }), []);
      if (left !== undefined)
        return broken(`a create with the name ${quote(name)} ${left.why}`, ...left.exchanges);
    }
    return holds();
  });

export const empty: Requirement = {
  ...aboutNames({
    id: 'empty',
    words: 'no visible character',
    cause: 'A name that counts as false is left out, or is replaced by a default.',
  }),
  text: 'A name with no visible character is refused with 422, or accepted and then kept, listed and deleted like any other.',
  effort: 'standard',
  when: 'counted',
  check: async (target) => {
    const outcomes: Outcome[] = [];
    const refused: Refused[] = [];
    for (const name of [EMPTY, BLANK]) {
      const { create, kept = holds() } = await createInvisible(target, name);
      outcomes.push(acceptedOr422(create, name, 'create'), kept);
      if (statusOf(create) === 422) refused.push({ name, create });
    }
    outcomes.push(await leftNone(target, refused));
    const { sent } = await oddUpdates(target);
    for (const { kind, exchange, body } of sent)
      if (kind === 'blank' && accepted(exchange))
        outcomes.push(await updateIsKept(target, (body as { readonly name: string }).name));
    return allOf(...outcomes);
  },
};
