import {
  accepted,
  allOf,
  answers,
  broken,
  type Exchange,
  holds,
  ifDecided,
  matches,
  type Requirement,
  Secret,
  spec,
  statusOf,
  type Suite,
  undecided,
  whatCame,
} from '../lib/check.ts';
import { refusedLogins } from './login/refusals.ts';
import { rightLogins } from './login/right-logins.ts';
import { API_AMONG_NARROWER, READ_ONLY_SCOPES } from './scopes/scope-sets.ts';
import { survey } from './scopes/survey.ts';

/** Sets with scopes of one or two areas, and with api first, last or absent. */
const SMALL_SETS: readonly (readonly string[])[] = [
  ['api', 'user_read'],
  ['mutation', 'mutation_read'],
  ['bank_read', 'user', 'api'],
];

/** The sentences of the specification about each scope. */
const SCOPE_SENTENCES = {
  api: ['2/scope-api', '5/scopes-full'],
  user: ['2/scope-user', '5/scopes-by-area'],
  user_read: ['2/scope-user-read', '5/scopes-by-area'],
  bank: ['2/scope-bank', '5/scopes-by-area'],
  bank_read: ['2/scope-bank-read', '5/scopes-by-area'],
  mutation: ['2/scope-mutation', '5/scopes-by-area'],
  mutation_read: ['2/scope-mutation-read', '5/scopes-by-area'],
} as const;

/** Says which character of a token cannot stand in a header; undefined if there is none. */
function unfitCharacter(login: Exchange): string | undefined {
  const unfit = /[^\x21-\x7e]/u.exec(answers.token(login) ?? '')?.[0];
  return unfit === undefined
    ? undefined
    : `the token holds the character U+${(unfit.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}

const eachScope = spec.scopes.map((scope): Requirement => ({
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
  text: `A login for the scope ${scope} alone is given a token.`,
  cause: 'The list of known scopes lacks this one, or the token is issued for other scopes only.',
  check: async (target) => {
    // If a login ends earlier tokens, the survey must come first: it probes each token before the next login.
    await ifDecided(() => survey(target));
    return matches.success(await target.login([scope]));
  },
}));

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
      text: 'A login with the right credentials is answered 200 with an access_token, also after failed ones.',
      cause: 'Check the given credentials first: a 302 is the answer to wrong ones.',
      signs: ['login-without-token'],
      check: async (target) => matches.success(await target.login()),
    },
    {
      id: 'login/needs-no-authorization',
      section: '4',
      sentences: ['4/login-exempt'],
      level: 'required',
      text: 'A login is accepted without an Authorization header.',
      cause: 'The check of the token guards all routes, the login as well.',
      check: async (target) => {
        const plain = await target.login();
        if (accepted(plain)) return holds();
        const madeUp = new Secret(`Bearer ${target.name()}`, 'Bearer made-up');
        const withHeader = await target.sendLogin(undefined, {
          headers: { Authorization: madeUp },
        });
        if (accepted(withHeader) || [401, 407].includes(statusOf(plain))) {
          return broken(`${whatCame(plain)} to a login without an Authorization header`, plain, withHeader);
        }
        return undecided(
          'failure',
          `a login is not accepted with an Authorization header either: it ${whatCame(withHeader)}`,
          plain,
          withHeader,
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
        'scopes is an array of values of the table (4.1), which says nothing of their number or order.',
      text: 'A login for several scopes, in any order, is given a token.',
      cause: 'The list is compared with fixed combinations, or is too long for its column.',
      when: 'first',
      check: async (target) => {
        const ended = (await ifDecided(() => survey(target)))?.ended ?? true;
        const sets = [
          // If tokens outlive later logins, another check uses the login for these scopes, too.
          ...(!ended && target.settings.effort !== 'quick' ? [READ_ONLY_SCOPES] : []),
          ...(target.settings.effort === 'thorough' ? SMALL_SETS : []),
          API_AMONG_NARROWER,
        ];
        // On some faulty targets the scopes of the latest login hold for all tokens. The last set includes api, so that
        // other checks are not disturbed.
        await Promise.all(spec.limitedScopes.map((scope) => target.login([scope])));
        const exchanges = [];
        for (const scopes of sets) exchanges.push(await target.login(scopes));
        return allOf(...exchanges.map(matches.success));
      },
    },
    {
      id: 'login/token-fits-a-header',
      section: '5',
      sentences: ['4.1/status-200-body', '5/scheme'],
      level: 'derived',
      derivation:
        'The token is sent in the Authorization header (5), where RFC 6750 (2.1) allows only visible ASCII without blanks.',
      text: 'Every token consists of visible ASCII characters without blanks.',
      cause: 'The token consists of raw bytes, or is wrapped into lines, maybe only where it is long.',
      check: async (target) => {
        const exchange = await target.login();
        if (answers.token(exchange) === undefined)
          return undecided('failure', `the login ${whatCame(exchange)} without a token`, exchange);
        const unfit = unfitCharacter(exchange);
        return unfit === undefined ? holds() : broken(unfit, exchange);
      },
      watch: unfitCharacter,
    },
    {
      id: 'login/not-cacheable',
      section: '4.1',
      sentences: ['4.1/status-200'],
      level: 'advisory',
      text: 'The answer that holds the token is marked with Cache-Control: no-store.',
      cause: 'The framework sets no caching headers by itself. OAuth (RFC 6749, 5.1) requires this one.',
      check: async (target) => {
        const exchange = await target.login();
        if (!accepted(exchange) || exchange.answer === undefined) {
          return undecided('failure', `the login ${whatCame(exchange)}`, exchange);
        }
        const control = answers.header(exchange.answer, 'cache-control');
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
    ...refusedLogins,
    ...rightLogins,
  ],
};
