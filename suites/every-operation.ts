import {
  accepted,
  answers,
  type Exchange,
  listedIn,
  type Lookup,
  type RequestOverrides,
  type Tag,
  type TagOperation,
  type Target,
} from '../lib/check.ts';
import { discloses } from './disclosure.ts';
import { lookIn, shownTags } from './listed-tags.ts';

/** The tags and names that requests of every operation use. The tags may be the same. */
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
 * Prepares one request of every operation, all with the same departure from a valid request, such as another
 * credential. Each returned function sends its request.
 *
 * @param options.areSentAgain whether a request is sent once more if its answer got lost. It must have no effect: the
 *   first one may have been carried out.
 */
export function everyOperation(
  target: Target,
  { toRename, toDelete, names }: Subjects,
  departure: RequestOverrides,
  { areSentAgain = false } = {},
): EachOperation<() => Promise<Exchange>> {
  const sent = (send: () => Promise<Exchange>) => async (): Promise<Exchange> => {
    const exchange = await send();
    return areSentAgain && answers.isLost(exchange) ? send() : exchange;
  };
  return {
    list: sent(() => target.list(undefined, departure)),
    filtered: sent(() => target.list(toRename.name, departure)),
    create: sent(() => target.create({ name: names.created }, departure)),
    rename: sent(() => target.rename(toRename.tagId, { name: names.renamed }, departure)),
    delete: sent(() => target.delete(toDelete.tagId, departure)),
  };
}

/**
 * Sends one request of every operation: first the lists, because an accepted write changes them, then all writes at the
 * same time.
 *
 * @param options.mayBeLate whether the lists are repeated until they show the tag: a tag that another token made may
 *   show late.
 */
export async function sendEveryOperation(
  target: Target,
  subjects: Subjects,
  departure: RequestOverrides,
  {
    listsAtOnce,
    mayBeLate = false,
    areSentAgain = false,
  }: { readonly listsAtOnce: boolean; readonly mayBeLate?: boolean; readonly areSentAgain?: boolean },
): Promise<EachOperation<Exchange>> {
  const requests = everyOperation(target, subjects, departure, { areSentAgain });
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

/** Repeats a list until it discloses the tag or cannot be read; returns the last answer. */
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

const acceptedWrites = ({ create, rename, delete: remove }: EachOperation<Exchange>): readonly Exchange[] =>
  [create, rename, remove].filter(accepted);

/** What the lists show after requests of every operation. */
interface Aftermath {
  /** The lookup of the tag to create. */
  readonly made: Lookup;
  /** The lookup of the tag to rename. */
  readonly kept: Lookup;
  /** Whether none of the requests had an effect. */
  readonly isUntouched: boolean;
  readonly exchanges: readonly Exchange[];
}

/** Looks for effects of requests of every operation. */
export async function aftermath(target: Target, { toRename, toDelete, names }: Subjects): Promise<Aftermath> {
  const keeps = ({ entries }: Lookup, tag: Tag): boolean =>
    entries.length > 0 && entries.every(({ tagId, name }) => tagId === tag.tagId && name === tag.name);
  const shown = await shownTags(target);
  if (shown !== undefined) {
    const [made, kept, other] = [
      lookIn(shown, undefined, names.created),
      lookIn(shown, toRename.tagId, toRename.name),
      lookIn(shown, toDelete.tagId, toDelete.name),
    ];
    if (made.entries.length === 0 && keeps(kept, toRename) && keeps(other, toDelete)) {
      const exchanges = [shown.list];
      if (shown.areAll) return { made, kept, isUntouched: true, exchanges };
      // A new tag may be on another page.
      const filtered = await target.list(names.created);
      exchanges.push(filtered);
      if (listedIn(filtered)?.length === 0) return { made, kept, isUntouched: true, exchanges };
    }
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

/** The lists are checked for effects at one in this many credentials with an accepted write, beginning with the first. */
const LOOKED_FOR_EACH = 10;

const bodyOf = (exchange: Exchange): string => JSON.stringify(exchange.answer?.json.value);

/**
 * Sends requests of every operation with several credentials, all with the same tags and names, so that one look at the
 * lists in the end shows whether any request had an effect. If a write was accepted, the look is repeated for the
 * settle time, because some targets answer a refusal with 200.
 *
 * After an accepted delete, no other request uses the tag_id until lists have shown for the settle time that the tag
 * still exists: otherwise the target may have given the tag_id to a stranger's tag.
 *
 * @param sendWith sends a request of every operation with one credential; returns undefined if that is impossible.
 * @param refusals the bodies of answers to deletes that had no effect, for several calls. Whatever is answered like these
 *   is refused, so that no look has to be repeated.
 * @returns undefined if a request had an effect. Then each credential must be tried alone.
 */
export async function sendInTurn<C, A>(
  target: Target,
  subjects: Subjects,
  credentials: readonly C[],
  sendWith: (
    credential: C,
  ) => Promise<{ readonly answers: A; readonly asked: EachOperation<Exchange> } | undefined>,
  refusals = new Set<string>(),
): Promise<{ readonly all: readonly A[]; readonly after: Aftermath } | undefined> {
  const all: A[] = [];
  const writes: Exchange[] = [];
  let inDoubt = 0;
  const look = (): Promise<Aftermath> => aftermath(target, subjects);
  const lookAfterwards = async (): Promise<Aftermath> =>
    (await target.until(look, ({ isUntouched }) => !isUntouched, { late: 'ignored' })).seen;
  for (const credential of credentials) {
    const one = await sendWith(credential);
    if (one === undefined) continue;
    all.push(one.answers);
    const acknowledged = acceptedWrites(one.asked);
    if (acknowledged.length === 0) continue;
    writes.push(...acknowledged);
    const { delete: remove } = one.asked;
    const mayBeDeleted = accepted(remove) && !refusals.has(bodyOf(remove));
    // Some targets answer refusals with a success status. An effect does not disappear, so it is enough to look now and
    // then.
    const isLookedFor = inDoubt++ % LOOKED_FOR_EACH === 0;
    if (mayBeDeleted || isLookedFor) {
      const { isUntouched } = await (mayBeDeleted ? lookAfterwards() : look());
      if (!isUntouched) return undefined;
    }
    if (mayBeDeleted) refusals.add(bodyOf(remove));
  }
  const areRefused = writes.every((write) => refusals.has(bodyOf(write)));
  const after = areRefused ? await look() : await lookAfterwards();
  return after.isUntouched ? { all, after } : undefined;
}
