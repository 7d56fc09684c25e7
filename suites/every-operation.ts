import {
  accepted,
  type Exchange,
  jsonOf,
  listedIn,
  type Lookup,
  type RequestOverrides,
  type Tag,
  type TagOperation,
  type Target,
} from '../lib/check.ts';
import { discloses } from './disclosure.ts';
import { allTags, lookIn } from './listed-tags.ts';

/** The tags that one request of every operation is about, which may be the same tag, and the names that it gives. */
export interface Subjects {
  readonly toRename: Tag;
  readonly toDelete: Tag;
  readonly names: { readonly created: string; readonly renamed: string };
}

export const newNames = (target: Target): Subjects['names'] => ({
  created: target.name(),
  renamed: target.name(),
});

/** One value for each operation. `filtered` is the list with the name of the tag to rename as its filter. */
export type EachOperation<T> = Readonly<Record<TagOperation | 'filtered', T>>;

/**
 * Prepares one request of every operation, all with the same departure, such as another credential. Calling a function
 * sends its request.
 */
export function everyOperation(
  target: Target,
  { toRename, toDelete, names }: Subjects,
  departure: RequestOverrides,
): EachOperation<() => Promise<Exchange>> {
  return {
    list: () => target.list(undefined, departure),
    filtered: () => target.list(toRename.name, departure),
    create: () => target.create({ name: names.created }, departure),
    rename: () => target.rename(toRename.tagId, { name: names.renamed }, departure),
    delete: () => target.delete(toDelete.tagId, departure),
  };
}

/**
 * Sends one request of every operation: first the lists, because an accepted write changes them, then the writes at once.
 *
 * @param options.mayBeLate whether the lists may show a tag late that another token made; they are repeated until then.
 */
export async function askEveryOperation(
  target: Target,
  subjects: Subjects,
  departure: RequestOverrides,
  { listsAtOnce, mayBeLate = false }: { readonly listsAtOnce: boolean; readonly mayBeLate?: boolean },
): Promise<EachOperation<Exchange>> {
  const requests = everyOperation(target, subjects, departure);
  const [list, first] = listsAtOnce
    ? await Promise.all([requests.list(), requests.filtered()])
    : [await requests.list(), await requests.filtered()];
  const { toRename } = subjects;
  const filtered =
    mayBeLate && !discloses(list, toRename)
      ? await untilDisclosed(target, toRename, first, requests.filtered)
      : first;
  const [create, rename, remove] = await Promise.all([
    requests.create(),
    requests.rename(),
    requests.delete(),
  ]);
  return { list, filtered, create, rename, delete: remove };
}

/** The first of these lists that discloses the tag or is no list, else the last one. */
async function untilDisclosed(
  target: Target,
  tag: Tag,
  first: Exchange,
  again: () => Promise<Exchange>,
): Promise<Exchange> {
  let next: Exchange | undefined = first;
  const { seen } = await target.until(
    async () => {
      const list = next ?? (await again());
      next = undefined;
      return { list, exchanges: [list] };
    },
    ({ list }) => listedIn(list) === undefined || discloses(list, tag),
  );
  return seen.list;
}

const isAnyWriteAccepted = ({ create, rename, delete: remove }: EachOperation<Exchange>): boolean =>
  [create, rename, remove].some(accepted);

/** What the lists show after requests of every operation. */
interface Aftermath {
  /** The look for the tag to create. */
  readonly made: Lookup;
  /** The look for the tag to rename. */
  readonly kept: Lookup;
  /** None of the requests had an effect. */
  readonly isUntouched: boolean;
  readonly exchanges: readonly Exchange[];
}

/** Looks at what requests of every operation have done. */
export async function aftermath(target: Target, { toRename, toDelete, names }: Subjects): Promise<Aftermath> {
  const keeps = ({ entries }: Lookup, tag: Tag): boolean =>
    entries.length > 0 && entries.every(({ tagId, name }) => tagId === tag.tagId && name === tag.name);
  const all = await allTags(target);
  if (all !== undefined) {
    const [made, kept, other] = [
      lookIn(all, undefined, names.created),
      lookIn(all, toRename.tagId, toRename.name),
      lookIn(all, toDelete.tagId, toDelete.name),
    ];
    if (made.entries.length === 0 && keeps(kept, toRename) && keeps(other, toDelete))
      return { made, kept, isUntouched: true, exchanges: [all.list] };
  }
  const [made, kept, other] = await Promise.all([
    target.lookUp(undefined, names.created),
    target.lookUp(toRename.tagId, toRename.name),
    toDelete === toRename ? undefined : target.lookUp(toDelete.tagId, toDelete.name),
  ]);
  return {
    made,
    kept,
    isUntouched:
      made.entries.length === 0 && keeps(kept, toRename) && (other === undefined || keeps(other, toDelete)),
    exchanges: [made, kept, ...(other === undefined ? [] : [other])].flatMap((look) => look.exchanges),
  };
}

/** One of this many accepted writes is followed by a look for effects. */
const LOOKED_FOR_EACH = 10;

const bodyOf = (exchange: Exchange): string => JSON.stringify(jsonOf(exchange));

/**
 * Asks with several credentials, all about the same tags and with the same names: one look at the end shows that no
 * request had an effect. It is repeated for the settle time if a write was accepted, because some targets refuse with 200.
 *
 * A delete that took effect frees the tag_id, and lists may show the tag for a while: until it is known to have had none, no
 * other request goes to that tag_id, which may be a stranger's by then.
 *
 * @param askWith sends a request of every operation with one credential; undefined: it cannot be asked with.
 * @returns undefined if a request had an effect: then each credential has to be tried by itself.
 */
export async function askInTurn<C, A>(
  target: Target,
  subjects: Subjects,
  credentials: readonly C[],
  askWith: (
    credential: C,
  ) => Promise<{ readonly answers: A; readonly asked: EachOperation<Exchange> } | undefined>,
): Promise<{ readonly all: readonly A[]; readonly after: Aftermath } | undefined> {
  const all: A[] = [];
  let writes = 0;
  // Answers to deletes that had no effect.
  const refusals = new Set<string>();
  const look = (): Promise<Aftermath> => aftermath(target, subjects);
  const lookAfterwards = async (): Promise<Aftermath> =>
    (await target.until(look, ({ isUntouched }) => !isUntouched, { late: 'ignored' })).seen;
  for (const credential of credentials) {
    const one = await askWith(credential);
    if (one === undefined) continue;
    all.push(one.answers);
    if (!isAnyWriteAccepted(one.asked)) continue;
    const { delete: remove } = one.asked;
    const mayBeDeleted = accepted(remove) && !refusals.has(bodyOf(remove));
    // Some targets answer refusals with a success. Effects stay, so that a look now and then notices them soon enough.
    const isLookedFor = writes++ % LOOKED_FOR_EACH === 0;
    if (mayBeDeleted || isLookedFor) {
      const { isUntouched } = await (mayBeDeleted ? lookAfterwards() : look());
      if (!isUntouched) return undefined;
    }
    if (mayBeDeleted) refusals.add(bodyOf(remove));
  }
  const after = writes > 0 ? await lookAfterwards() : await look();
  return after.isUntouched ? { all, after } : undefined;
}
