import { loginBody } from '../lib/engine/account.ts';
import type { Target } from '../lib/engine/target.ts';
import type { Pair } from '../lib/engine/pairing.ts';
import { accepted, jsonOf, statusOf, type Exchange } from '../lib/http/exchange.ts';
import { messageBody, tokenBody } from '../lib/http/shapes.ts';
import { whatCame } from '../lib/http/wording.ts';
import { refuses, succeeds } from '../lib/matching.ts';
import { allOf, broken, holds, undecided, type Outcome } from '../lib/outcome.ts';
import type { Requirement, Suite } from '../lib/requirement.ts';
import { Secret } from '../lib/secret.ts';

/** The scopes of section 2. */
export const SCOPES = ['api', 'user', 'user_read', 'bank', 'bank_read', 'mutation', 'mutation_read'] as const;

const eachScope = SCOPES.map((scope): Requirement => ({
  id: `login/scope-${scope.replace('_', '-')}`,
  section: '2',
  level: 'required',
  text: `A login that asks for the scope ${scope} alone is given a token.`,
  check: async (target) => succeeds(await target.login([scope]), tokenBody),
}));

export const login: Suite = {
  topic: 'login',
  requirements: [
    {
      id: 'login/answers',
      section: '4.1',
      level: 'required',
      text: 'A login with the right credentials is answered 200 with an access_token.',
      check: async (target) => succeeds(await target.login(), tokenBody),
    },
    {
      id: 'login/needs-no-authorization',
      section: '4',
      level: 'required',
      text: 'A login is accepted without an Authorization header.',
      check: async (target) => {
        const without = await target.login();
        if (accepted(without)) return holds();
        const made = new Secret(`Bearer ${target.name()}`, 'Bearer made-up');
        const beside = await target.sendLogin(target.loginBody(), { headers: { Authorization: made } });
        if (accepted(beside) || [401, 407].includes(statusOf(without))) {
          return broken(`${whatCame(without)} to a login without an Authorization header`, without, beside);
        }
        return undecided(
          'failure',
          `a login is not accepted with an Authorization header either: it ${whatCame(beside)}`,
          without,
          beside,
        );
      },
    },
    ...eachScope,
    {
      id: 'login/wrong-password',
      section: '4.1',
      level: 'required',
      when: 'last',
      text: 'A login with a wrong password is answered 302 with a message and gives no token.',
      check: async (target) => noTokenFor(await wrongPassword(target)),
    },
    {
      id: 'login/unknown-username',
      section: '4.1',
      level: 'required',
      when: 'last',
      text: 'A login with an unknown username is answered 302 with a message and gives no token.',
      check: async (target) => noTokenFor(await unknownUsername(target)),
    },
  ],
};

/** A wrong password on the right username, asked once in a run. */
export function wrongPassword(target: Target): Promise<Pair> {
  return target.shared('wrong-password', 0, (shared) => {
    const wrong = new Secret(`${shared.name()}X1!`, '$WRONG_PASSWORD');
    return shared.pair({
      accepted: () => shared.login(),
      refused: () => shared.sendLogin(loginBody(shared.credentials.username, wrong, ['api'])),
    });
  });
}

/** A username of the same form as the right one, which nobody has. */
export function unknownUsername(target: Target): Promise<Pair> {
  return target.shared('unknown-username', 0, (shared) => {
    const { username } = shared.credentials;
    const domain = username.includes('@') ? `@${username.split('@').at(-1)}` : '';
    const wrong = new Secret(`${shared.name()}X1!`, '$WRONG_PASSWORD');
    return shared.pair({
      accepted: () => shared.login(),
      refused: () => shared.sendLogin(loginBody(`${shared.name()}${domain}`, wrong, ['api'])),
    });
  });
}

function noTokenFor(pair: Pair): Outcome {
  const leak = tokenLike(pair.refused, pair.accepted);
  return allOf(
    refuses(pair, 302, messageBody),
    leak === undefined
      ? holds()
      : broken(`${whatCame(pair.refused)}, but ${leak}`, pair.refused, pair.accepted),
  );
}

/** Says where a refused login gives away something of the form of a token, or undefined. */
export function tokenLike(refused: Exchange, right: Exchange): string | undefined {
  const body = jsonOf(refused);
  if (isObject(body) && body['access_token'] !== undefined && body['access_token'] !== null) {
    return 'the body holds an access_token';
  }
  const real = jsonOf(right);
  const token = isObject(real) && typeof real['access_token'] === 'string' ? real['access_token'] : undefined;
  const path = token === undefined ? undefined : pathOfStringLike(body, token);
  return path === undefined ? undefined : `${path} has the form of a token`;
}

const JWT = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]+$/;

function pathOfStringLike(value: unknown, token: string, path = ''): string | undefined {
  if (typeof value === 'string') {
    const alike = JWT.test(token)
      ? JWT.test(value)
      : token.length >= 20 && value.length >= token.length * 0.9 && !/\s/.test(value) && /\d/.test(value);
    return alike ? path.slice(1) : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = pathOfStringLike(item, token, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
