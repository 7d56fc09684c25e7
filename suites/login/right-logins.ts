import {
  accepted,
  broken,
  type Exchange,
  holds,
  type Requirement,
  Secret,
  type Target,
  tokenIn,
  undecided,
  whatCame,
  withCredential,
} from '../../lib/check.ts';
import { discloses } from '../disclosure.ts';
import { loginInTurn, loginsInTurn } from './turns.ts';
import { loginsEndTokens } from '../scopes/probes.ts';

/**
 * Right logins of both accounts, sent at the same time. The account whose login failed just before comes last, because
 * a faulty target may give the next login the token of the account that failed.
 *
 * @returns the login of the first account, and that of the second.
 */
const bothAtOnce = (target: Target): Promise<readonly Exchange[]> =>
  loginsInTurn(target, [target, target.second], async (failed) => {
    const accounts = [target, target.second];
    const isSecondLast = failed === target.second.credentials.username;
    const logins = await target.simultaneously(() =>
      Promise.all((isSecondLast ? accounts : accounts.toReversed()).map((account) => account.sendLogin())),
    );
    return isSecondLast ? logins : logins.toReversed();
  });

/** The list filtered by a tag's name, with the token of a login. */
const listWith = (target: Target, login: Exchange, name: string): Promise<Exchange> =>
  target.list(name, withCredential(`Bearer ${tokenIn(login)}`, 'Bearer $TOKEN'));

/** Requirements about right logins that a faulty target refuses, or answers with the token of another account. */
export const rightLogins: readonly Requirement[] = [
  {
    id: 'login/json-escapes',
    effort: 'standard',
    section: '4.1',
    sentences: ['4.1/body', '4.1/username-type', '4.1/password-type'],
    level: 'derived',
    derivation:
      'Escapes do not change the value of a JSON text (RFC 8259, 7), and the body of a login is JSON (4).',
    text: 'A login whose username, password and scopes are written with JSON escapes is given a token.',
    cause: 'The body is searched as text, or parsed by something other than a JSON parser.',
    when: 'logins',
    logins: 1,
    check: async (target) => {
      const { escaped, plain } = await escapedLogin(target);
      if (plain === undefined) return holds();
      return accepted(plain) && tokenIn(plain) !== undefined
        ? broken(
            `${whatCame(escaped)}${accepted(escaped) ? ' without a token' : ''}, though the body means the same as one that is accepted`,
            escaped,
            plain,
          )
        : undecided('failure', `a login ${whatCame(plain)}`, plain);
    },
  },
  {
    id: 'login/at-once',
    effort: 'standard',
    section: '5',
    sentences: ['5/substitute', '5/from-login'],
    level: 'derived',
    derivation:
      'A token is a substitute for the username and password that it was obtained with (5), whatever other logins are under way.',
    text: 'If both accounts log in at the same time, each is given a token of its own account.',
    cause: 'The user is kept in a variable that all requests share while the password is verified.',
    when: 'logins',
    logins: 2,
    tags: 2,
    check: async (target) => {
      // If logins end earlier tokens, the run's next login would end both tokens before they are used.
      if (await loginsEndTokens(target))
        return undecided('choice', 'a login ends the tokens of the account before it');
      const [login, other] = await bothAtOnce(target);
      const [tag, theirs] = await Promise.all([target.makeTag(), target.second.makeTag()]);
      if (login === undefined || other === undefined) throw new Error('two logins have no two answers');
      for (const [own, foreign] of [
        [login, theirs],
        [other, tag],
      ] as const) {
        if (tokenIn(own) === undefined)
          return undecided('failure', `a login beside another ${whatCame(own)} without a token`, own);
        const list = await listWith(target, own, foreign.name);
        if (discloses(list, foreign))
          return broken(
            'the token of a login shows the tags of the other account, which logged in at the same time',
            own,
            list,
          );
      }
      return holds();
    },
  },
];

/** No other set of scopes of the run has the same first or the same last scope. */
export const ESCAPED_SCOPES = ['mutation', 'api', 'user'];

/** A right login that is written with JSON escapes. */
export interface EscapedLogin {
  readonly escaped: Exchange;
  /** The same login without escapes, sent only if the other one was given no token. */
  readonly plain?: Exchange;
}

/** The JSON text of a string with every character escaped (RFC 8259, 7). */
const inEscapes = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

/** Logs in with escapes for a set of scopes; done once in a run. */
export const escapedLogin = (target: Target): Promise<EscapedLogin> =>
  target.shared('escaped-login', 0, async (shared) => {
    const { username, password } = shared.credentials;
    const scopes = ESCAPED_SCOPES.map(inEscapes).join(', ');
    const body = (secret: string): string =>
      ` { "p\\u0061ssword":\t${secret},\n"scopes": [ ${scopes} ], "username" :${inEscapes(username)} } `;
    const login = new Secret(body(inEscapes(password.reveal())), body(`"${password.label}_IN_ESCAPES"`));
    const escaped = await loginInTurn(shared, shared, 'a right login', () => shared.sendLogin(login));
    const isRight = accepted(escaped) && tokenIn(escaped) !== undefined;
    return isRight ? { escaped } : { escaped, plain: await shared.login(ESCAPED_SCOPES) };
  });
