import {
  accepted,
  createdIn,
  type Exchange,
  type Lookup,
  type Secret,
  type Tag,
  type TagOperation,
  type Target,
  whatCame,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { lookIn, shownTags } from '../listed-tags.ts';
import { sendEveryOperation, type EachOperation, newNames, type Subjects } from '../every-operation.ts';
import { likelyPermitAll } from './scope-sets.ts';

/** What a token with some scopes could do, decided by effects and not by statuses. */
export interface Probe {
  readonly scopes: readonly string[];
  readonly permits: Readonly<Record<TagOperation, boolean>>;
  readonly asked: EachOperation<Exchange>;
  /** A tag of the account, which a permitted list discloses. */
  readonly tag: Tag;
  /** The tag that the delete was for. */
  readonly toDelete: Tag;
  /** The name in the create. */
  readonly created: string;
  /** Whether lists with the run's token show the created tag, under the tag_id of the answer. */
  readonly isListed: { readonly created: boolean };
  readonly looks: readonly Exchange[];
}

/** The tags that a probe takes: one to rename, one to delete, and one that it makes. */
export const TAGS_OF_A_PROBE = 3;

type ExistingTags = Pick<Subjects, 'toRename' | 'toDelete'>;

/** Makes the tags for a probe. */
export async function tagsFor(target: Target): Promise<ExistingTags> {
  const [toRename, toDelete] = await target.makeTags('at once', target.name(), target.name());
  return { toRename, toDelete };
}

/** The answers to a token with some scopes. Their effects are not yet known. */
export interface Answers extends Pick<Probe, 'scopes' | 'asked'> {
  readonly subjects: Subjects;
}

/** Sends a request of every operation with the token. */
export async function sendWith(
  target: Target,
  scopes: readonly string[],
  token: Secret,
  tags: ExistingTags,
  names = newNames(target),
): Promise<Answers> {
  const subjects = { ...tags, names };
  return {
    scopes,
    asked: await sendEveryOperation(target, subjects, { token }, { listsAtOnce: true, mayBeLate: true }),
    subjects,
  };
}

/** Looks at the effects of every operation. */
export async function concluded(target: Target, { scopes, asked, subjects }: Answers): Promise<Probe> {
  const { toRename, toDelete, names } = subjects;
  const answered = createdIn(asked.create);
  const isRenamed = ({ entries }: Lookup): boolean =>
    entries.some(({ tagId, name }) => tagId === toRename.tagId && name === names.renamed);
  // The name is compared as well, because a younger tag may have the id now.
  const isDeleted = ({ entries }: Lookup): boolean =>
    !entries.some(
      ({ tagId, name }) => tagId === toDelete.tagId && (name === toDelete.name || typeof name !== 'string'),
    );
  const list = await shownTags(target);
  // A refusal may have a success status, and a list that is late may not show the tag yet, nor its twin.
  const isLate = list !== undefined && lookIn(list, toRename.tagId).entries.length === 0;
  const maySayGone = likelyPermitAll(scopes) && !isLate;
  const [created, renamed, deleted] = await Promise.all([
    effect(target, asked.create, [undefined, names.created], ({ entries }) => entries.length > 0, list),
    effect(target, asked.rename, [toRename.tagId, names.renamed, toRename.name], isRenamed, list),
    effect(target, asked.delete, [toDelete.tagId, toDelete.name], isDeleted, maySayGone ? list : undefined),
  ]);
  return {
    scopes,
    asked,
    tag: toRename,
    toDelete,
    created: names.created,
    isListed: { created: created.entries.some(({ tagId }) => tagId === answered?.tagId) },
    permits: {
      create: created.entries.length > 0 || answered !== undefined,
      rename: isRenamed(renamed),
      list: permitsList(asked, toRename),
      delete: isDeleted(deleted),
    },
    looks: [created, renamed, deleted].flatMap(({ exchanges }) => exchanges),
  };
}

/** Whether one of the two lists disclosed the tag. */
export const permitsList = ({ list, filtered }: Probe['asked'], tag: Tag): boolean =>
  discloses(list, tag) || discloses(filtered, tag);

/** How a request that the token does not permit was answered, as a clause. */
export const howRefused = (exchange: Exchange): string =>
  accepted(exchange) ? `${whatCame(exchange)}, without effect` : whatCame(exchange);

/** The exchange that shows that the token permits the operation. For lists, it is the one that disclosed the tag. */
export const permittedBy = ({ asked, tag }: Probe, operation: TagOperation): Exchange =>
  operation === 'list' && !discloses(asked.list, tag) ? asked.filtered : asked[operation];

/**
 * Waits for the effect of an acknowledged request. After a refusal, looks until one list shows no effect: a lagging
 * replica may not show a new tag at first, as if the tag had been deleted.
 */
async function effect(
  target: Target,
  exchange: Exchange,
  tag: readonly [tagId: string | undefined, ...names: string[]],
  shows: (seen: Lookup) => boolean,
  list: Awaited<ReturnType<typeof shownTags>>,
): Promise<Lookup> {
  const first = list && lookIn(list, ...tag);
  // A list that may be a page does not prove that a tag is gone.
  const isTold = list?.areAll === true || (first?.entries.length ?? 0) > 0;
  if (first !== undefined && isTold && shows(first) === accepted(exchange)) return first;
  const look = (): Promise<Lookup> => target.lookUp(...tag);
  const { seen } = accepted(exchange)
    ? await target.until(look, shows, { kind: exchange.ask.operation === 'delete' ? 'gone' : undefined })
    : await target.until(look, (one) => !shows(one), { late: 'ignored' });
  return seen;
}
