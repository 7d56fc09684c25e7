import { z } from 'zod';
import {
  accepted,
  type Exchange,
  open,
  type RequestOverrides,
  Secret,
  TAG_OPERATIONS,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { everyOperation, newNames } from '../every-operation.ts';
import type { Probe } from '../scopes/probe.ts';
import { scopeProbes } from '../scopes/probes.ts';
import { bodyKind, bodyKindOf, byOperation, statuses, tellStatuses } from './answers.ts';

/**
 * Sends every operation with this credential in place of a valid token. The delete comes last: if the target accepts
 * it, the update of the same tag would be answered otherwise.
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

const withMadeUp = (target: Target): Promise<readonly Exchange[]> => {
  const credential = new Secret(`Bearer ${target.name()}${target.name()}`, 'Bearer made-up');
  return refusals(target, 'with a made-up token', { token: 'none', headers: { Authorization: credential } });
};

/** What tokens without the scope that is needed were refused. */
async function forLackOfScope(target: Target): Promise<readonly Exchange[]> {
  const probes = await scopeProbes(target);
  const refused = probes.flatMap(({ permits, asked }) =>
    TAG_OPERATIONS.filter((operation) => !permits[operation]).map((operation) => asked[operation]),
  );
  if (refused.length === 0) throw new Undecided('choice', 'no scope is refused anything with tags');
  return refused;
}

export const missingToken = open({
  id: 'open/missing-token',
  section: '7',
  sentences: ['7/token-missing'],
  text: 'How is a request without a token answered?',
  key: 'missingToken',
  answers: statuses,
  tell: (answer) => `A request without a token is answered ${tellStatuses(answer)}.`,
  ask: async (target) => {
    const exchanges = await withoutToken(target);
    return { answer: byOperation(exchanges), exchanges };
  },
});

export const invalidToken = open({
  id: 'open/invalid-token',
  section: '7',
  sentences: ['7/token-invalid'],
  text: 'How is a request with a token that is not valid answered?',
  key: 'invalidToken',
  answers: statuses,
  tell: (answer) => `A token that is not valid is answered ${tellStatuses(answer)}.`,
  ask: async (target) => {
    const exchanges = await withMadeUp(target);
    return { answer: byOperation(exchanges), exchanges };
  },
});

export const insufficientScope = open({
  id: 'open/insufficient-scope',
  section: '7',
  sentences: ['7/scope-insufficient'],
  text: 'How is a request whose token lacks the scope answered?',
  key: 'insufficientScope',
  answers: statuses,
  tell: (answer) => `A token that lacks the scope is answered ${tellStatuses(answer)}.`,
  ask: async (target) => {
    const exchanges = await forLackOfScope(target);
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
  text: 'What kind of body do refusals of a token have?',
  key: 'refusalBodies',
  answers: bodies,
  tell: ({ missingToken: missing, invalidToken: invalid, insufficientScope: scope }) =>
    missing === invalid && (scope === invalid || scope === 'never')
      ? `The body of such refusals is ${tellKind(missing)}.`
      : `The body is ${tellKind(missing)} without a token, ${tellKind(invalid)} with one that is not valid${scope === 'never' ? '' : `, ${tellKind(scope)} for lack of scope`}.`,
  ask: async (target) => {
    const [missing, invalid, scope] = await Promise.all([
      withoutToken(target),
      withMadeUp(target),
      limitedOrNone(target),
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

const tellKind = (kind: z.infer<typeof bodyKind> | 'never'): string =>
  kind === 'message' ? 'JSON with a message' : kind === 'text' ? 'plain text' : kind;

async function limitedOrNone(target: Target): Promise<readonly Exchange[]> {
  const probes: readonly Probe[] = await scopeProbes(target);
  return probes.some(({ permits }) => TAG_OPERATIONS.some((operation) => !permits[operation]))
    ? forLackOfScope(target)
    : [];
}

const acceptedOrRefused = z.enum(['accepted', 'refused']);

/** Whether a list is given away to a request that presents its credential in another way. */
async function presented(
  target: Target,
  ask: (name: string, token: Secret) => Promise<Exchange>,
): Promise<{ answer: 'accepted' | 'refused'; exchanges: readonly Exchange[] }> {
  const tag = await target.makeTag();
  const exchange = await ask(tag.name, await target.token());
  return {
    answer: accepted(exchange) && discloses(exchange, tag) ? 'accepted' : 'refused',
    exchanges: [exchange],
  };
}

export const tokenInQuery = open({
  id: 'open/token-in-query',
  section: '5',
  sentences: ['5/authorization-value'],
  text: 'Is a token taken from the query string?',
  key: 'tokenInQuery',
  answers: acceptedOrRefused,
  tags: 1,
  tell: (answer) => `A token in the query string (access_token) is ${answer}.`,
  ask: (target) =>
    presented(target, (name, token) =>
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
  text: 'Is the scheme Bearer taken in lower case?',
  key: 'lowerCaseScheme',
  answers: acceptedOrRefused,
  tags: 1,
  tell: (answer) => `The scheme in lower case (bearer) is ${answer}.`,
  ask: (target) =>
    presented(target, (name, token) => {
      const credential = new Secret(`bearer ${token.reveal()}`, 'bearer $TOKEN');
      return target.list(name, { token: 'none', headers: { Authorization: credential } });
    }),
});

export const basicCredentials = open({
  id: 'open/basic-credentials',
  section: '5',
  sentences: ['5/authorization-value'],
  text: 'Are the right username and password taken in the place of a token (Basic)?',
  key: 'basicCredentials',
  answers: acceptedOrRefused,
  tags: 1,
  tell: (answer) => `Username and password in the place of a token (Basic) are ${answer}.`,
  ask: (target) => {
    const { username, password } = target.credentials;
    const credential = new Secret(
      `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}`,
      'Basic $CREDENTIALS',
    );
    return presented(target, (name) =>
      target.list(name, { token: 'none', headers: { Authorization: credential } }),
    );
  },
});
