import fc from 'fast-check';
import {
  accepted,
  allOf,
  broken,
  holds,
  ifDecided,
  listedIn,
  matches,
  type Outcome,
  property,
  type Requirement,
  type Secret,
  spec,
  type TagOperation,
  type Target,
  Undecided,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { ESCAPED_SCOPES, escapedLogin } from '../login/right-logins.ts';
import { loginInTurn } from '../login/turns.ts';
import { accountForTags, spareAccount } from '../spare-account.ts';
import { Pieces } from '../names/pieces.ts';
import { isTaken } from '../update/effect.ts';
import { probesAndTwin } from './probes.ts';
import { API_AMONG_ALL } from './scope-sets.ts';
import { loginsEndTokens } from './survey.ts';
import { ACROSS_AREAS, tryAcrossAreas } from './tried-logins.ts';

/**
 * Sets of three. The budget may allow only the first one. The spare account logs in with them: a right login must end its
 * rows of failed logins anyway.
 */
const OF_SPARE: readonly (readonly string[])[] = [['mutation_read', 'user_read', 'api'], ACROSS_AREAS];

const isOfSpare = (scopes: readonly string[]): boolean =>
  OF_SPARE.some((one) => one.join() === scopes.join());

export const anyOrder: Requirement = property({
  id: 'scope/any-order',
  section: '2',
  sentences: ['2/scope-api-grants'],
  level: 'derived',
  derivation:
    'scopes is an array of values of the table (4.1), which requires no order and no combination, and api gives access to all endpoints (2).',
  text: 'A login for any set of scopes in any order is given a token. If the set includes api, the token permits what one with api alone permits.',
  when: 'logins',
  logins: 1,
  cause: 'A scope is looked for in one place of the list only, or another scope before it overrides it.',
  // The reverse of a set that the probes use, so that each pair of scopes is sent in both orders.
  examples: ({ settings }) => [
    API_AMONG_ALL.toReversed(),
    ...OF_SPARE.map((scopes) => [...scopes]),
    ESCAPED_SCOPES,
    ...(settings.effort === 'thorough' ? spec.limitedScopes.map((scope) => [scope, 'api']) : []),
  ],
  cases: () =>
    new Pieces(fc.shuffledSubarray([...API_AMONG_ALL], { minLength: 2 }), { least: 2, areWhole: true }),
  runs: { standard: 0, thorough: 20 },
  // The first cases wait for their turns together, so that each can end a row of failed logins of its account.
  lanes: 2 + OF_SPARE.length,
  tagsEach: 1,
  tell: (scopes) => scopes.join(', '),
  ask: async (first, scopes) => {
    if (scopes.join() === ESCAPED_SCOPES.join()) {
      // The plain login is sent only if the target refused the one with escapes.
      const { escaped, plain = escaped } = await escapedLogin(first);
      return matches.success(plain);
    }
    // Other checks may need the remaining logins. Only the set of all scopes, and sets whose login ends a row of failed
    // logins, may use one of them.
    if (scopes.length < API_AMONG_ALL.length && !isOfSpare(scopes) && !first.facts.sparesLogins)
      throw new Undecided('budget', 'the remaining logins are needed for other checks');
    const ended = await loginsEndTokens(first);
    // If logins end earlier tokens, the run must log in again anyway, and that login ends the row.
    if (ended && isOfSpare(scopes)) return holds();
    // On such a target, the probes have already used two logins for each set.
    if (first.facts.haveLoginsEndedTokens) return holds();
    if (scopes.join() === ACROSS_AREAS.join()) return matches.success((await tryAcrossAreas(first)).login);
    const target = isOfSpare(scopes) ? spareAccount(first) : first;
    // This must come before the turn: the probes may wait for a turn themselves, which would be a deadlock.
    const { twin } = await probesAndTwin(first);
    const canMake = target === first || (await accountForTags(first)) !== first;
    let permits: Outcome = holds();
    // No other login is sent meanwhile: it might end the token.
    const login = await loginInTurn(first, target, 'a right login', async () => {
      const token = await ifDecided(() => target.token(scopes, { fresh: true }));
      const exchange = await target.login(scopes);
      // The token is tried only where a fault is likely: a target that does not read all scopes reads the first one, or
      // knows only certain small sets. If logins end earlier tokens, trying it would cost another login.
      if (token !== undefined && !ended && canMake && (isOfSpare(scopes) || scopes.indexOf('api') > 0))
        permits = await permitsAll(target, twin, scopes);
      return exchange;
    });
    return allOf(matches.success(login), permits);
  },
});

/** Checks that a token with these scopes creates, updates, lists and deletes a tag if one with api alone does. */
async function permitsAll(
  target: Target,
  twin: readonly TagOperation[],
  scopes: readonly string[],
): Promise<Outcome> {
  const first = await permitsWith(target, twin, scopes, await target.token(scopes));
  if (first.kind !== 'broken') return first;
  await target.removeTags();
  // The operation may have stopped working for other tokens as well.
  const plain = await permitsWith(target, twin, ['api'], await target.token());
  await target.removeTags();
  return plain.kind === 'broken'
    ? undecided('failure', plain.why, ...plain.exchanges)
    : // The token may have ended since it was fetched.
      permitsWith(target, twin, scopes, await target.token(scopes, { fresh: true }));
}

async function permitsWith(
  target: Target,
  twin: readonly TagOperation[],
  scopes: readonly string[],
  token: Secret,
): Promise<Outcome> {
  const name = target.name();
  const create = await target.create({ name }, { token });
  const list = await target.list(name, { token });
  const found = listedIn(list)?.find((tag) => tag.name === name);
  const writes =
    found === undefined
      ? []
      : [
          await target.rename(found.tagId, { name: target.name() }, { token }),
          await target.delete(found.tagId, { token }),
        ];
  const refused = [create, list, ...writes].find(
    (exchange) =>
      twin.includes(exchange.ask.operation as TagOperation) && !accepted(exchange) && !isTaken(exchange),
  );
  return refused === undefined
    ? holds()
    : broken(
        `a token with the scopes ${scopes.join(', ')} may not ${spec.nameOf(refused.ask.operation)}: ${whatCame(refused)}`,
        refused,
      );
}
