import fc from 'fast-check';
import {
  accepted,
  bodies,
  broken,
  holds,
  listedIn,
  type Outcome,
  property,
  type Requirement,
  type Secret,
  succeeds,
  type TagOperation,
  type Target,
  Undecided,
  whatCame,
} from '../../lib/check.ts';
import { noteRightLogin } from '../login/turns.ts';
import { Pieces } from '../names/pieces.ts';
import { probesAndTwin } from './twin.ts';
import { API_AMONG_ALL, survey } from './probes.ts';

export const anyOrder: Requirement = property({
  id: 'scope/any-order',
  section: '2',
  sentences: ['2/scope-api-grants'],
  level: 'derived',
  derivation:
    'scopes is an array of values of the table (4.1), which requires no order and no combination, and api gives access to all endpoints (2).',
  text: 'A login for any set of scopes in any order is given a token. If the set includes api, the token permits what one with api alone permits.',
  cause: 'A scope is looked for in one place of the list only, or another scope before it overrides it.',
  // Every pair of scopes occurs in both orders: in this set, and in its reverse, which is probed anyway.
  examples: () => [API_AMONG_ALL.toReversed()],
  cases: () =>
    new Pieces(fc.shuffledSubarray([...API_AMONG_ALL], { minLength: 2 }), { least: 2, areWhole: true }),
  runs: { standard: 0, thorough: 20 },
  tagsEach: 1,
  tell: (scopes) => scopes.join(', '),
  ask: async (target, scopes) => {
    // The set of all scopes is worth a login that others may need, smaller sets are not.
    if (scopes.length < API_AMONG_ALL.length && !target.facts.sparesLogins)
      throw new Undecided('budget', 'the remaining logins are needed for other checks');
    const { ended } = await survey(target);
    const login = succeeds(await target.login(scopes), bodies.token);
    if (login.kind === 'holds') await noteRightLogin(target);
    // If a login ends the token before it, a token could be tried only at the cost of another login.
    return login.kind !== 'holds' || ended || !scopes.includes('api') ? login : permitsAll(target, scopes);
  },
});

/** Checks that a token with these scopes creates, lists and deletes a tag if one with api alone does. */
async function permitsAll(target: Target, scopes: readonly string[]): Promise<Outcome> {
  const { twin } = await probesAndTwin(target);
  const first = await permitsWith(target, twin, scopes, await target.token(scopes));
  if (first.kind !== 'broken') return first;
  // The token may have ended since it was fetched.
  await target.removeTags();
  return permitsWith(target, twin, scopes, await target.token(scopes, { fresh: true }));
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
        `a token with the scopes ${scopes.join(', ')} may not ${refused.ask.operation}: ${whatCame(refused)}`,
        refused,
      );
}
