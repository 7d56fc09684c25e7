import { expect, test, vi } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { accepted } from '../http/exchange.ts';
import type { Undecided } from '../outcome.ts';
import { FakeTarget, PASSWORD, sessionWith } from '../run/session.test.double.ts';
import { loginBody } from './credentials.ts';
import { endingTokens } from './authorised.test.double.ts';

test('Where all new tokens are refused, no more than three are asked for.', async () => {
  const { session, target, logIn } = endingTokens();
  await session.first.list();
  await logIn();
  const { instead } = target;
  let logins = 0;
  target.instead = (wire, name) => {
    if (!wire.path.endsWith('/login')) return answerOf(401, { message: 'no' });
    logins++;
    return instead(wire, name);
  };
  expect(accepted(await session.first.list())).toBe(false);
  expect(accepted(await session.first.list())).toBe(false);
  expect(logins).toBe(3);
});

test('Where no new token is to be had, the refusal of the old one says nothing.', async () => {
  const { session, logIn, takenBack } = endingTokens();
  await session.first.list();
  while (session.client.budget.loginsLeft > 0) await logIn();
  await expect(session.first.list()).rejects.toThrow(/the token has ended, .* the budget of 40 logins/);
  expect(takenBack).toHaveLength(1);
});

test('Where no new token is to be had, a create that the old one was refused has made no tag.', async () => {
  const { session, logIn } = endingTokens();
  await session.first.list();
  while (session.client.budget.loginsLeft > 0) await logIn();
  const name = session.names.plain();
  await expect(session.first.create({ name }, [name])).rejects.toThrow('the token has ended');
  expect(session.first.tags.records).toMatchObject([{ state: 'refused' }]);
});

test.each([
  ['is lost twice', failure('closed'), 2],
  ['is refused', answerOf(423, { message: 'locked' }), 1],
])(
  'Where the login for a new token %s, the refusal says nothing, and the next request logs in.',
  async (_what, came, times) => {
    const { session, target, logIn } = endingTokens();
    await session.first.list();
    await logIn();
    const { instead } = target;
    let logins = 0;
    target.instead = (wire, name) =>
      wire.path.endsWith('/login') && ++logins <= times ? came : instead(wire, name);
    const outcomes = await Promise.allSettled([session.first.list(), session.first.list()]);
    for (const one of outcomes) {
      const error: unknown = one.status === 'rejected' ? one.reason : undefined;
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /the token has ended, .* the login for another one (gave no answer|answered)/,
        ),
      });
      expect((error as Undecided).outcome.exchanges.map(({ ask }) => ask.operation)).toEqual([
        'list',
        'login',
      ]);
    }
    expect(accepted(await session.first.list())).toBe(true);
  },
);

test('Where a lock refuses the login for a new token, it is sent again when the lock may be over.', async () => {
  const { session, target, logIn } = endingTokens({ patienceMs: 60_000 });
  const wait = vi.spyOn(session.client.pace, 'wait').mockResolvedValue();
  await session.first.list();
  await logIn();
  const { instead } = target;
  let logins = 0;
  target.instead = (wire, name) =>
    wire.path.endsWith('/login') && ++logins < 3 ? answerOf(423, { message: 'locked' }) : instead(wire, name);
  expect(accepted(await session.first.list())).toBe(true);
  expect(logins).toBe(3);
  expect(wait).toHaveBeenCalledTimes(2);
  // The refused logins cost nothing, like a login for another token.
  expect(session.client.budget.traffic).toMatchObject({ logins: 2, failedLogins: 0 });
});

test('Where no login is left and everything is refused for a while, a token that works again is used.', async () => {
  const { session, target, logIn } = endingTokens({ patienceMs: 60_000 });
  const wait = vi.spyOn(session.client.pace, 'wait').mockResolvedValue();
  while (session.client.budget.loginsLeft > 1) await logIn();
  expect(accepted(await session.first.list())).toBe(true);
  const { instead } = target;
  let refused = 0;
  target.instead = (wire, name) =>
    ++refused <= 3 ? answerOf(403, { message: 'banned' }) : instead(wire, name);
  expect(accepted(await session.first.list())).toBe(true);
  expect(wait).toHaveBeenCalled();
});

test('Where no login is left, nothing waits for a refused token while another one works.', async () => {
  const target = new FakeTarget();
  let issued = 0;
  let refused = '';
  target.instead = ({ path, headers }) => {
    if (path.endsWith('/login')) return answerOf(200, { access_token: `token-number-${++issued}` });
    const token = headers.find(([name]) => name === 'Authorization')?.[1];
    return token === undefined || token === `Bearer ${refused}`
      ? answerOf(403, { message: 'no' })
      : undefined;
  };
  const { session } = sessionWith(target, { patienceMs: 60_000 });
  const wait = vi.spyOn(session.client.pace, 'wait').mockResolvedValue();
  const { first } = session;
  await first.list();
  expect(accepted(await first.list(undefined, { token: await first.logins.token(['user', 'api']) }))).toBe(
    true,
  );
  refused = (await first.logins.token()).reveal();
  const logIn = loginBody({ username: 'someone', password: PASSWORD }, ['user']);
  while (session.client.budget.loginsLeft > 0) await first.logins.send(logIn);
  await expect(first.list()).rejects.toThrow('the token has ended');
  expect(wait).not.toHaveBeenCalled();
});
