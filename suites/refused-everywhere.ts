import {
  accepted,
  broken,
  createdIn,
  holdsWithWarning,
  type Exchange,
  holds,
  ifDecided,
  type Lookup,
  type Outcome,
  Secret,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { ALTERED, FOREIGN, QUICK } from './bearers.ts';
import { discloses } from './scope-probes.ts';
import { tour } from './tour.ts';

/** What is sent in the place of a valid token. */
interface Credential {
  readonly id: string;
  /** Completes "A bearer token …". */
  readonly what: string;
  readonly token: string;
}

/** What the operations answered to a credential, and what became of the tags. */
interface Tried {
  readonly credential: Credential;
  readonly tag: Tag;
  readonly names: { readonly created: string; readonly renamed: string };
  readonly lists: readonly Exchange[];
  readonly create: Exchange;
  readonly rename: Exchange;
  readonly remove: Exchange;
  readonly made: Lookup;
  readonly kept: Lookup;
}

/** Operations that the target carries out for the valid token of the run: the twins of those that must be refused. */
export async function workingOperations(target: Target): Promise<Set<string>> {
  const { operations } = await tour(target);
  return new Set(operations.filter(accepted).map(({ ask }) => ask.operation));
}

/** Every operation with the credential of that id, beside the same ones with the valid token, which the tour makes. */
export async function refusedEverywhere(target: Target, id: string): Promise<Outcome> {
  const tried = await target.shared('bearers-together', 2, (shared) => ifDecided(() => together(shared)));
  const known = tried?.find(({ credential }) => credential.id === id);
  if (known !== undefined) return judged(known, await workingOperations(target));
  const credential = (await credentialsOf(target)).find((one) => one.id === id);
  return credential === undefined
    ? undecided('choice', 'tokens of this target have no such part')
    : refusesAlone(target, credential);
}

/** The same for any credential, with a tag of its own. */
export async function refusesAlone(target: Target, credential: Credential): Promise<Outcome> {
  const twins = await workingOperations(target);
  const tag = await target.makeTag();
  const names = { created: target.name(), renamed: target.name() };
  const asked = await askAll(target, credential, tag, names);
  const [made, kept] = await Promise.all([
    target.lookUp(undefined, asked.names.created),
    target.lookUp(tag.tagId, tag.name, asked.names.renamed),
  ]);
  return judged({ ...asked, made, kept }, twins);
}

/** All credentials that are no valid token, as far as tokens of this target can be altered so. */
async function credentialsOf(target: Target): Promise<Credential[]> {
  const valid = (await target.token()).reveal();
  return [...FOREIGN, ...ALTERED].flatMap(({ id, what, from }) => {
    const token = from(valid);
    return token === undefined || (target.settings.effort === 'quick' && !QUICK.includes(id))
      ? []
      : { id, what, token };
  });
}

/**
 * Tries all of them out on the same tag, which is enough where none has any effect.
 *
 * @returns nothing where one has: then what each can do has to be told apart.
 */
async function together(shared: Target): Promise<readonly Tried[]> {
  const tag = await shared.makeTag();
  // The same names for all: one look tells whether any of them came to be.
  const names = { created: shared.name(), renamed: shared.name() };
  const all: Omit<Tried, 'made' | 'kept'>[] = [];
  for (const credential of await credentialsOf(shared)) {
    const asked = await askAll(shared, credential, tag, names);
    if ([asked.create, asked.rename, asked.remove].some(accepted)) return [];
    all.push(asked);
  }
  const [made, kept] = await Promise.all([
    shared.lookUp(undefined, names.created),
    shared.lookUp(tag.tagId, tag.name),
  ]);
  const isKept = kept.entries.some(({ tagId, name }) => tagId === tag.tagId && name === tag.name);
  return isKept && made.entries.length === 0 ? all.map((asked) => ({ ...asked, made, kept })) : [];
}

async function askAll(
  target: Target,
  credential: Credential,
  tag: Tag,
  names: Tried['names'],
): Promise<Omit<Tried, 'made' | 'kept'>> {
  const bearer = new Secret(`Bearer ${credential.token}`, `Bearer $TOKEN_${credential.id}`);
  const departure = { token: 'none', headers: { Authorization: bearer } } as const;
  const lists = [await target.list(undefined, departure), await target.list(tag.name, departure)];
  const [create, rename, remove] = await Promise.all([
    target.create({ name: names.created }, departure),
    target.rename(tag.tagId, { name: names.renamed }, departure),
    target.delete(tag.tagId, departure),
  ]);
  return { credential, tag, names, lists, create, rename, remove };
}

function judged(
  { credential: { what }, tag, names, lists, create, rename, remove, made, kept }: Tried,
  twins: ReadonlySet<string>,
): Outcome {
  const told = lists.find((list) => discloses(list, tag));
  if (told !== undefined)
    return broken(`the list ${whatCame(told)} to a bearer token ${what}, and holds the account's tags`, told);
  if (createdIn(create) !== undefined)
    return broken(`the create ${whatCame(create)} with a tag to a bearer token ${what}`, create);
  if (made.entries.length > 0)
    return broken(
      `the create ${whatCame(create)} to a bearer token ${what}, yet the tag is listed`,
      create,
      ...made.exchanges,
    );
  const now = kept.entries.find(({ tagId }) => tagId === tag.tagId)?.name;
  if (now === names.renamed)
    return broken(
      `the update ${whatCame(rename)} to a bearer token ${what}, yet the tag has the new name`,
      rename,
      ...kept.exchanges,
    );
  if (now === undefined)
    return broken(
      `the delete ${whatCame(remove)} to a bearer token ${what}, yet the tag is gone`,
      remove,
      ...kept.exchanges,
    );
  const asked = [...lists, create, rename, remove];
  const lacking = asked.find(({ ask }) => !twins.has(ask.operation));
  if (lacking !== undefined)
    return undecided(
      'failure',
      `the ${lacking.ask.operation} does not work with the valid token either`,
      lacking,
    );
  const odd = asked.find(accepted);
  if (odd !== undefined)
    return holdsWithWarning(
      `the ${odd.ask.operation} ${whatCame(odd)}, a success, to a bearer token ${what}, though without effect`,
      odd,
    );
  const silent = asked.find((exchange) => statusOf(exchange) === 0);
  return silent === undefined
    ? holds()
    : undecided('failure', `the ${silent.ask.operation} ${whatCame(silent)}`, silent);
}
