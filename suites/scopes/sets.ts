import {
  accepted,
  allOf,
  bodies,
  broken,
  type Exchange,
  holds,
  ifDecided,
  type Lookup,
  nameOf,
  type Outcome,
  type Requirement,
  type Secret,
  TAG_OPERATIONS,
  type TagOperation,
  type Target,
  statusOf,
  succeeds,
  undecided,
} from '../../lib/check.ts';
import { listUntil, lookInAll } from '../listed-tags.ts';
import { discloses } from '../disclosure.ts';
import { loginInTurn } from '../login/turns.ts';
import { howRefused, type Probe } from './probe.ts';
import { loginsEndTokens, probesAndTwin } from './probes.ts';
import { wrongPassword } from '../login/wrong-logins.ts';

/**
 * All scopes but api. The widest one is neither the first nor the last one, not even of its area, nor the shortest or the
 * longest, and stands there twice. Whether that is accepted is open.
 */
const DOUBLED = [
  'user',
  'mutation_read',
  'bank',
  'mutation',
  'mutation',
  'user_read',
  'mutation_read',
  'bank_read',
];

/** The same without the double. */
const MIXED = [...new Set(DOUBLED)];

/** The operations that some scope of a set permits alone. */
const unionOf = (scopes: readonly string[], probes: readonly Probe[]): ReadonlySet<TagOperation> =>
  new Set(
    TAG_OPERATIONS.filter((operation) =>
      probes.some(
        ({ scopes: [scope = '', ...more], permits }) =>
          more.length === 0 && scopes.includes(scope) && permits[operation],
      ),
    ),
  );

/** The tags of one attempt: one that is made with the token of the run, and one with the token under test. */
const TAGS = 2;

/** A request of every operation with the token of a login, and the lists that show the effects. */
interface Tried extends Pick<Probe, 'scopes' | 'permits' | 'looks'> {
  readonly asked: Readonly<Record<TagOperation, Exchange>>;
}

/** Sends requests with a token; the update overlaps a list with the run's token. */
async function askWith(target: Target, scopes: readonly string[], token: Secret): Promise<Tried> {
  const tag = await target.makeTag();
  const list = await target.list(tag.name, { token });
  // A filter that leaves the tag out for everybody says nothing about the token.
  const isListed = discloses(list, tag) || !discloses(await target.list(tag.name), tag);
  const [name, created] = [target.name(), target.name()];
  const [rename] = await target.simultaneously(() =>
    Promise.all([target.rename(tag.tagId, { name }, { token }), target.list(tag.name)]),
  );
  const isNamed = ({ entries }: Lookup): boolean =>
    entries.some((entry) => entry.tagId === tag.tagId && entry.name === name);
  const renamed = await afterwards(target, rename, isNamed, tag.tagId, name, tag.name);
  const [create, remove] = await Promise.all([
    target.create({ name: created }, { token }),
    target.delete(tag.tagId, { token }),
  ]);
  const isMade = ({ entries }: Lookup): boolean => entries.some((entry) => entry.name === created);
  // A younger tag may have been given the tag_id.
  const isGone = ({ entries }: Lookup): boolean =>
    !entries.some((entry) => entry.tagId === tag.tagId && (entry.name === name || entry.name === tag.name));
  const [made, gone] = await Promise.all([
    afterwards(target, create, isMade, undefined, created),
    afterwards(target, remove, isGone, tag.tagId, name, tag.name),
  ]);
  return {
    scopes,
    asked: { create, rename, list, delete: remove },
    permits: { create: isMade(made), rename: isNamed(renamed), list: isListed, delete: isGone(gone) },
    looks: [renamed, made, gone].flatMap(({ exchanges }) => exchanges),
  };
}

/** Looks a tag up after a request: until the effect shows, where the request was accepted. */
async function afterwards(
  target: Target,
  exchange: Exchange,
  shows: (seen: Lookup) => boolean,
  tagId: string | undefined,
  ...names: readonly string[]
): Promise<Lookup> {
  const look = (): Promise<Lookup> => lookInAll(target, tagId, ...names);
  return accepted(exchange) ? (await target.until(look, shows)).seen : look();
}

/** A login for several scopes, and what its token permits. It is found out before any other login is sent. */
interface TriedLogin {
  readonly scopes: readonly string[];
  readonly login: Exchange;
  readonly token?: Secret | undefined;
  readonly tried: Tried | undefined;
}

/** @param ended whether a login ends the tokens before it. */
async function tryLogin(target: Target, scopes: readonly string[], ended: boolean): Promise<TriedLogin> {
  let tried: Tried | undefined;
  let token: Secret | undefined;
  // Whether a double is allowed is open.
  const form = scopes === DOUBLED ? 'a right login of an open form' : 'a right login';
  const login = await loginInTurn(target, target, form, async () => {
    token = await ifDecided(() => target.token(scopes, { fresh: true }));
    const exchange = await target.login(scopes);
    // If logins end earlier tokens, the run's token has to be replaced now, which ends this one.
    const own = token;
    if (own !== undefined && !ended) tried = await ifDecided(() => askWith(target, scopes, own));
    return exchange;
  });
  return { scopes, login, token, tried };
}

/** The login for a set with a double; sent once in a run. */
export async function tryDoubled(target: Target): Promise<TriedLogin> {
  const ended = await loginsEndTokens(target);
  return target.shared('login for doubled scopes', TAGS, (shared) => tryLogin(shared, DOUBLED, ended));
}

function differs({ scopes, permits, asked, looks }: Tried, probes: readonly Probe[]): Outcome {
  const union = unionOf(scopes, probes);
  for (const operation of ['list', ...TAG_OPERATIONS] as const) {
    // A token that ended while it was probed alone permits less than its scope, so that more than the union proves nothing.
    if (permits[operation] || !union.has(operation)) continue;
    // Only a list shows that the token has not ended.
    if (!permits[operation] && !permits.list && !union.has('list')) continue;
    return broken(
      `a token for ${scopes.join(', ')} may not ${nameOf(operation)}, which a token for one of them may: ${howRefused(asked[operation])}`,
      asked[operation],
      ...looks,
    );
  }
  return holds();
}

/** The same for a login of this check, whose token may not have been known everywhere at once. */
async function differsSettled(
  target: Target,
  { token, tried }: TriedLogin,
  probes: readonly Probe[],
): Promise<Outcome> {
  if (tried === undefined || token === undefined) return holds();
  const outcome = differs(tried, probes);
  if (outcome.kind === 'holds') return outcome;
  await target.removeTags();
  const tag = await target.makeTag();
  const options = { filter: tag.name, overrides: { token }, late: 'ignored' } as const;
  await listUntil(target, (list) => discloses(list, tag), options);
  await target.removeTags();
  const again = await ifDecided(() => askWith(target, tried.scopes, token));
  return again === undefined ? outcome : differs(again, probes);
}

export const scopeSets: Requirement = {
  id: 'scope/sets',
  effort: 'standard',
  section: '2',
  sentences: ['2/scope-mutation-read-no-actions', '4.1/scopes-type', '4.1/scopes-meaning', '5/scopes-limit'],
  level: 'derived',
  derivation:
    'A token has the scopes that it was granted (4.1): it permits what any of them permits, and no login changes that (5).',
  text: 'A token for several scopes permits what its scopes permit one by one, in any order, with doubles, and beside other logins.',
  cause:
    'One scope of the set decides, scopes are added up as numbers, or they are kept with the user and not with the token.',
  when: 'logins',
  logins: 1,
  tags: TAGS,
  check: async (target) => {
    const { probes } = await probesAndTwin(target);
    if (!probes.some(({ permits }) => TAG_OPERATIONS.some((operation) => !permits[operation])))
      return undecided('choice', 'tagging is not limited by scope');
    const ended = await loginsEndTokens(target);
    // Each set would take several logins.
    if (ended) return holds();
    for (const { scopes, permits, asked, looks } of probes) {
      if (scopes.length < 2 || scopes.includes('api')) continue;
      if (differs({ scopes, permits, asked, looks }, probes).kind === 'holds') continue;
      // The token may have ended since its login.
      const again = await tryLogin(target, scopes, ended);
      const outcome = await differsSettled(target, again, probes);
      if (outcome.kind !== 'holds') return outcome;
      await target.removeTags();
    }
    const doubled = await ifDecided(() => tryDoubled(target));
    const tried = doubled?.tried === undefined ? await tryLogin(target, MIXED, ended) : doubled;
    // Whether a double is accepted is open, but not whether the same without it is.
    const outcome =
      tried.scopes === DOUBLED
        ? await differsSettled(target, tried, probes)
        : allOf(succeeds(tried.login, bodies.token), await differsSettled(target, tried, probes));
    if (outcome.kind !== 'holds') return outcome;
    await target.removeTags();
    return earlyToken(target, probes);
  },
};

/** Whether an answer may refuse a request for its scope. Other failures may be temporary. */
const isScopeRefusal = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status >= 400 && status < 500 && status !== 429;
};

/** A token that may not write, fetched before all failed logins and before those for more scopes, is still no wider. */
async function earlyToken(target: Target, probes: readonly Probe[]): Promise<Outcome> {
  const reading = probes.filter(
    ({ scopes: [scope = '', ...more] }) => more.length === 0 && scope.endsWith('_read'),
  );
  // If only some of them could not update, that may have been for another reason than the scope.
  if (reading.some(({ permits, asked }) => permits.rename || !isScopeRefusal(asked.rename))) return holds();
  const narrow = reading.find(({ permits }) => permits.list) ?? reading[0];
  if (narrow === undefined) return holds();
  const token = await ifDecided(() => target.token(narrow.scopes));
  if (token === undefined) return holds();
  // The scopes of a failed login may be kept, too.
  const failed = await ifDecided(() => wrongPassword(target));
  const tag = await target.makeTag();
  const name = target.name();
  const [rename] = await target.simultaneously(() =>
    Promise.all([target.rename(tag.tagId, { name }, { token }), target.list(tag.name)]),
  );
  const isNamed = ({ entries }: Lookup): boolean =>
    entries.some((entry) => entry.tagId === tag.tagId && entry.name === name);
  const renamed = await afterwards(target, rename, isNamed, tag.tagId, name, tag.name);
  return isNamed(renamed)
    ? broken(
        `after other logins, a token for ${narrow.scopes.join(', ')} could update, which it could not before`,
        rename,
        ...(failed === undefined ? [] : [failed.refused]),
        ...renamed.exchanges,
      )
    : holds();
}
