import { z } from 'zod';
import {
  accepted,
  type Exchange,
  open,
  type RequestOverrides,
  type Secret,
  spec,
  type Tag,
  type Target,
  Undecided,
  withCredential,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { everyOperation, newNames } from '../every-operation.ts';
import { tagToList } from '../listed-tags.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { answersToBearer } from '../tokens/refusing.ts';
import { bodyKind, type BodyKind, bodyKindOf, byOperation, describeStatuses, statuses } from './answers.ts';

/**
 * Sends a request of every operation with this credential in place of a valid token. The delete comes last, because an
 * accepted delete would change the answer to the update of the same tag.
 */
function refusals(target: Target, name: string, departure: RequestOverrides): Promise<readonly Exchange[]> {
  return target.shared(`refusals ${name}`, 2, async (shared) => {
    const tag = await shared.makeTag();
    const subjects = { toRename: tag, toDelete: tag, names: newNames(shared) };
    const requests = everyOperation(shared, subjects, departure);
    const list = await requests.filtered();
    const others = await Promise.all([requests.create(), requests.rename()]);
    return [list, ...others, await requests.delete()];
  });
}

const withoutToken = (target: Target): Promise<readonly Exchange[]> =>
  refusals(target, 'without a token', { token: 'none' });

async function withMadeUpToken(target: Target): Promise<readonly Exchange[]> {
  const sent = await answersToBearer(target, 'made-up');
  if (sent !== undefined) return [sent.filtered, sent.create, sent.rename, sent.delete];
  const departure = withCredential(`Bearer ${target.name()}${target.name()}`, 'Bearer made-up');
  return refusals(target, 'with a made-up token', departure);
}

/** The requests that were refused for lack of scope; none if every scope permits every operation on tags. */
async function refusedForLackOfScope(target: Target): Promise<readonly Exchange[]> {
  const probes = await scopeProbes(target);
  return probes.flatMap(({ permits, asked }) =>
    spec.tagOperations.filter((operation) => !permits[operation]).map((operation) => asked[operation]),
  );
}

export const missingToken = open({
  id: 'open/missing-token',
  section: '7',
  sentences: ['7/token-missing'],
  text: 'How is a request without a token answered?',
  key: 'missingToken',
  answers: statuses,
  tell: (answer) => `A request without a token is answered ${describeStatuses(answer)}.`,
  ask: async (target) => {
    const exchanges = await withoutToken(target);
    return { answer: byOperation(exchanges), exchanges };
  },
});

export const invalidToken = open({
  id: 'open/invalid-token',
  section: '7',
  sentences: ['7/token-invalid'],
  text: 'How is a request with an invalid token answered?',
  key: 'invalidToken',
  answers: statuses,
  tell: (answer) => `A request with an invalid token is answered ${describeStatuses(answer)}.`,
  ask: async (target) => {
    const exchanges = await withMadeUpToken(target);
    return { answer: byOperation(exchanges), exchanges };
  },
});

export const insufficientScope = open({
  id: 'open/insufficient-scope',
  section: '7',
  sentences: ['7/scope-insufficient'],
  text: 'How is a request whose token lacks the required scope answered?',
  key: 'insufficientScope',
  answers: statuses,
  tell: (answer) => `A request whose token lacks the required scope is answered ${describeStatuses(answer)}.`,
  ask: async (target) => {
    const exchanges = await refusedForLackOfScope(target);
    if (exchanges.length === 0) throw new Undecided('choice', 'every scope permits everything with tags');
    return { answer: byOperation(exchanges), exchanges: exchanges.slice(0, 4) };
  },
});

const bodies = z.object({
  missingToken: bodyKind,
  invalidToken: bodyKind,
  insufficientScope: z.union([bodyKind, z.literal('never')]),
});

export const refusalBodies = open({
  id: 'open/refusal-bodies',
  section: '7',
  sentences: ['7/token-missing', '7/token-invalid'],
  text: 'What kind of body does a request get that is refused for its token?',
  key: 'refusalBodies',
  answers: bodies,
  tell: ({ missingToken: missing, invalidToken: invalid, insufficientScope: scope }) =>
    missing === invalid && (scope === invalid || scope === 'never')
      ? `A request refused for its token gets ${KIND_TEXTS[missing]}, whatever the reason.`
      : `A request refused for its token gets ${KIND_TEXTS[missing]} if the token is missing, ${KIND_TEXTS[invalid]} if it is invalid${scope === 'never' ? '' : `, ${KIND_TEXTS[scope]} if it lacks a scope`}.`,
  ask: async (target) => {
    const [missing, invalid, scope] = await Promise.all([
      withoutToken(target),
      withMadeUpToken(target),
      refusedForLackOfScope(target),
    ]);
    return {
      answer: {
        missingToken: bodyKindOf(missing),
        invalidToken: bodyKindOf(invalid),
        insufficientScope: scope.length === 0 ? ('never' as const) : bodyKindOf(scope),
      },
      exchanges: [missing, invalid, scope].flatMap((exchanges) => exchanges.slice(0, 1)),
    };
  },
});

const KIND_TEXTS: Readonly<Record<BodyKind, string>> = {
  message: 'a JSON body with a message',
  'other JSON': 'a JSON body without a message',
  HTML: 'an HTML body',
  text: 'a plain-text body',
  empty: 'no body',
  'several kinds': 'bodies of several kinds',
};

const acceptedOrRefused = z.enum(['accepted', 'refused']);

interface Disclosed {
  readonly answer: z.infer<typeof acceptedOrRefused>;
  readonly exchanges: readonly Exchange[];
}

/** Whether a list with an unusual credential discloses a tag. */
async function disclosed(tag: Tag, ask: (name: string) => Promise<Exchange>): Promise<Disclosed> {
  const exchange = await ask(tag.name);
  return {
    answer: accepted(exchange) && discloses(exchange, tag) ? 'accepted' : 'refused',
    exchanges: [exchange],
  };
}

/**
 * Like `disclosed`, with the run's token. The token may have ended just before. In that case a normal list makes the run renew
 * it, and the request is sent again.
 */
async function disclosedByToken(
  target: Target,
  ask: (name: string, token: Secret) => Promise<Exchange>,
): Promise<Disclosed> {
  const tag = await tagToList(target);
  const token = await target.token();
  const first = await disclosed(tag, (name) => ask(name, token));
  if (first.answer === 'accepted') return first;
  await target.list(tag.name);
  const current = await target.token();
  return current.reveal() === token.reveal() ? first : disclosed(tag, (name) => ask(name, current));
}

export const tokenInQuery = open({
  id: 'open/token-in-query',
  section: '5',
  sentences: ['5/authorization-value'],
  text: 'Is a token in the query string (access_token) accepted?',
  key: 'tokenInQuery',
  answers: acceptedOrRefused,
  tags: 1,
  tell: (answer) => `A token in the query string (access_token) is ${answer}.`,
  ask: (target) =>
    disclosedByToken(target, (name, token) =>
      target.list(
        { query: `tag=${name}&access_token=${encodeURIComponent(token.reveal())}` },
        { token: 'none' },
      ),
    ),
});

export const lowerCaseScheme = open({
  id: 'open/lower-case-scheme',
  section: '5',
  sentences: ['5/authorization-value'],
  text: 'Is the scheme in lower case (bearer) accepted?',
  key: 'lowerCaseScheme',
  answers: acceptedOrRefused,
  tags: 1,
  tell: (answer) => `The scheme in lower case (bearer) is ${answer}.`,
  ask: (target) =>
    disclosedByToken(target, (name, token) =>
      target.list(name, withCredential(`bearer ${token.reveal()}`, 'bearer $TOKEN')),
    ),
});

export const basicCredentials = open({
  id: 'open/basic-credentials',
  section: '5',
  sentences: ['5/authorization-value'],
  text: 'Are the username and password (Basic) accepted in place of a token?',
  key: 'basicCredentials',
  answers: acceptedOrRefused,
  tags: 1,
  tell: (answer) => `The username and password (Basic) in place of a token are ${answer}.`,
  ask: async (target) => {
    const { username, password } = target.credentials;
    if (username.includes(':'))
      throw new Undecided('choice', 'a username with a colon cannot be sent as Basic (RFC 7617, 2)');
    const encoded = Buffer.from(`${username}:${password.reveal()}`).toString('base64');
    const departure = withCredential(`Basic ${encoded}`, 'Basic $CREDENTIALS');
    return disclosed(await tagToList(target), (name) => target.list(name, departure));
  },
});
