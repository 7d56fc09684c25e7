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
import { Pieces } from '../names/pieces.ts';
import { judgedBy } from './twin.ts';
import { API_AMONG_ALL, survey } from './probes.ts';

export const anyOrder: Requirement = property({
  id: 'scope/any-order',
  section: '2',
  sentences: ['2/scope-api-grants'],
  level: 'derived',
  derivation:
    'scopes is an array of the values of the table (4.1), none of which is said to need a place in it or another one beside it; api is access to all endpoints (2).',
  text: 'A login for any of the scopes, in any order, is given a token, which with api among them may do what one with api alone may.',
  cause: 'A scope is looked for at one place of the list, or the one before it takes it away.',
  // Of two scopes, either comes first in one of them: in this one, or in the other order, which is tried out anyway.
  examples: () => [API_AMONG_ALL.toReversed()],
  cases: () =>
    new Pieces(fc.shuffledSubarray([...API_AMONG_ALL], { minLength: 2 }), { least: 2, areWhole: true }),
  runs: { standard: 0, thorough: 20 },
  tagsEach: 1,
  tell: (scopes) => scopes.join(', '),
  ask: async (target, scopes) => {
    // The one that is always asked is worth it; smaller ones are not.
    if (scopes.length < API_AMONG_ALL.length && !target.sparesLogins)
      throw new Undecided('tester', 'the logins that are left are needed for others');
    const { ended } = await survey(target);
    const login = succeeds(await target.login(scopes), bodies.token);
    // Where one login ends the token before it, each one that is tried out costs another.
    return login.kind !== 'holds' || ended || !scopes.includes('api') ? login : mayAll(target, scopes);
  },
});

/** Whether a token with these scopes makes, lists and removes a tag, as one with api alone does. */
async function mayAll(target: Target, scopes: readonly string[]): Promise<Outcome> {
  const { twin } = await judgedBy(target);
  const first = await mayWith(target, twin, scopes, await target.token(scopes));
  if (first.kind !== 'broken') return first;
  // The token may have ended since it was fetched.
  await target.removeTags();
  return mayWith(target, twin, scopes, await target.token(scopes, { fresh: true }));
}

async function mayWith(
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
