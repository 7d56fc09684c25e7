import {
  accepted,
  allOf,
  broken,
  type Exchange,
  holds,
  ifDecided,
  type Lookup,
  matches,
  type Outcome,
  type Requirement,
  type Secret,
  spec,
  type TagOperation,
  type Target,
  undecided,
} from '../../lib/check.ts';
import { listUntil, lookInAll } from '../listed-tags.ts';
import { discloses } from '../disclosure.ts';
import { loginInTurn } from '../login/turns.ts';
import { howRefused, type Probe } from './probe.ts';
import { loginsEndTokens, probeOfApi, probesAndTwin } from './probes.ts';
import { isScopeRefusal, staysNarrow } from './widened.ts';
import { wrongPassword } from '../login/wrong-logins.ts';

/**
 * All scopes except api. mutation, the widest, is listed twice, and is neither the first nor the last scope, not even
 * of its area, nor the shortest or the longest. Other sets of the run have it before or behind each other scope in the
 * other order. Whether a duplicate is accepted is open.
 */
const DOUBLED = [
  'user',
  'mutation_read',
  'user_read',
  'bank_read',
  'mutation',
  'mutation',
  'mutation_read',
  'bank',
];

/** The same without duplicates. */
const MIXED = [...new Set(DOUBLED)];

/** The operations that at least one scope of a set permits on its own. */
const unionOf = (scopes: readonly string[], probes: readonly Probe[]): ReadonlySet<TagOperation> =>
  new Set(
    spec.tagOperations.filter((operation) =>
      probes.some(
        ({ scopes: [scope = '', ...more], permits }) =>
          more.length === 0 && scopes.includes(scope) && permits[operation],
      ),
    ),
  );

/** The number of tags that one attempt makes: one with the run's token, one with the token under test. */
const TAGS = 2;

/** A request of every operation with the token of a login, and the lists that show the effects. */
interface Tried extends Pick<Probe, 'scopes' | 'permits' | 'looks'> {
  readonly asked: Readonly<Record<TagOperation, Exchange>>;
}

/** Sends a request of every operation with a token. The update overlaps a list with the run's token. */
async function sendWith(target: Target, scopes: readonly string[], token: Secret): Promise<Tried> {
  const tag = await target.makeTag();
  const list = await target.list(tag.name, { token });
  // If the filter does not find the tag with the run's token, either, the list proves nothing about this token.
  const isListed = discloses(list, tag) || !discloses(await target.list(tag.name), tag);
  const [name, created] = [target.name(), target.name()];
  const [rename] = await target.run('simultaneously', () =>
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
  // A younger tag may have the tag_id now.
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

/** Looks a tag up after a request. If the request was accepted, repeats that until the effect shows. */
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

/** A login for several scopes, and what its token permits, which is tested before any other login is sent. */
interface TriedLogin {
  readonly scopes: readonly string[];
  readonly login: Exchange;
  readonly token?: Secret | undefined;
  readonly tried: Tried | undefined;
}

/** @param ended whether a login ends earlier tokens. */
async function tryLogin(target: Target, scopes: readonly string[], ended: boolean): Promise<TriedLogin> {
  let tried: Tried | undefined;
  let token: Secret | undefined;
  // Whether a duplicate is allowed is open.
  const form = scopes === DOUBLED ? 'a right login of an open form' : 'a right login';
  const login = await loginInTurn(target, target, form, async () => {
    token = await ifDecided(() => target.token(scopes, { fresh: true }));
    const exchange = await target.login(scopes);
    // If logins end earlier tokens, the run must now log in again, which ends this token.
    const own = token;
    if (own !== undefined && !ended) tried = await ifDecided(() => sendWith(target, scopes, own));
    return exchange;
  });
  return { scopes, login, token, tried };
}

/** The login for a set with a duplicate; sent once in a run. */
export async function tryDoubled(target: Target): Promise<TriedLogin> {
  const ended = await loginsEndTokens(target);
  return target.shared('login for doubled scopes', TAGS, (shared) => tryLogin(shared, DOUBLED, ended));
}

function differs({ scopes, permits, asked, looks }: Tried, probes: readonly Probe[]): Outcome {
  const union = unionOf(scopes, probes);
  for (const operation of ['list', ...spec.tagOperations] as const) {
    // Only missing permissions count. More than the union proves nothing: a token that ended during its probe seems to
    // permit less than its scope does.
    if (permits[operation] || !union.has(operation)) continue;
    // If neither the token nor its scopes permit lists, the token may have ended.
    if (!permits[operation] && !permits.list && !union.has('list')) continue;
    return broken(
      `a token for ${scopes.join(', ')} may not ${spec.nameOf(operation)}, which a token for one of them may: ${howRefused(asked[operation])}`,
      asked[operation],
      ...looks,
    );
  }
  return holds();
}

/** Broken if an operation that the token permits has an answer of another form than with api alone. */
function isAnsweredOtherwise({ scopes, permits, asked }: Tried, probes: readonly Probe[]): Outcome {
  const api = probeOfApi(probes);
  for (const operation of spec.tagOperations) {
    if (!permits[operation] || !accepted(asked[operation])) continue;
    const outcome = matches.success(asked[operation]);
    if (
      outcome.kind === 'broken' &&
      api !== undefined &&
      matches.success(api.asked[operation]).kind === 'holds'
    )
      return broken(`${outcome.why}, to a token for ${scopes.join(', ')}`, ...outcome.exchanges);
  }
  return holds();
}

/**
 * The same for a login of this check. Its token is tried again later, because some servers may not know a new token at
 * once.
 */
async function differsSettled(
  target: Target,
  { token, tried }: TriedLogin,
  probes: readonly Probe[],
): Promise<Outcome> {
  if (tried === undefined || token === undefined) return holds();
  const outcome = differs(tried, probes);
  if (outcome.kind === 'holds') return isAnsweredOtherwise(tried, probes);
  await target.removeTags();
  const tag = await target.makeTag();
  const options = { filter: tag.name, overrides: { token }, late: 'ignored' } as const;
  await listUntil(target, (list) => discloses(list, tag), options);
  await target.removeTags();
  const again = await ifDecided(() => sendWith(target, tried.scopes, token));
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
    const narrow = await staysNarrow(target, probes);
    if (narrow.kind === 'broken') return narrow;
    await target.removeTags();
    if (!probes.some(({ permits }) => spec.tagOperations.some((operation) => !permits[operation])))
      return undecided('choice', 'tagging is not limited by scope');
    const ended = await loginsEndTokens(target);
    // If logins end earlier tokens, each set would take several logins.
    if (ended) return holds();
    for (const { scopes, permits, asked, looks } of probes) {
      if (scopes.length < 2 || scopes.includes('api')) continue;
      if (differs({ scopes, permits, asked, looks }, probes).kind === 'holds') continue;
      // The token may have ended before its probe.
      const again = await tryLogin(target, scopes, ended);
      const outcome = await differsSettled(target, again, probes);
      if (outcome.kind !== 'holds') return outcome;
      await target.removeTags();
    }
    const doubled = await ifDecided(() => tryDoubled(target));
    const tried = doubled?.tried === undefined ? await tryLogin(target, MIXED, ended) : doubled;
    // A target may refuse the login with a duplicate, but not the one without it.
    const outcome =
      tried.scopes === DOUBLED
        ? await differsSettled(target, tried, probes)
        : allOf(matches.success(tried.login), await differsSettled(target, tried, probes));
    if (outcome.kind !== 'holds') return outcome;
    await target.removeTags();
    return earlyToken(target, probes);
  },
};

/** Checks that an early read-only token still permits no updates after failed logins and logins for more scopes. */
async function earlyToken(target: Target, probes: readonly Probe[]): Promise<Outcome> {
  const reading = probes.filter(
    ({ scopes: [scope = '', ...more] }) => more.length === 0 && scope.endsWith('_read'),
  );
  // If only some read-only tokens could not update, the reason may be another one than the scope.
  if (reading.some(({ permits, asked }) => permits.rename || !isScopeRefusal(asked.rename))) return holds();
  const narrow = reading.find(({ permits }) => permits.list) ?? reading[0];
  if (narrow === undefined) return holds();
  const token = await ifDecided(() => target.token(narrow.scopes));
  if (token === undefined) return holds();
  // A faulty target may keep the scopes of a failed login as well.
  const failed = await ifDecided(() => wrongPassword(target));
  const tag = await target.makeTag();
  const name = target.name();
  const [rename] = await target.run('simultaneously', () =>
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
