import { z } from 'zod';
import {
  type Exchange,
  open,
  type Open,
  type Position,
  reaches,
  Secret,
  statusOf,
  type Target,
  tokenIn,
  Undecided,
} from '../../lib/check.ts';
import { garbledLogins } from '../login/wrong-logins.ts';
import { status, statusesOf, statuses, statusIn, tellStatus, tellStatuses } from './answers.ts';

const reply = z.object({ status, token: z.boolean() });
type Reply = z.infer<typeof reply>;

const replyIn = (exchange: Exchange): Reply => ({
  status: statusIn(exchange),
  token: tokenIn(exchange) !== undefined,
});

const tellReply = (what: string, { status: came, token }: Reply): string =>
  `${what} is answered ${tellStatus(came)} and given ${token ? 'a' : 'no'} token.`;

export const incompleteLogin = open({
  id: 'open/incomplete-login',
  section: '4.1',
  sentences: ['4.1/required-fields'],
  when: 'logins',
  text: 'How is a login without a username or a password answered?',
  key: 'incompleteLogin',
  answers: z.object({ status: statuses, token: z.boolean() }),
  tell: ({ status: came, token }) =>
    `A login without a username or a password is answered ${tellStatuses(came)} and given ${token ? 'a' : 'no'} token.`,
  ask: async (target) => {
    const pairs = await Promise.all([
      garbledLogins(target, 'username-absent'),
      garbledLogins(target, 'password-absent'),
    ]);
    const [noUsername, noPassword] = pairs.map(([pair]) => pair?.refused);
    if (noUsername === undefined || noPassword === undefined)
      throw new Error('a row of the garbled logins is gone');
    return {
      answer: {
        status: statusesOf([
          ['without a username', noUsername],
          ['without a password', noPassword],
        ]),
        token: [noUsername, noPassword].some((exchange) => tokenIn(exchange) !== undefined),
      },
      exchanges: [noUsername, noPassword],
    };
  },
});

/** A login whose scopes are unusual. What the specification says of scopes is in sections 2 and 4.1. */
const oddScopes = (parts: {
  readonly id: string;
  readonly section?: string;
  readonly sentence: Position;
  readonly key: string;
  /** Completes "A login …". */
  readonly what: string;
  readonly scopes: unknown;
  readonly from?: 'thorough';
}): Open<Reply> =>
  open({
    id: `open/${parts.id}`,
    section: parts.section ?? '4.1',
    sentences: [parts.sentence],
    when: 'logins',
    text: `How is a login ${parts.what} answered?`,
    key: parts.key,
    answers: reply,
    tell: (answer) => tellReply(`A login ${parts.what}`, answer),
    ask: async (target) => {
      if (parts.from !== undefined && !reaches(target.settings.effort, parts.from))
        throw new Undecided('tester', `asked with the effort ${parts.from} only`);
      return replyTo(target, { username: target.credentials.username, scopes: parts.scopes });
    },
  });

async function replyTo(
  target: Target,
  fields: { readonly username: string; readonly scopes: unknown },
): Promise<{ answer: Reply; exchanges: readonly Exchange[] }> {
  const { password } = target.credentials;
  const body = (shown: string): string => JSON.stringify({ ...fields, password: shown });
  const exchange = await target.sendLogin(new Secret(body(password.reveal()), body(password.label)), {
    open: true,
  });
  if (statusOf(exchange) === 0)
    throw new Undecided('failure', `the login gave no answer: ${exchange.failure?.message}`, exchange);
  return { answer: replyIn(exchange), exchanges: [exchange] };
}

export const oddLogins: readonly Open<Reply>[] = [
  oddScopes({
    id: 'unknown-scope',
    section: '2',
    sentence: '2/scope-other-values',
    key: 'unknownScope',
    what: 'for a scope that is not in the table',
    scopes: ['conformance'],
  }),
  oddScopes({
    id: 'empty-scopes',
    sentence: '4.1/scopes-type',
    key: 'emptyScopes',
    what: 'for no scopes (an empty list)',
    scopes: [],
  }),
  oddScopes({
    id: 'scopes-as-string',
    sentence: '4.1/scopes-type',
    key: 'scopesAsString',
    what: 'whose scopes are a string',
    scopes: 'api',
  }),
  oddScopes({
    id: 'duplicate-scopes',
    sentence: '4.1/scopes-type',
    key: 'duplicateScopes',
    what: 'for the same scope twice',
    scopes: ['api', 'api'],
  }),
  oddScopes({
    id: 'scope-case',
    section: '2',
    sentence: '2/scope-other-values',
    key: 'scopeCase',
    what: 'for a scope in capitals',
    scopes: ['API'],
    from: 'thorough',
  }),
  oddScopes({
    id: 'missing-scopes',
    sentence: '4.1/required-fields',
    key: 'missingScopes',
    what: 'without scopes',
    scopes: undefined,
    from: 'thorough',
  }),
];

export const usernameCase = open({
  id: 'open/username-case',
  section: '4.1',
  sentences: ['4.1/username-meaning'],
  when: 'logins',
  text: 'Is the username taken in another letter case?',
  key: 'usernameCase',
  answers: reply,
  tell: (answer) => tellReply('A login with the username in another letter case', answer),
  ask: (target) => {
    const { username } = target.credentials;
    const upper = username.toUpperCase();
    const other = upper === username ? username.toLowerCase() : upper;
    if (other === username) throw new Undecided('tester', 'the username that was given has no letters');
    return replyTo(target, { username: other, scopes: ['api'] });
  },
});
