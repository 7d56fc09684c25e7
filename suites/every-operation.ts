import {
  accepted,
  type Exchange,
  type RequestOverrides,
  type Tag,
  type TagOperation,
  type Target,
} from '../lib/check.ts';

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

/** Sends one request of every operation: first the lists, because an accepted write changes them, then the writes at once. */
export async function askEveryOperation(
  target: Target,
  subjects: Subjects,
  departure: RequestOverrides,
  { listsAtOnce }: { readonly listsAtOnce: boolean },
): Promise<EachOperation<Exchange>> {
  const requests = everyOperation(target, subjects, departure);
  const [list, filtered] = listsAtOnce
    ? await Promise.all([requests.list(), requests.filtered()])
    : [await requests.list(), await requests.filtered()];
  const [create, rename, remove] = await Promise.all([
    requests.create(),
    requests.rename(),
    requests.delete(),
  ]);
  return { list, filtered, create, rename, delete: remove };
}

export const isAnyWriteAccepted = ({ create, rename, delete: remove }: EachOperation<Exchange>): boolean =>
  [create, rename, remove].some(accepted);
