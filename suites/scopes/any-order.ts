import fc from 'fast-check';
import {
  accepted,
  allOf,
  bodies,
  broken,
  holds,
  ifDecided,
  LIMITED_SCOPES,
  listedIn,
  nameOf,
  type Outcome,
  property,
  type Requirement,
  type Secret,
  succeeds,
  type TagOperation,
  type Target,
  Undecided,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { ESCAPED_SCOPES, escapedLogin } from '../login/right-logins.ts';
import { loginInTurn } from '../login/turns.ts';
import { spareAccount } from '../login/wrong-logins.ts';
import { Pieces } from '../names/pieces.ts';
import { API_AMONG_ALL, loginsEndTokens, probesAndTwin } from './probes.ts';

/**
 * Small sets with api at either end, one of them beside a scope that may permit as much: whatever they permit, api permits.
 * The budget may have room for the first one only. They are those of the spare account, if a right login has to end the rows of failed ones anyway.
 */
const OF_SPARE: readonly (readonly string[])[] = [
  ['mutation_read', 'user_read', 'api'],
  ['api', 'mutation'],
];

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
  // Pairs of scopes that are in the set which is probed anyway occur here in the other order.
  examples: ({ settings }) => [
    API_AMONG_ALL.toReversed(),
    ...OF_SPARE.map((scopes) => [...scopes]),
    ESCAPED_SCOPES,
    ...(settings.effort === 'thorough' ? LIMITED_SCOPES.map((scope) => [scope, 'api']) : []),
  ],
  cases: () =>
    new Pieces(fc.shuffledSubarray([...API_AMONG_ALL], { minLength: 2 }), { least: 2, areWhole: true }),
  runs: { standard: 0, thorough: 20 },
  // The first cases wait for their turns together, each for a row of its account.
  lanes: 2 + OF_SPARE.length,
  tagsEach: 1,
  tell: (scopes) => scopes.join(', '),
  ask: async (first, scopes) => {
    if (scopes.join() === ESCAPED_SCOPES.join()) {
      // Nearly all targets accept the login with escapes, which saves the same login without them.
      const { escaped, plain = escaped } = await escapedLogin(first);
      return succeeds(plain, bodies.token);
    }
    // Only the set of all scopes, and a set whose login ends a row of failed ones, may take a login that others may need.
    if (scopes.length < API_AMONG_ALL.length && !isOfSpare(scopes) && !first.facts.sparesLogins)
      throw new Undecided('budget', 'the remaining logins are needed for other checks');
    const ended = await loginsEndTokens(first);
    // Such a target needs a new token for the run anyway, and that login ends the row.
    if (ended && isOfSpare(scopes)) return holds();
    // There, each probe took two logins.
    if (first.facts.loginsEndTokensLater) return holds();
    const target = isOfSpare(scopes) ? spareAccount(first) : first;
    // Before the turn: shared work may be waiting for the same turn, which would be a deadlock.
    const { twin } = await probesAndTwin(first);
    let permits: Outcome = holds();
    // No other login is sent meanwhile: it might end the token.
    const login = await loginInTurn(first, target, 'a right login', async () => {
      const token = await ifDecided(() => target.token(scopes, { fresh: true }));
      const exchange = await target.login(scopes);
      // If a login ends the token before it, a token could be tried only at the cost of another login. A target that reads
      // some of the scopes reads the first one, or compares a small set with the ones that it knows.
      if (token !== undefined && !ended && (isOfSpare(scopes) || scopes.indexOf('api') > 0))
        permits = await permitsAll(target, twin, scopes);
      return exchange;
    });
    return allOf(succeeds(login, bodies.token), permits);
  },
});

/** Checks that a token with these scopes creates, lists and deletes a tag if one with api alone does. */
async function permitsAll(
  target: Target,
  twin: readonly TagOperation[],
  scopes: readonly string[],
): Promise<Outcome> {
  const first = await permitsWith(target, twin, scopes, await target.token(scopes));
  if (first.kind !== 'broken') return first;
  await target.removeTags();
  // Something else may have broken the operation since the twin was sent.
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
  const remove = found === undefined ? undefined : await target.delete(found.tagId, { token });
  const refused = [create, list, ...(remove === undefined ? [] : [remove])].find(
    (exchange) => twin.includes(exchange.ask.operation as TagOperation) && !accepted(exchange),
  );
  return refused === undefined
    ? holds()
    : broken(
        `a token with the scopes ${scopes.join(', ')} may not ${nameOf(refused.ask.operation)}: ${whatCame(refused)}`,
        refused,
      );
}
