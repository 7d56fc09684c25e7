import {
  accepted,
  createdIn,
  type Exchange,
  ifDecided,
  LIMITED_SCOPES,
  listedIn,
  type Lookup,
  type Secret,
  type Tag,
  TAG_OPERATIONS,
  type TagOperation,
  type Target,
} from '../lib/check.ts';

/** All seven in no order, with api neither first nor last. */
export const API_AMONG_ALL = ['mutation_read', 'user', 'bank_read', 'api', 'bank', 'mutation', 'user_read'];

/** Sets of scopes whose tokens are tried out; api alone is the twin of them all. */
const SETS: readonly (readonly string[])[] = [
  ...LIMITED_SCOPES.map((scope) => [scope]),
  ['user_read', 'bank_read', 'mutation_read'],
  API_AMONG_ALL,
  ['api'],
];

/** On a target that keeps one token at a time each set costs a login more, and the budget has to last. */
const FEWER_SETS = [...LIMITED_SCOPES.map((scope) => [scope]), API_AMONG_ALL];

/** What a token with some scopes could do, decided by effects and not by statuses. */
export interface Probe {
  readonly scopes: readonly string[];
  readonly permits: Readonly<Record<TagOperation, boolean>>;
  readonly asked: Readonly<Record<TagOperation, Exchange>>;
  /** The list with a filter, which may be guarded otherwise than the one without. */
  readonly filtered: Exchange;
  /** A tag of the account, which the lists would give away. */
  readonly bait: Tag;
  readonly looks: readonly Exchange[];
}

/** Tries out the token of every set of scopes that the target gave one for; done once in a run. */
export async function scopeProbes(target: Target): Promise<readonly Probe[]> {
  const { early } = await survey(target);
  if (early !== undefined) return early;
  const powerless =
    (await target.shared('scope-probes-together', TAGS_OF_A_SET, (shared) =>
      ifDecided(() => together(shared)),
    )) ?? [];
  const others = SETS.filter((scopes) => !powerless.some((probe) => probe.scopes === scopes));
  const probes = await Promise.all(
    others.map((scopes) =>
      target.shared(`scope-probe-${scopes.join('-')}`, TAGS_OF_A_SET, (shared) => alone(shared, scopes)),
    ),
  );
  return [...powerless, ...probes.filter((probe) => probe !== undefined)];
}

/** Scopes that a target may well let do everything with tags. */
const OFTEN_ENOUGH = new Set(['api', 'mutation']);

/**
 * Tries out the sets that are likely to be refused, all on the same tags: enough where none of them can do anything.
 *
 * @returns nothing where one of them can: then what the others can do has to be told apart.
 */
async function together(shared: Target): Promise<readonly Probe[]> {
  const bait = await baits(shared);
  // The same names for all: one look tells whether any of them came to be.
  const names = { created: shared.name(), renamed: shared.name() };
  const tried: Asked[] = [];
  for (const scopes of SETS) {
    if (scopes.some((scope) => OFTEN_ENOUGH.has(scope))) continue;
    const token = await ifDecided(() => shared.token(scopes));
    if (token === undefined) continue;
    const one = await asked(shared, scopes, token, bait, names);
    const { create, rename, delete: remove } = one.asked;
    if ([create, rename, remove].some(accepted)) return [];
    tried.push(one);
  }
  const sights = await Promise.all([
    shared.lookUp(undefined, names.created),
    shared.lookUp(bait.toRename.tagId, bait.toRename.name),
    shared.lookUp(bait.toDelete.tagId, bait.toDelete.name),
  ]);
  const [made, ...kept] = sights;
  const isUntouched =
    made.entries.length === 0 &&
    [bait.toRename, bait.toDelete].every((tag, at) =>
      kept[at]?.entries.every(({ tagId, name }) => tagId === tag.tagId && name === tag.name),
    ) &&
    kept.every(({ entries }) => entries.length > 0);
  if (!isUntouched) return [];
  return tried.map(({ scopes, asked: exchanges, filtered }) => ({
    scopes,
    asked: exchanges,
    filtered,
    bait: bait.toRename,
    permits: {
      create: false,
      rename: false,
      list: discloses(exchanges.list, bait.toRename) || discloses(filtered, bait.toRename),
      delete: false,
    },
    looks: sights.flatMap(({ exchanges: shown }) => shown),
  }));
}

/** Tries out a set on tags of its own. */
async function alone(shared: Target, scopes: readonly string[]): Promise<Probe | undefined> {
  const token = await ifDecided(() => shared.token(scopes));
  if (token === undefined) return undefined;
  const first = await concluded(shared, await asked(shared, scopes, token, await baits(shared)));
  if (!scopes.includes('api') || TAG_OPERATIONS.some((operation) => first.permits[operation])) return first;
  // Nothing at all with api among its scopes: the token may have ended since it was fetched.
  await shared.removeTags();
  const fresh = await ifDecided(() => shared.token(scopes, { fresh: true }));
  return fresh === undefined
    ? first
    : concluded(shared, await asked(shared, scopes, fresh, await baits(shared)));
}

/** What an earlier token was answered after another login, and what was tried out at once where it had ended. */
export interface Survey {
  readonly still: Exchange;
  readonly ended: boolean;
  readonly early?: readonly Probe[];
}

/**
 * Finds out whether a login ends the tokens before it. On such a target each token has to be tried out before the next
 * login, and nothing else may be asked meanwhile, so that is done here, first of all.
 */
export function survey(target: Target): Promise<Survey> {
  const together = Math.max(1, Math.floor((target.settings.sharedTags - 1) / TAGS_OF_A_SET));
  return target.shared('scope-survey', together * TAGS_OF_A_SET + 1, async (shared) => {
    const tag = await shared.makeTag();
    const before = await shared.token();
    await shared.login(['user_read']);
    const still = await shared.list(tag.name, { token: before });
    // The run's own requests replace a token that has ended: only where they see more than that one does, it has.
    if (discloses(still, tag) || !discloses(await shared.list(tag.name), tag)) return { still, ended: false };
    const early: Probe[] = [];
    for (let at = 0; at < FEWER_SETS.length; at += together) {
      const group = FEWER_SETS.slice(at, at + together);
      const prepared: { scopes: readonly string[]; bait: Baits }[] = [];
      for (const scopes of group) prepared.push({ scopes, bait: await baits(shared) });
      const tried: Asked[] = [];
      for (const { scopes, bait } of prepared) {
        const token = await ifDecided(() => shared.token(scopes, { fresh: true }));
        if (token !== undefined) tried.push(await asked(shared, scopes, token, bait));
      }
      for (const one of tried) early.push(await concluded(shared, one));
      await shared.removeTags();
    }
    return { still, ended: true, early };
  });
}

/** Tags that trying out a set takes: one to rename, one to delete, and the one that it makes. */
const TAGS_OF_A_SET = 3;

interface Baits {
  readonly toRename: Tag;
  readonly toDelete: Tag;
}

const baits = async (target: Target): Promise<Baits> => {
  const [toRename, toDelete] = await Promise.all([target.makeTag(), target.makeTag()]);
  return { toRename, toDelete };
};

interface Asked extends Pick<Probe, 'scopes' | 'asked' | 'filtered'> {
  readonly bait: Baits;
  readonly names: { readonly created: string; readonly renamed: string };
}

async function asked(
  target: Target,
  scopes: readonly string[],
  token: Secret,
  bait: Baits,
  names: Asked['names'] = { created: target.name(), renamed: target.name() },
): Promise<Asked> {
  const [list, filtered] = await Promise.all([
    target.list(undefined, { token }),
    target.list(bait.toRename.name, { token }),
  ]);
  const [create, rename, remove] = await Promise.all([
    target.create({ name: names.created }, { token }),
    target.rename(bait.toRename.tagId, { name: names.renamed }, { token }),
    target.delete(bait.toDelete.tagId, { token }),
  ]);
  return { scopes, asked: { create, rename, list, delete: remove }, filtered, bait, names };
}

async function concluded(target: Target, { scopes, asked, filtered, bait, names }: Asked): Promise<Probe> {
  const { toRename, toDelete } = bait;
  const isRenamed = ({ entries }: Lookup): boolean =>
    entries.some(({ tagId, name }) => tagId === toRename.tagId && name === names.renamed);
  // The id alone may belong to a younger tag by now.
  const isDeleted = ({ entries }: Lookup): boolean =>
    !entries.some(
      ({ tagId, name }) => tagId === toDelete.tagId && (name === toDelete.name || typeof name !== 'string'),
    );
  const [created, renamed, deleted] = await Promise.all([
    effect(
      target,
      asked.create,
      () => target.lookUp(undefined, names.created),
      ({ entries }) => entries.length > 0,
    ),
    effect(
      target,
      asked.rename,
      () => target.lookUp(toRename.tagId, names.renamed, toRename.name),
      isRenamed,
    ),
    effect(target, asked.delete, () => target.lookUp(toDelete.tagId, toDelete.name), isDeleted),
  ]);
  return {
    scopes,
    asked,
    filtered,
    bait: toRename,
    permits: {
      create: created.entries.length > 0 || createdIn(asked.create) !== undefined,
      rename: isRenamed(renamed),
      list: discloses(asked.list, toRename) || discloses(filtered, toRename),
      delete: isDeleted(deleted),
    },
    looks: [created, renamed, deleted].flatMap(({ exchanges }) => exchanges),
  };
}

/** What was acknowledged may take its time to show; what was refused is looked at once. */
async function effect(
  target: Target,
  exchange: Exchange,
  look: () => Promise<Lookup>,
  shows: (seen: Lookup) => boolean,
): Promise<Lookup> {
  return accepted(exchange) ? (await target.until(look, shows)).seen : look();
}

/**
 * Whether an answer gives a tag away. By its name, which nothing else holds; where the request itself named it, so that
 * a refusal may repeat it, by name and id together.
 */
export function discloses(exchange: Exchange, { tagId, name }: Tag): boolean {
  // Escapes in JSON hide an id or a name from whoever looks at the text alone.
  if (listedIn(exchange)?.some((tag) => tag.tagId === tagId && tag.name === name) === true) return true;
  const { ask, answer } = exchange;
  const text = new TextDecoder().decode(answer?.bytes);
  if (!text.includes(name)) return false;
  const id = tagId.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return !ask.path.includes(name) || new RegExp(`(?<![\\p{L}\\p{N}])${id}(?![\\p{L}\\p{N}])`, 'u').test(text);
}
