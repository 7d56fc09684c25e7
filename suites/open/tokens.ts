import { z } from 'zod';
import {
  answers,
  type Exchange,
  listedIn,
  open,
  type Secret,
  type Tag,
  type Target,
  Undecided,
} from '../../lib/check.ts';
import { tagToList } from '../listed-tags.ts';
import { jwtOf } from '../tokens/bearers.ts';
import { confirmUnlocked } from '../login/turns.ts';
import { loginWith, wrongPassword } from '../login/wrong-logins.ts';
import { discloses } from '../disclosure.ts';
import { survey } from '../scopes/survey.ts';

const validity = z.enum(['valid', 'ended']);

export const earlierTokens = open({
  id: 'open/earlier-tokens',
  // The check waits for the settle time, which would double the duration of a run with the effort `quick`.
  effort: 'standard',
  section: '5',
  sentences: ['5/token-expiry'],
  // The check runs alone: another login between the failed one and the list would hide the effect of the failed one.
  when: 'calm',
  text: 'Is a token still valid after another login, and after a failed one?',
  key: 'earlierTokens',
  answers: z.object({ afterLogin: validity, afterFailedLogin: validity }),
  tell: ({ afterLogin, afterFailedLogin }) =>
    `A token is ${describeValidity(afterLogin)} after another login, and ${describeValidity(afterFailedLogin)} after a failed one.`,
  ask: async (target) => {
    const { still, ended } = await survey(target);
    if (ended && listedIn(still) !== undefined)
      throw new Undecided('choice', 'a token is valid after another login, and ends after several', still);
    return target.shared('an earlier token', 1, async (shared) => {
      const tag = await tagToList(shared);
      const token = await shared.token();
      // In a complete run, other requests have shown this before.
      const isKnown = ended || shared.facts.tokensOutliveLogins;
      if (!isKnown) await listAfterwards(shared, tag, token);
      const { password } = await wrongPassword(shared);
      const first = await listAfterwards(shared, tag, token);
      const seen = first.isValid ? first : await listAfterAnother(shared, tag, token, password);
      if (!isKnown && !shared.facts.tokensOutliveLogins)
        throw new Undecided(
          'choice',
          'no token of this run was used for long enough after another login',
          still,
        );
      if (!ended && shared.facts.haveLoginsEndedTokens)
        throw new Undecided(
          'choice',
          'a token is valid at once after another login, and ends later or after several',
          still,
        );
      return {
        answer: {
          afterLogin: ended ? ('ended' as const) : ('valid' as const),
          afterFailedLogin: seen.isValid ? ('valid' as const) : ('ended' as const),
        },
        exchanges: [still, ...seen.exchanges],
      };
    });
  },
});

/** Lists with a token after the settle time, because a target may end tokens a little later. */
async function listAfterwards(
  target: Target,
  tag: Tag,
  token: Secret,
): Promise<{ readonly isValid: boolean; readonly exchanges: readonly Exchange[] }> {
  // The token may be valid and its list show the tag late.
  const { seen } = await target.until(
    async () => {
      const list = await target.list(tag.name, { token, keepsToken: true });
      return { isValid: discloses(list, tag), isRefused: listedIn(list) === undefined, exchanges: [list] };
    },
    ({ isValid, isRefused }) => isValid || isRefused,
    { late: 'ignored', isAfterwards: true },
  );
  return seen;
}

/**
 * Lists with a new token after another failed login, because the first token may have expired, or an earlier login may
 * have ended it.
 */
async function listAfterAnother(
  target: Target,
  tag: Tag,
  ended: Secret,
  password: Secret,
): ReturnType<typeof listAfterwards> {
  // A target may suspend the tokens of a locked account. That does not end them.
  await confirmUnlocked(target);
  if (!target.facts.sparesLogins)
    throw new Undecided('budget', 'the remaining logins are needed for other checks');
  const known = await target.token();
  const token = known.reveal() === ended.reveal() ? await target.token(undefined, { fresh: true }) : known;
  await loginWith(target, { username: target.credentials.username, password });
  const seen = await listAfterwards(target, tag, token);
  if (!seen.isValid) await confirmUnlocked(target);
  return seen;
}

const describeValidity = (answer: z.infer<typeof validity>): string =>
  answer === 'valid' ? 'still valid' : 'no longer valid';

export const tokenForm = open({
  id: 'open/token-form',
  section: '2',
  sentences: ['2/access-token-signed'],
  text: 'What form does a token have?',
  key: 'tokenForm',
  answers: z.enum(['jwt', 'opaque']),
  tell: (answer) => `Tokens are ${answer === 'jwt' ? 'JWTs' : 'opaque'}.`,
  ask: async (target) => {
    const token = (await target.token()).reveal();
    return {
      answer: jwtOf(token) === undefined ? ('opaque' as const) : ('jwt' as const),
      exchanges: [await target.login()],
    };
  },
});

export const tokenLifetime = open({
  id: 'open/token-lifetime',
  section: '5',
  sentences: ['5/token-lifetime'],
  text: 'Which lifetime does a token state?',
  key: 'tokenLifetime',
  answers: z.union([z.int(), z.literal('not told')]),
  tell: (answer) =>
    answer === 'not told' ? 'Tokens state no lifetime.' : `Tokens state a lifetime of ${answer} s.`,
  ask: async (target) => {
    const { iat, nbf, exp } = jwtOf((await target.token()).reveal())?.claims ?? {};
    const login = await target.login();
    if (exp === undefined) return { answer: 'not told' as const, exchanges: [login] };
    const stated = iat ?? nbf;
    // The lifetime of a token without a start time begins at the login.
    const start = stated ?? issuedAt(login);
    if (start === undefined) return { answer: 'not told' as const, exchanges: [login] };
    const lifetime = typeof exp === 'number' && typeof start === 'number' ? exp - start : Number.NaN;
    const seconds = stated === undefined ? rounded(lifetime) : Math.round(lifetime);
    if (!Number.isSafeInteger(seconds) || seconds < 0)
      throw new Undecided(
        'choice',
        'the times in a token cannot be read as the seconds of a lifetime',
        login,
      );
    return { answer: seconds, exchanges: [login] };
  },
});

/** The Date of an answer (RFC 9110, 6.6.1), in seconds since 1970. */
function issuedAt({ answer }: Exchange): number | undefined {
  const date = Date.parse((answer && answers.header(answer, 'date')) ?? '');
  return Number.isNaN(date) ? undefined : date / 1_000;
}

/**
 * Rounds to two digits, and below 100 to a multiple of five, because the clocks of the token and the answer may differ.
 */
function rounded(seconds: number): number {
  const step = Math.max(5, 10 ** (Math.floor(Math.log10(Math.max(1, Math.abs(seconds)))) - 1));
  return Math.round(seconds / step) * step;
}
