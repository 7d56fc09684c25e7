import {
  accepted,
  allOf,
  bodies,
  broken,
  type Exchange,
  header,
  holds,
  jsonOf,
  loginBody,
  type Outcome,
  type Pair,
  property,
  quote,
  reaches,
  refuses,
  type Requirement,
  SCOPES,
  Secret,
  statusOf,
  succeeds,
  type Suite,
  type Target,
  tokenIn,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { API_AMONG_ALL, survey } from './scope-probes.ts';
import { GARBLED, mistyped, mistypedFirst, WRONG_PASSWORDS } from './credentials.ts';

/** Some are of one area, some of two; api stands first or last. */
const SMALL_SETS: readonly (readonly string[])[] = [
  ['api', 'user_read'],
  ['mutation', 'mutation_read'],
  ['bank_read', 'user', 'api'],
];

/** What section 2 and section 5 say of each scope. */
const SCOPE_SENTENCES = {
  api: ['2/scope-api', '5/scopes-full'],
  user: ['2/scope-user', '5/scopes-by-area'],
  user_read: ['2/scope-user-read', '5/scopes-by-area'],
  bank: ['2/scope-bank', '5/scopes-by-area'],
  bank_read: ['2/scope-bank-read', '5/scopes-by-area'],
  mutation: ['2/scope-mutation', '5/scopes-by-area'],
  mutation_read: ['2/scope-mutation-read', '5/scopes-by-area'],
} as const;

const eachScope = SCOPES.map((scope): Requirement => ({
  id: `login/scope-${scope.replace('_', '-')}`,
  section: '2',
  sentences: [
    '1/token-by-login',
    '2/scope-values',
    '4.1/scopes-type',
    '4.1/scopes-values',
    ...SCOPE_SENTENCES[scope],
  ],
  level: 'required',
  when: 'first',
  text: `A login that asks for the scope ${scope} alone is given a token.`,
  cause: 'The list of known scopes leaves this one out, or the token is made for other scopes only.',
  check: async (target) => {
    // Where a login ends the tokens before it, each is tried out as soon as it is there.
    await settled(survey(target));
    return succeeds(await target.login([scope]), bodies.token);
  },
}));

const wrongPasswords = WRONG_PASSWORDS.map(({ id, what, cause, passwords }): Requirement => ({
  id: `login/${id}`,
  effort: 'standard',
  section: '4.1',
  sentences: ['4.1/password-meaning'],
  level: 'derived',
  derivation:
    'The token stands in for username and password (5), so a password is right or wrong as a whole.',
  when: 'logins',
  text: `The password ${what} is a wrong one, and gives no token.`,
  cause,
  check: async (target) => {
    const { username } = target.credentials;
    const pairs = await Promise.all(
      passwords(target).map((password) => loginWith(target, { username, password })),
    );
    return allOf(...pairs.map(givesNoToken));
  },
}));

const BOTH =
  'A token stands in for username and password (5): a login without both of them has shown nothing.';

const garbled = GARBLED.map(({ id, what, sentence }): Requirement => ({
  id: `login/${id}`,
  effort: 'standard',
  section: '4.1',
  sentences: [sentence],
  level: 'derived',
  derivation: BOTH,
  when: 'logins',
  text: `A login ${what} gives no token.`,
  cause:
    'The credentials are compared before their type is looked at, or a query is built from them as they are.',
  check: async (target) => allOf(...(await garbledLogins(target, id)).map(givesNoToken)),
}));

const garbledAnyhow = property({
  id: 'login/garbled-anyhow',
  section: '4.1',
  sentences: ['4.1/username-type', '4.1/password-type'],
  level: 'derived',
  derivation: BOTH,
  when: 'logins',
  text: 'A login whose username or password is of any other type than text gives no token.',
  cause:
    'A value that is no text passes for none at all, is compared loosely, or reaches the database as an operator.',
  examples: mistypedFirst,
  cases: ({ credentials }) => mistyped(credentials),
  // A target may lock the account after so many logins that fail: with the others these are all that a run may have.
  runs: { standard: 0, thorough: 1 },
  tagsEach: 0,
  tell: ({ field, value }) => `a login with the ${field} ${JSON.stringify(value)}`,
  ask: async (target, { field, value }) => {
    const { username, password } = target.credentials;
    return givesNoToken(await loginWith(target, { username, password, [field]: value }));
  },
});

/** Logins with a garbled field, asked once in a run for each row of the table. */
export function garbledLogins(target: Target, row: string): Promise<readonly Pair[]> {
  return target.shared(`garbled ${row}`, 0, async (shared) => {
    const { username, password } = shared.credentials;
    const asked = GARBLED.filter(({ id }) => id === row).flatMap(({ field, values }) =>
      values.map((value) => ({ username, password, [field]: value })),
    );
    return Promise.all(asked.map((fields) => loginWith(shared, fields)));
  });
}

export const login: Suite = {
  topic: 'login',
  requirements: [
    {
      id: 'login/answers',
      section: '4.1',
      sentences: [
        '1/token-by-login',
        '2/access-token-type',
        '2/access-token-meaning',
        '4.1/path',
        '4.1/body',
        '4.1/username-type',
        '4.1/username-meaning',
        '4.1/password-type',
        '4.1/password-meaning',
        '4.1/status-200',
        '4.1/status-200-body',
        '5/from-login',
        '9/prefix',
      ],
      level: 'required',
      text: 'A login with the right credentials is answered 200 with an access_token.',
      cause: 'Look at the credentials that were given first; a 302 is the answer to wrong ones.',
      check: async (target) => succeeds(await target.login(), bodies.token),
    },
    {
      id: 'login/needs-no-authorization',
      section: '4',
      sentences: ['4/login-exempt'],
      level: 'required',
      text: 'A login is accepted without an Authorization header.',
      check: async (target) => {
        const without = await target.login();
        if (accepted(without)) return holds();
        const made = new Secret(`Bearer ${target.name()}`, 'Bearer made-up');
        const beside = await target.sendLogin(loginBody(target.credentials, ['api']), {
          headers: { Authorization: made },
        });
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
      id: 'login/several-scopes',
      section: '4.1',
      sentences: ['1/token-by-login', '4.1/scopes-type'],
      level: 'derived',
      derivation:
        'scopes is an array of the values of the table (4.1), and arrays of several are asked for in any order.',
      text: 'A login that asks for several scopes, in any order, is given a token.',
      cause: 'The list is compared with fixed combinations, or is too long for where it is kept.',
      when: 'first',
      check: async (target) => {
        await settled(survey(target));
        const sets = [API_AMONG_ALL, ...(reaches(target.settings.effort, 'thorough') ? SMALL_SETS : [])];
        const exchanges = await Promise.all(sets.map((scopes) => target.login(scopes)));
        return allOf(...exchanges.map((exchange) => succeeds(exchange, bodies.token)));
      },
    },
    {
      id: 'login/token-fits-a-header',
      section: '5',
      sentences: ['4.1/status-200-body', '5/scheme'],
      level: 'derived',
      derivation:
        'The token is sent in the Authorization header (5), which RFC 6750 (2.1) confines to visible ASCII without blanks.',
      text: 'The token consists of visible ASCII characters without blanks.',
      cause: 'The token is raw bytes, or was wrapped into lines.',
      check: async (target) => {
        const exchange = await target.login();
        const token = tokenIn(exchange);
        if (token === undefined)
          return undecided('failure', `the login ${whatCame(exchange)} without a token`, exchange);
        const wrong = /[^\x21-\x7e]/u.exec(token)?.[0];
        return wrong === undefined
          ? holds()
          : broken(
              `the token holds the character U+${(wrong.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
              exchange,
            );
      },
    },
    {
      id: 'login/not-cacheable',
      section: '4.1',
      sentences: ['4.1/status-200'],
      level: 'advisory',
      text: 'The answer that holds the token is marked with Cache-Control: no-store.',
      cause: 'The framework sets no caching headers by itself; RFC 6750 (5.3) and OAuth ask for it.',
      check: async (target) => {
        const exchange = await target.login();
        if (!accepted(exchange) || exchange.answer === undefined) {
          return undecided('failure', `the login ${whatCame(exchange)}`, exchange);
        }
        const control = header(exchange.answer, 'cache-control');
        return /\bno-store\b/i.test(control ?? '')
          ? holds()
          : broken(
              control === undefined
                ? 'answered without Cache-Control'
                : `answered with Cache-Control: ${control}, not no-store`,
              exchange,
            );
      },
    },
    {
      id: 'login/password-not-echoed',
      section: '4.1',
      sentences: ['4.1/status-200-body', '4.1/status-302-body'],
      level: 'advisory',
      when: 'logins',
      text: 'No answer to a login repeats the password.',
      cause:
        'The input is sent back with validation errors, or the whole user record is sent with the token.',
      check: async (target) => {
        const { password } = target.credentials;
        const right = await target.login();
        const wrong = await wrongPassword(target);
        const repeats = (exchange: Exchange, secret: Secret): boolean =>
          secret.reveal().length >= 4 && textOf(exchange).includes(secret.reveal());
        if (repeats(right, password))
          return broken('the answer to a right login repeats the password', right);
        return repeats(wrong.refused, wrong.password)
          ? broken('the answer to a wrong login repeats the password', wrong.refused)
          : holds();
      },
    },
    {
      id: 'login/wrong-password',
      section: '4.1',
      sentences: [
        '4.1/password-meaning',
        '4.1/status-302',
        '4.1/status-302-body',
        '7/login-302',
        '7/login-302-body',
      ],
      level: 'required',
      when: 'logins',
      text: 'A login with a wrong password is answered 302 with a message and gives no token.',
      cause:
        'The framework answers 401 or 422 to wrong credentials; the specification says 302 with a JSON body.',
      check: async (target) => refusesCredentials(await wrongPassword(target)),
    },
    {
      id: 'login/unknown-username',
      section: '4.1',
      sentences: [
        '4.1/username-meaning',
        '4.1/status-302',
        '4.1/status-302-body',
        '7/login-302',
        '7/login-302-body',
      ],
      level: 'required',
      when: 'logins',
      text: 'A login with an unknown username is answered 302 with a message and gives no token.',
      cause: 'The user is looked up first, and not finding one takes another way than a wrong password.',
      check: async (target) => refusesCredentials(await unknownUsername(target)),
    },
    {
      id: 'login/tells-nobody-apart',
      section: '4.1',
      sentences: ['4.1/username-meaning', '4.1/status-302-body'],
      level: 'advisory',
      when: 'logins',
      text: 'A failed login does not tell whether the username exists.',
      cause: 'Unknown usernames and wrong passwords have messages of their own.',
      check: async (target) => {
        const [wrong, unknown] = await Promise.all([wrongPassword(target), unknownUsername(target)]);
        const [one, other] = [wrong.refused, unknown.refused];
        if (accepted(one) || accepted(other))
          return undecided('failure', 'wrong credentials were let in', one, other);
        if (statusOf(one) !== statusOf(other)) {
          return broken(
            `a wrong password is answered ${statusOf(one)}, an unknown username ${statusOf(other)}`,
            one,
            other,
          );
        }
        // What was sent may be repeated, and ids of requests differ: neither tells anything.
        const [said, elsewhere] = [told(one, target), told(other, target)];
        return said === elsewhere
          ? holds()
          : broken(
              `a wrong password is told ${quote(said)}, an unknown username ${quote(elsewhere)}`,
              one,
              other,
            );
      },
    },
    ...wrongPasswords,
    ...garbled,
    garbledAnyhow,
  ],
};

interface Refused extends Pair {
  /** The wrong password that was sent. */
  readonly password: Secret;
}

/** A wrong password on the right username, asked once in a run. */
export function wrongPassword(target: Target): Promise<Refused> {
  return target.shared('wrong-password', 0, async (shared) => {
    const password = new Secret(`${shared.name()}X1!`, '$WRONG_PASSWORD');
    return { ...(await loginWith(shared, { username: shared.credentials.username, password })), password };
  });
}

/** A username of the same form as the right one, which nobody has. */
function unknownUsername(target: Target): Promise<Pair> {
  return target.shared('unknown-username', 0, (shared) => {
    const [, domain] = /^[^@]*(@.*)?$/.exec(shared.credentials.username) ?? [];
    const password = new Secret(`${shared.name()}X1!`, '$WRONG_PASSWORD');
    return loginWith(shared, { username: `${shared.name()}${domain ?? ''}`, password });
  });
}

/** A login with these credentials beside the right one; a field that is undefined is left out. */
function loginWith(
  target: Target,
  fields: { readonly username: unknown; readonly password: unknown },
): Promise<Pair> {
  const plain = (value: unknown): unknown => (value instanceof Secret ? value.reveal() : value);
  const shown = (value: unknown): unknown => (value instanceof Secret ? value.label : value);
  const body = (of: (value: unknown) => unknown): string =>
    JSON.stringify({ username: of(fields.username), password: of(fields.password), scopes: ['api'] });
  const isText = [fields.username, fields.password].every(
    (value) => (typeof value === 'string' && value !== '') || value instanceof Secret,
  );
  const asked = new Secret(body(plain), body(shown));
  return target.pair({
    accepted: () => target.login(),
    // What a login that lacks something is answered, the specification leaves open.
    refused: () => (isText ? target.sendLogin(asked) : target.sendLogin(asked, { open: true })),
  });
}

const refusesCredentials = (pair: Pair): Outcome =>
  allOf(refuses(pair, 302, bodies.message), givesNoToken(pair));

function givesNoToken(pair: Pair): Outcome {
  const { accepted: right, refused } = pair;
  if (statusOf(refused) === 0) return undecided('failure', `the login ${whatCame(refused)}`, refused);
  const leak = tokenLike(refused, right);
  return leak === undefined ? holds() : broken(`${whatCame(refused)}, and ${leak}`, refused, right);
}

/** Waits for work that is no condition of what comes next. */
const settled = async (work: Promise<unknown>): Promise<void> => void (await Promise.allSettled([work]));

const textOf = (exchange: Exchange): string => new TextDecoder().decode(exchange.answer?.bytes);

/** The message without the username that was sent, and without what looks like an id or a time. */
function told(exchange: Exchange, target: Target): unknown {
  const message = messageOf(exchange);
  if (typeof message !== 'string') return message;
  const known = message.replaceAll(target.credentials.username, '(username)');
  return known.replace(/\bct[a-z]{14}(@\S+)?/g, '(username)').replace(/[\da-f-]*\d[\da-f-]*/gi, '#');
}

const messageOf = (exchange: Exchange): unknown => {
  const body = jsonOf(exchange);
  return isObject(body) ? body['message'] : textOf(exchange);
};

/** Says where a refused login gives away something of the form of a token, or undefined. */
function tokenLike(refused: Exchange, right: Exchange): string | undefined {
  const body = jsonOf(refused);
  if (isObject(body) && body['access_token'] !== undefined && body['access_token'] !== null) {
    return 'the body holds an access_token';
  }
  const real = jsonOf(right);
  const token = isObject(real) && typeof real['access_token'] === 'string' ? real['access_token'] : undefined;
  const path = token === undefined ? undefined : pathOfStringLike(body, token);
  return path === undefined ? undefined : `${path} has the form of a token`;
}

/** The length is looked at first: patterns take long, or too much of the stack, on what a target may send. */
const LONGEST_JWT = 16_384;
const isJwt = (text: string): boolean =>
  text.length <= LONGEST_JWT && /^[\w-]{10,}\.[\w-]{10,}\.[\w-]+$/.test(text);

function pathOfStringLike(value: unknown, token: string, path = ''): string | undefined {
  if (typeof value === 'string') {
    const alike = isJwt(token)
      ? isJwt(value)
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
