import { z } from 'zod';
import { type Exchange, header, open } from '../../lib/check.ts';
import { jwtOf } from '../tokens/bearers.ts';
import { wrongPassword } from '../login/wrong-logins.ts';
import { discloses } from '../disclosure.ts';
import { survey } from '../scopes/probes.ts';

const fate = z.enum(['valid', 'ended']);

export const earlierTokens = open({
  id: 'open/earlier-tokens',
  section: '5',
  sentences: ['5/token-expiry'],
  // A login between the wrong one and the look would hide what it did.
  when: 'calm',
  text: 'Does a token work on after another login, and after a failed one?',
  key: 'earlierTokens',
  answers: z.object({ afterLogin: fate, afterFailedLogin: fate }),
  tell: ({ afterLogin, afterFailedLogin }) =>
    `A token is ${afterLogin === 'valid' ? 'still valid' : 'ended'} after another login, ${afterFailedLogin === 'valid' ? 'still valid' : 'ended'} after a failed one.`,
  ask: async (target) => {
    const { still, ended } = await survey(target);
    return target.shared('an earlier token', 1, async (shared) => {
      const tag = await shared.makeTag();
      const token = await shared.token();
      await wrongPassword(shared);
      const list = await shared.list(tag.name, { token });
      return {
        answer: {
          afterLogin: ended ? ('ended' as const) : ('valid' as const),
          afterFailedLogin: discloses(list, tag) ? ('valid' as const) : ('ended' as const),
        },
        exchanges: [still, list],
      };
    });
  },
});

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
  text: 'How long does a token live, as far as it says?',
  key: 'tokenLifetime',
  answers: z.union([z.int(), z.literal('not told')]),
  tell: (answer) =>
    answer === 'not told'
      ? 'Tokens do not say how long they live.'
      : `Tokens say that they live ${answer} s.`,
  ask: async (target) => {
    const { iat, nbf, exp: to } = jwtOf((await target.token()).reveal())?.claims ?? {};
    const login = await target.login();
    // Where it does not say since when, it is since it was issued.
    const from = iat ?? nbf ?? issuedAt(login);
    const told = typeof to === 'number' && typeof from === 'number';
    return { answer: told ? rounded(to - from) : ('not told' as const), exchanges: [login] };
  },
});

/** When an answer was made, in seconds, by the clock of the target (RFC 9110, 6.6.1). */
function issuedAt({ answer }: Exchange): number | undefined {
  const date = Date.parse((answer && header(answer, 'date')) ?? '');
  return Number.isNaN(date) ? undefined : date / 1_000;
}

/** Two digits of it, and of less than 100 the next five: the times that it follows from are not read in the same instant. */
function rounded(seconds: number): number {
  const step = Math.max(5, 10 ** (Math.floor(Math.log10(Math.max(1, Math.abs(seconds)))) - 1));
  return Math.round(seconds / step) * step;
}
