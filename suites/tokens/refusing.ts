import {
  accepted,
  broken,
  createdIn,
  type Exchange,
  holds,
  holdsWithWarning,
  ifDecided,
  type Lookup,
  type Outcome,
  spec,
  statusOf,
  type Tag,
  type Target,
  undecided,
  whatCame,
  withCredential,
} from '../../lib/check.ts';
import { ALTERED, FOREIGN, QUICK } from './bearers.ts';
import { disclosesAny } from '../disclosure.ts';
import {
  aftermath,
  sendEveryOperation,
  type EachOperation,
  everyOperation,
  sendInTurn,
  newNames,
  type Subjects,
} from '../every-operation.ts';
import { unrefused } from '../pair.ts';
import { workingOperations } from '../tour.ts';

/** A bearer token that every operation must refuse. */
interface Credential {
  readonly id: string;
  /** Completes "A bearer token …". */
  readonly what: string;
  readonly token: string;
  /** Whether it is sent with the lists only, because all operations most likely read such a token in the same way. */
  readonly isListOnly?: true;
}

/** The answers of every operation to a credential, and the tags afterwards. */
interface Tried {
  readonly credential: Credential;
  readonly subjects: Subjects;
  readonly answers: EachOperation<Exchange>;
  /** The lookup of the tag that the create would have made. */
  readonly made: Lookup;
  /** The lookup of the tag that the update and the delete were for. */
  readonly kept: Lookup;
}

/**
 * Checks that every operation refuses the bearer token with this id (`bearers.ts`). The tour sends the same requests
 * with a valid token.
 */
export async function refusesBearer(target: Target, id: string): Promise<Outcome> {
  const known = await triedTogether(target, id);
  if (known !== undefined) return judged(known, await workingOperations(target));
  const credential = (await credentialsOf(target)).find((one) => one.id === id);
  return credential === undefined
    ? undecided('choice', 'a token of this target cannot be altered in this way')
    : refusesCredential(target, credential);
}

/** The answers of every operation to this bearer token; undefined if all together had an effect, or it was not sent. */
export const answersToBearer = async (
  target: Target,
  id: string,
): Promise<EachOperation<Exchange> | undefined> => (await triedTogether(target, id))?.answers;

async function triedTogether(target: Target, id: string): Promise<Tried | undefined> {
  // As a part, all are tried together once more if an answer was lost, which costs less than to try each alone.
  const tried = await target.shared('bearers-together', 2, (shared) =>
    ifDecided(() => shared.part(2, together)),
  );
  return tried?.find(({ credential }) => credential.id === id);
}

/** Checks that every operation refuses a credential, with a separate tag. */
export async function refusesCredential(target: Target, credential: Credential): Promise<Outcome> {
  const twins = await workingOperations(target);
  const tag = await target.makeTag();
  const subjects = { toRename: tag, toDelete: tag, names: newNames(target) };
  const answers = await sendWith(target, credential, subjects);
  const after = await aftermath(target, subjects);
  // A lagging replica may not show the tag yet.
  const kept = after.isUntouched
    ? after.kept
    : (await target.untilListed(tag.tagId, tag.name, subjects.names.renamed)).seen;
  return judged({ credential, subjects, answers, made: after.made, kept }, twins);
}

/** The username in forms that a careless target may accept as a token; none if a header cannot contain it. */
export function usernamesAsTokens({ credentials }: Target): readonly Credential[] {
  const { username } = credentials;
  const encoded = Buffer.from(username).toString('base64');
  return [
    ...(/^[\x21-\x7e]+$/.test(username)
      ? [{ id: 'username', what: 'that is the username', token: username }]
      : []),
    { id: 'username-encoded', what: 'that is the username in base64', token: encoded },
    ...WORDS,
  ];
}

/** Values that clients without a token send, and that a careless target may accept as the token of some account. */
const WORDS: readonly Credential[] = [
  ...['null', 'undefined', '1'].map((token) => [`word-${token}`, token] as const),
  ['word-wildcard', '%'] as const,
  ['word-star', '*'] as const,
  ['word-injection', "x'or'1'='1"] as const,
].map(([id, token]) => ({ id, what: `that is ${token}`, token, isListOnly: true }));

/** All invalid bearer tokens that can be made for this target. */
async function credentialsOf(target: Target): Promise<Credential[]> {
  const valid = (await target.token()).reveal();
  const isQuick = target.settings.effort === 'quick';
  const usernames = isQuick ? [] : ((await ifDecided(async () => usernamesAsTokens(target))) ?? []);
  const made = [...FOREIGN, ...ALTERED].flatMap(({ id, what, from }) => {
    const token = from(valid);
    return token === undefined ||
      token === valid ||
      (target.settings.effort === 'quick' && !QUICK.includes(id))
      ? []
      : { id, what, token };
  });
  return [...made, ...usernames];
}

/**
 * Sends all credentials with the same tag and names, so that one look shows whether any had an effect.
 *
 * @returns no results if one had an effect. Then each credential is tried alone.
 */
async function together(shared: Target): Promise<readonly Tried[]> {
  const tag = await shared.makeTag();
  const subjects = { toRename: tag, toDelete: tag, names: newNames(shared) };
  const credentials = await credentialsOf(shared);
  const asked = await sendInTurn(shared, subjects, credentials, async (credential) => {
    const lists = credentials.length > FEW ? LISTS_IN_TURN[credentials.indexOf(credential) % 2] : undefined;
    const answers = await sendWith(shared, credential, subjects, lists);
    return { answers: { credential, subjects, answers }, asked: answers };
  });
  if (asked === undefined) return [];
  const { made, kept } = asked.after;
  return asked.all.map((one) => ({ ...one, made, kept }));
}

/** If there are more credentials than this, each is sent with only one of the two lists. */
const FEW = 8;
const LISTS_IN_TURN = ['list', 'filtered'] as const;

/** @param only the list to send if only one is sent. Its answer also stands for the other. */
async function sendWith(
  target: Target,
  { id, token, isListOnly }: Credential,
  subjects: Subjects,
  only?: 'list' | 'filtered',
): Promise<EachOperation<Exchange>> {
  const label = `Bearer $TOKEN_${id.toUpperCase().replaceAll('-', '_')}`;
  const departure = withCredential(`Bearer ${token}`, label);
  const requests = everyOperation(target, subjects, departure, { areSentAgain: true });
  if (isListOnly === true) {
    const list = await requests.filtered();
    return { list, filtered: list, create: list, rename: list, delete: list };
  }
  if (only === undefined)
    return sendEveryOperation(target, subjects, departure, { listsAtOnce: false, areSentAgain: true });
  const list = await requests[only]();
  const [create, rename, remove] = await Promise.all([
    requests.create(),
    requests.rename(),
    requests.delete(),
  ]);
  return { list, filtered: list, create, rename, delete: remove };
}

function judged(
  { credential: { what }, subjects: { toRename: tag, names }, answers, made, kept }: Tried,
  twins: ReadonlySet<string>,
): Outcome {
  const { list, filtered, create, rename, delete: remove } = answers;
  const disclosing = [list, filtered].find((one) => disclosesAny(one, tag));
  if (disclosing !== undefined)
    return broken(`the list ${whatCame(disclosing)} to a bearer token ${what}, and holds tags`, disclosing);
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
  const exchanges = [list, filtered, create, rename, remove];
  const withoutTwin = exchanges.find(({ ask }) => !twins.has(ask.operation));
  if (withoutTwin !== undefined)
    return undecided(
      'failure',
      `the ${spec.nameOf(withoutTwin.ask.operation)} does not work with the valid token either`,
      withoutTwin,
    );
  const odd = exchanges.find(accepted);
  if (odd !== undefined)
    return holdsWithWarning(
      `the ${spec.nameOf(odd.ask.operation)} ${whatCame(odd)}, a success, to a bearer token ${what}, though without effect`,
      odd,
    );
  const unanswered = exchanges.find((exchange) => statusOf(exchange) === 0);
  return unanswered === undefined
    ? holds()
    : unrefused(
        `the ${spec.nameOf(unanswered.ask.operation)} ${whatCame(unanswered)}, to an invalid bearer token`,
        unanswered,
      );
}

/** A list that was sent with something other than a valid bearer token. */
export interface TriedList {
  /** Completes "the list was answered to …". */
  readonly what: string;
  readonly list: Exchange;
}

/** Checks that none of these lists discloses a tag. */
export function refusedAll(tag: Tag, tried: readonly TriedList[]): Outcome {
  const found = tried.find(({ list }) => disclosesAny(list, tag));
  return found === undefined
    ? holds()
    : broken(`the list ${whatCame(found.list)} to ${found.what}, and holds tags`, found.list);
}
