import {
  accepted,
  allOf,
  answers,
  broken,
  type Exchange,
  holds,
  matches,
  property,
  quote,
  type Requirement,
  type Secret,
  spec,
  statusOf,
  undecided,
  whatCame,
} from '../../lib/check.ts';
import { spareAccount } from '../spare-account.ts';
import { isOrdinary, repeats } from './leaks.ts';
import { furtherUnknown, lookalikePairs } from './lookalike-logins.ts';
import { LOOKALIKES } from './lookalikes.ts';
import { accountOf, GARBLED, mistyped, mistypedFirst } from './mistyped.ts';
import { allGiveNoToken, givesNoToken, noneFails, refusesCredentials } from './no-token.ts';
import { garbledLogins, loginWith, unknownUsername, wrongPassword } from './wrong-logins.ts';
import { WRONG_PASSWORDS } from './wrong-passwords.ts';

const wrongPasswords = WRONG_PASSWORDS.map(
  ({ id, what, cause, isSpare, scopes, isOfValidForm, passwords }): Requirement => ({
    id: `login/${id}`,
    effort: 'standard',
    section: '4.1',
    sentences: ['4.1/password-meaning'],
    level: 'derived',
    derivation:
      'The token is a substitute for username and password (5), so a password is right or wrong as a whole.',
    when: 'logins',
    // Every second wrong login is followed by a right one.
    logins: 2,
    text: `A login with the password ${what} gives no token.`,
    cause,
    check: async (target) => {
      const account = isSpare === true ? spareAccount(target) : target;
      const { username } = account.credentials;
      const wrong = passwords(account);
      if (wrong.length === 0) return undecided('tester', 'the given password cannot be changed in this way');
      const pairs = await Promise.all(
        wrong.map((password) => loginWith(target, { username, password }, { account, scopes })),
      );
      return allOf(
        await allGiveNoToken(target, pairs),
        await noneFails(pairs, () => wrongPassword(target), isOfValidForm),
      );
    },
  }),
);

const lookalikes = LOOKALIKES.map((row): Requirement => ({
  id: `login/${row.id}`,
  effort: 'standard',
  section: '4.1',
  sentences: [row.field === 'username' ? '4.1/username-meaning' : '4.1/password-meaning'],
  level: 'derived',
  derivation:
    'The token is a substitute for username and password (5), so each of them is compared exactly, and as a whole.',
  when: 'logins',
  logins: 2,
  text: `A login with ${row.what} gives no token.`,
  cause: row.cause,
  check: async (target) => {
    const pairs = await lookalikePairs(target, row);
    // How a login is answered is open if it has a token, an empty text, which a validator may take for a missing one, or a NUL,
    // which some databases do not store.
    const compared = pairs.filter(
      ({ text, isBesideToken }) => text !== '' && !isBesideToken && !String(text).includes('\0'),
    );
    return allOf(
      await allGiveNoToken(target, pairs),
      await noneFails(compared, () =>
        row.field === 'username' ? unknownUsername(target) : wrongPassword(target),
      ),
    );
  },
}));

const BOTH = 'A token is a substitute for username and password (5), so a login has to present both of them.';

const garbled = GARBLED.map(({ id, what, sentence, values }): Requirement => ({
  id: `login/${id}`,
  effort: 'standard',
  section: '4.1',
  sentences: [sentence],
  level: 'derived',
  derivation: BOTH,
  when: 'logins',
  logins: values.length,
  text: `A login ${what} gives no token.`,
  cause:
    'The credentials are compared before their types are checked, or they are put into a query unchanged.',
  check: async (target) => allGiveNoToken(target, await garbledLogins(target, id)),
}));

const garbledAnyhow = property({
  id: 'login/garbled-anyhow',
  section: '4.1',
  sentences: ['4.1/username-type', '4.1/password-type'],
  level: 'derived',
  derivation: BOTH,
  when: 'logins',
  logins: 1,
  text: 'A login without a username and a password, or with one of another type than string, gives no token.',
  cause:
    'A field that is absent counts as equal to that of no account, and one that is not a string is compared loosely or reaches the database as an operator.',
  examples: mistypedFirst,
  cases: mistyped,
  // A target may lock the account after many failed logins, so the run sends only one generated case.
  runs: { standard: 0, thorough: 1 },
  tagsEach: 0,
  tell: ({ fields, value }) =>
    value === undefined
      ? `a login without ${fields.join(' and ')}`
      : `a login with the ${fields.join(' and ')} ${JSON.stringify(value)}`,
  ask: async (target, { fields, value }) => {
    const account = accountOf(target, { fields, value });
    const { username, password } = account.credentials;
    const garbledFields = Object.fromEntries(fields.map((field) => [field, value]));
    return givesNoToken(
      target,
      await loginWith(target, { username, password, ...garbledFields }, { account }),
    );
  },
});

/** Requirements about logins with wrong credentials. */
export const refusedLogins: readonly Requirement[] = [
  {
    id: 'login/password-not-echoed',
    section: '4.1',
    sentences: ['4.1/status-200-body', '4.1/status-302-body'],
    level: 'advisory',
    when: 'logins',
    text: 'No answer to a login repeats the password.',
    cause: 'The input is sent back with validation errors, or the whole user record is sent with the token.',
    check: async (target) => {
      const right = await target.login();
      const wrong = await wrongPassword(target);
      const { username, password } = target.credentials;
      // An answer may repeat the username, which may contain the password.
      if (!username.includes(password.reveal())) {
        const [inRight, inWrong] = [repeats(right, password), repeats(wrong.refused, password)];
        // The wrong login did not contain the password. If its answer contains that word, the word is an ordinary one
        // on this target.
        if (inWrong && !isOrdinary(password))
          return broken('the answer to a wrong login holds the right password', wrong.refused);
        if (inRight && !inWrong) return broken('the answer to a right login repeats the password', right);
      }
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
    logins: 1,
    text: 'A login with a wrong password is answered 302 with a message and gives no token.',
    cause:
      'The framework answers 401 or 422 to wrong credentials; the specification says 302 with a JSON body.',
    check: async (target) => refusesCredentials(target, await wrongPassword(target)),
    watch: (exchange) => {
      const { ask, answer } = exchange;
      if (!ask.regular || ask.operation !== 'login' || answer?.status !== 302) return undefined;
      return matches.difference(exchange, 302, spec.bodies.message);
    },
  },
  {
    id: 'login/unknown-username',
    effort: 'standard',
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
    logins: 1,
    text: 'A login with an unknown username is answered 302 with a message and gives no token.',
    cause: 'The user is looked up first, and an unknown one is handled by other code than a wrong password.',
    check: async (target) => {
      const pair = await unknownUsername(target);
      const isForm = statusOf(pair.refused) === 422 && MAY_HAVE_CHECK_DIGIT.test(target.credentials.username);
      return isForm
        ? undecided(
            'choice',
            'usernames may have a check digit, and one that was made up is refused as invalid',
            pair.refused,
          )
        : refusesCredentials(target, pair);
    },
  },
  {
    id: 'login/tells-nobody-apart',
    section: '4.1',
    sentences: ['4.1/username-meaning', '4.1/status-302-body'],
    level: 'advisory',
    when: 'logins',
    text: 'A failed login does not tell whether the username exists.',
    cause: 'Unknown usernames and wrong passwords have different messages.',
    check: async (target) => {
      const [wrong, unknown] = await Promise.all([wrongPassword(target), unknownUsername(target)]);
      const [one, other] = [wrong.refused, unknown.refused];
      if (accepted(one) || accepted(other))
        return undecided('failure', 'wrong credentials were accepted', one, other);
      if (statusOf(one) !== statusOf(other)) {
        return broken(
          `a login with a wrong password ${whatCame(one)}, and one with an unknown username ${whatCame(other)}`,
          one,
          other,
        );
      }
      const [message, otherMessage] = [
        comparable(one, target.credentials.username, wrong.password),
        comparable(other, unknown.username, target.credentials.password),
      ];
      if (message === otherMessage) return holds();
      // If messages differ between unknown usernames as well, for instance because several servers use different
      // languages, the difference proves nothing.
      for (const { refused, username } of await furtherUnknown(target, statusOf(other)))
        if (comparable(refused, username, target.credentials.password) !== otherMessage) return holds();
      return broken(
        `a wrong password gets the message ${quote(message)}, an unknown username ${quote(otherMessage)}`,
        one,
        other,
      );
    },
  },
  ...wrongPasswords,
  ...lookalikes,
  ...garbled,
  garbledAnyhow,
];

/** Digits of which the last may be a check digit. */
const MAY_HAVE_CHECK_DIGIT = /\d{6}/;

const textOf = (exchange: Exchange): string => new TextDecoder().decode(exchange.answer?.bytes);

/** The message of an answer, with the sent credentials and anything like an id or a time replaced by placeholders. */
function comparable(exchange: Exchange, username: string, password: Secret): unknown {
  const body = exchange.answer?.json.value;
  const message =
    typeof body === 'object' && body !== null ? answers.member(exchange, 'message') : textOf(exchange);
  if (typeof message !== 'string') return message;
  return message
    .replaceAll(username, '(username)')
    .replaceAll(password.reveal(), '(password)')
    .replace(/[\da-f-]*\d[\da-f-]*/gi, '#');
}
