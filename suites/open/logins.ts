import { z } from 'zod';
import {
  answers,
  type Exchange,
  open,
  type Requirement,
  Secret,
  statusOf,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { confirmUnlocked, loginInTurn } from '../login/turns.ts';
import { tryDoubled } from '../scopes/tried-logins.ts';
import { garbledLogins } from '../login/wrong-logins.ts';
import { describeStatus, describeStatuses, status, statusesOf, statuses, statusIn } from './answers.ts';

/** The answer to a login: its status, and whether it gives a token. */
const replySchema = z.object({ status, token: z.boolean() });
type Reply = z.infer<typeof replySchema>;

interface Observation {
  readonly answer: Reply;
  readonly exchanges: readonly Exchange[];
}

const replyIn = (exchange: Exchange): Reply => ({
  status: statusIn(exchange),
  token: answers.token(exchange) !== undefined,
});

/** @param login the subject of the sentence. */
const describeReply = (login: string, reply: Reply): string =>
  `${login} is answered ${describeStatus(reply.status)} and gives ${reply.token ? 'a' : 'no'} token.`;

export const incompleteLogin = open({
  id: 'open/incomplete-login',
  section: '4.1',
  sentences: ['4.1/required-fields'],
  when: 'logins',
  text: 'How is a login without a username or a password answered?',
  key: 'incompleteLogin',
  answers: z.object({ status: statuses, token: z.boolean() }),
  tell: (answer) =>
    `A login without a username or a password is answered ${describeStatuses(answer.status)} and gives ${answer.token ? 'a' : 'no'} token.`,
  ask: async (target) => {
    const pairs = await Promise.all([
      garbledLogins(target, 'username-absent'),
      garbledLogins(target, 'password-absent'),
    ]);
    const [noUsername, noPassword] = pairs.map(([pair]) => pair?.refused);
    if (noUsername === undefined || noPassword === undefined)
      throw new Error('the garbled logins lack a row');
    await confirmUnlocked(target);
    return {
      answer: {
        status: statusesOf([
          ['without a username', noUsername],
          ['without a password', noPassword],
        ]),
        token: [noUsername, noPassword].some((exchange) => answers.token(exchange) !== undefined),
      },
      exchanges: [noUsername, noPassword],
    };
  },
});

/** An open question about a login with unusual scopes (2, 4.1). */
const oddScopes = (parts: {
  readonly id: string;
  readonly section?: string;
  readonly sentence: Requirement['sentences'][number];
  readonly key: string;
  /** Completes "A login …". */
  readonly what: string;
  readonly scopes?: unknown;
  /** Sends the login. Given only if another check sends the same one. */
  readonly login?: (target: Target) => Promise<Exchange>;
  readonly from?: 'thorough';
}) =>
  open({
    id: `open/${parts.id}`,
    section: parts.section ?? '4.1',
    sentences: [parts.sentence],
    when: 'logins',
    logins: parts.from === undefined ? 1 : 0,
    text: `How is a login ${parts.what} answered?`,
    key: parts.key,
    answers: replySchema,
    tell: (answer) => describeReply(`A login ${parts.what}`, answer),
    ask: async (target) => {
      if (parts.from === 'thorough') needsThorough(target);
      const { login, scopes } = parts;
      return login === undefined
        ? replyTo(target, { username: target.credentials.username, scopes })
        : observedIn(await login(target));
    },
  });

/**
 * The logins of the smaller efforts are used for wrong logins, which show more faults.
 *
 * @throws Undecided if the effort is smaller than thorough.
 */
function needsThorough({ settings }: Target): void {
  if (settings.effort !== 'thorough')
    throw new Undecided('tester', 'this question is asked with the effort thorough only');
}

async function replyTo(
  target: Target,
  fields: { readonly username: string; readonly scopes: unknown },
): Promise<Observation> {
  const { password } = target.credentials;
  const body = (text: string): string => JSON.stringify({ ...fields, password: text });
  const login = new Secret(body(password.reveal()), body(password.label));
  const exchange = await loginInTurn(target, target, 'right credentials that may be refused', () =>
    target.sendLogin(login, { open: true }),
  );
  return observedIn(exchange);
}

function observedIn(exchange: Exchange): Observation {
  if (statusOf(exchange) === 0)
    throw new Undecided('failure', `the login gave no answer: ${exchange.failure?.message}`, exchange);
  return { answer: replyIn(exchange), exchanges: [exchange] };
}

export const oddLogins = [
  oddScopes({
    id: 'unknown-scope',
    section: '2',
    sentence: '2/scope-other-values',
    key: 'unknownScope',
    what: 'for a scope that the specification does not define',
    scopes: ['conformance'],
    from: 'thorough',
  }),
  oddScopes({
    id: 'empty-scopes',
    sentence: '4.1/scopes-type',
    key: 'emptyScopes',
    what: 'with an empty list of scopes',
    scopes: [],
    from: 'thorough',
  }),
  oddScopes({
    id: 'scopes-as-string',
    sentence: '4.1/scopes-type',
    key: 'scopesAsString',
    what: 'with a string in place of the list of scopes',
    scopes: 'api',
    from: 'thorough',
  }),
  oddScopes({
    id: 'duplicate-scopes',
    sentence: '4.1/scopes-type',
    key: 'duplicateScopes',
    what: 'with the same scope twice',
    login: async (target) => (await tryDoubled(target)).login,
  }),
  oddScopes({
    id: 'scope-case',
    section: '2',
    sentence: '2/scope-other-values',
    key: 'scopeCase',
    what: 'with a scope in upper case',
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
  text: 'Is the username accepted in another letter case?',
  key: 'usernameCase',
  answers: replySchema,
  tell: (answer) => describeReply('A login with the username in another letter case', answer),
  ask: (target) => {
    needsThorough(target);
    const { username } = target.credentials;
    const upper = username.toUpperCase();
    const other = upper === username ? username.toLowerCase() : upper;
    if (other === username) throw new Undecided('tester', 'the username has no letters');
    return replyTo(target, { username: other, scopes: ['api'] });
  },
});
