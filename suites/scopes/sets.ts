import {
  accepted,
  allOf,
  broken,
  holds,
  ifDecided,
  type Lookup,
  matches,
  type Outcome,
  type Requirement,
  spec,
  type TagOperation,
  type Target,
  undecided,
} from '../../lib/check.ts';
import { listUntil, lookInAll } from '../listed-tags.ts';
import { discloses } from '../disclosure.ts';
import { spareAccount } from '../spare-account.ts';
import { howRefused, type Probe } from './probe.ts';
import { probeOfApi, probesAndTwin } from './probes.ts';
import { loginsEndTokens } from './survey.ts';
import {
  DOUBLED,
  MIXED,
  sendWith,
  TAGS,
  type Tried,
  type TriedLogin,
  tryAcrossAreas,
  tryDoubled,
  tryLogin,
} from './tried-logins.ts';
import { isScopeRefusal, staysNarrow } from './widened.ts';
import { wrongPassword } from '../login/wrong-logins.ts';

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

/** Broken if a token for several scopes permits changes that none of them permits alone. */
function exceeds({ scopes, permits, asked, looks }: Tried, probes: readonly Probe[]): Outcome {
  const alone = probes.filter(
    ({ scopes: [scope = '', ...more] }) => more.length === 0 && scopes.includes(scope),
  );
  for (const operation of ['create', 'rename', 'delete'] as const) {
    // A token that ended during its probe seems to permit less than its scope does.
    const isRefused = (probe: Probe): boolean =>
      !probe.permits[operation] && isScopeRefusal(probe.asked[operation]);
    if (!permits[operation] || alone.length < scopes.length || !alone.every(isRefused)) continue;
    return broken(
      `a token for ${scopes.join(', ')} may ${spec.nameOf(operation)}, which a token for none of them alone may`,
      asked[operation],
      ...alone.map((probe) => probe.asked[operation]),
      ...looks,
    );
  }
  return holds();
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
  account = target,
): Promise<Outcome> {
  if (tried === undefined || token === undefined) return holds();
  const outcome = differs(tried, probes);
  // The probes are of the first account, and the form of an answer may depend on the account.
  if (outcome.kind === 'holds') return account === target ? isAnsweredOtherwise(tried, probes) : outcome;
  await target.removeTags();
  const tag = await account.makeTag();
  const options = { filter: tag.name, overrides: { token }, late: 'ignored' } as const;
  await listUntil(account, (list) => discloses(list, tag), options);
  await target.removeTags();
  const again = await ifDecided(() => sendWith(account, tried.scopes, token));
  return again === undefined ? outcome : differs(again, probes);
}

/** A finding about a token of the second account, if there is one. */
const ofSpare = (target: Target, { why, exchanges }: Outcome & { readonly kind: 'broken' }): Outcome =>
  broken(`${spareAccount(target) === target ? '' : 'in the second account, '}${why}`, ...exchanges);

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
    const across = await ifDecided(() => tryAcrossAreas(target));
    if (across?.tried !== undefined) {
      const excess = exceeds(across.tried, probes);
      if (excess.kind === 'broken') return ofSpare(target, excess);
      const lack = await differsSettled(target, across, probes, spareAccount(target));
      if (lack.kind === 'broken') return ofSpare(target, lack);
      await target.removeTags();
    }
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
  const rename = await target.rename(tag.tagId, { name }, { token });
  const isNamed = ({ entries }: Lookup): boolean =>
    entries.some((entry) => entry.tagId === tag.tagId && entry.name === name);
  const look = (): Promise<Lookup> => lookInAll(target, tag.tagId, name, tag.name);
  const renamed = (await target.until(look, (seen) => !accepted(rename) || isNamed(seen))).seen;
  return isNamed(renamed)
    ? broken(
        `after other logins, a token for ${narrow.scopes.join(', ')} could update, which it could not before`,
        rename,
        ...(failed === undefined ? [] : [failed.refused]),
        ...renamed.exchanges,
      )
    : holds();
}
