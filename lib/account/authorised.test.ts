import { expect, test, vi } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { BUDGETS } from '../effort.ts';
import { accepted } from '../http/exchange.ts';
import type { Undecided } from '../outcome.ts';
import { loginBody } from './credentials.ts';
import { FakeTarget, PASSWORD, sessionWith } from '../run/session.test.double.ts';
import type { Session } from '../run/session.ts';

/** A target of which every login ends the tokens before it, and a login of somebody who does not want its token. */
function endingTokens(parts?: Parameters<typeof sessionWith>[1]): {
  session: Session;
  target: FakeTarget;
  logIn: () => Promise<unknown>;
  /** Numbers of the exchanges that were taken back. */
  takenBack: number[];
} {
  const target = new FakeTarget();
  let valid = 0;
  target.instead = ({ path, headers }) => {
    if (path.endsWith('/login')) return answerOf(200, { access_token: `token-number-${++valid}` });
    const isValid = headers.some(([, value]) => value === `Bearer token-number-${valid}`);
    return isValid ? undefined : answerOf(401, { message: 'no' });
  };
  const { session } = sessionWith(target, parts);
  const takenBack: number[] = [];
  session.client.listeners.push({ retracted: ({ number }) => void takenBack.push(number) });
  return {
    session,
    target,
    takenBack,
    logIn: () => session.first.logins.send(loginBody({ username: 'someone', password: PASSWORD }, ['user'])),
  };
}

test('A token that another login has ended is replaced, and its refusal taken back.', async () => {
  const { session, logIn, takenBack } = endingTokens();
  await session.first.list();
  await logIn();
  expect(accepted(await session.first.list())).toBe(true);
  // The login for another token costs nothing.
  expect(session.client.budget.traffic.logins).toBe(2);
  expect(takenBack).toHaveLength(1);
});

test('One look shows requests that overlap that their token has ended.', async () => {
  const { session, target, logIn } = endingTokens();
  await session.first.list();
  await logIn();
  const before = target.lines.length;
  const lists = await Promise.all(Array.from({ length: 3 }, () => session.first.list()));
  expect(lists.every(accepted)).toBe(true);
  // Three lists, the look, and three lists again.
  expect(target.lines.length - before).toBe(3 + 1 + 3);
});

test.each([
  ['after another login', true],
  ['by itself', false],
])('Of a young token in use that ended %s, the reason is known.', async (_how, isByLogin) => {
  const { session, target, logIn } = endingTokens();
  const { instead } = target;
  let hasEnded = false;
  target.instead = (wire, name) => {
    if (wire.path.endsWith('/login')) hasEnded = false;
    return hasEnded ? answerOf(401, { message: 'no' }) : instead(wire, name);
  };
  await session.first.list();
  if (isByLogin) await logIn();
  else hasEnded = true;
  const { logins } = session.first;
  expect(accepted(await session.first.list())).toBe(true);
  expect(logins.tokens.endsEarlier).toBe(isByLogin);
  // Where tokens end by themselves, that of the login that closes the run may do so as well.
  const { traffic, loginsLeft } = session.client.budget;
  expect(BUDGETS.standard.logins - traffic.logins - loginsLeft).toBe(isByLogin ? 2 : 3);
});

test('A token that was refused until a login was given the same one again has not been refused.', async () => {
  const { session, target, logIn, takenBack } = endingTokens();
  await session.first.list();
  const { instead } = target;
  let isOther = false;
  // A token of this target depends on the second, and another one ends it.
  target.instead = (wire, name) => {
    if (wire.path.endsWith('/login')) return answerOf(200, { access_token: 'token-number-1' });
    return isOther ? answerOf(401, { message: 'no' }) : instead(wire, name);
  };
  isOther = true;
  const send = target.send.bind(target);
  let refused = 0;
  target.send = async (wire) => {
    const answer = await send(wire);
    if (wire.method === 'GET' && refused++ === 0) {
      isOther = false;
      await logIn();
    }
    return answer;
  };
  expect(accepted(await session.first.list())).toBe(true);
  expect(takenBack).toHaveLength(1);
});

test('A new token that yet another login has ended is replaced, too.', async () => {
  const { session, target, logIn } = endingTokens();
  await session.first.list();
  await logIn();
  const { instead } = target;
  let others = 0;
  let loggingIn: Promise<unknown> | undefined;
  // Somebody logs in just when the first new token has been given out.
  target.instead = (wire, name) => {
    const answer = instead(wire, name);
    if (wire.path.endsWith('/login') && others++ === 0) loggingIn = logIn();
    return answer;
  };
  expect(accepted(await session.first.list())).toBe(true);
  await loggingIn;
  expect(accepted(await session.first.list())).toBe(true);
});

test('A new token that somebody else has ended at once is replaced, too, though no token had ended before.', async () => {
  const { session, target, logIn } = endingTokens();
  await session.first.list();
  await logIn();
  const { instead } = target;
  let others = 2;
  // Somebody else logs in right after each of these logins.
  target.instead = (wire, name) => {
    const answer = instead(wire, name);
    if (wire.path.endsWith('/login') && others-- > 0) instead(wire, name);
    return answer;
  };
  expect(accepted(await session.first.list())).toBe(true);
  expect(session.first.logins.isRenewable).toBe(true);
});

test.each([
  ['for a while, it is replaced', 1_500, true],
  ['yet, its refusal stands', 0, false],
])('If another token was not used %s.', async (_what, unusedMs, isReplaced) => {
  const { session, target } = endingTokens();
  await session.first.list();
  const token = await session.first.logins.token(['user', 'api']);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + unusedMs);
  const { instead } = target;
  target.instead = (wire, name) => {
    const isOfToken = wire.headers.some(([, value]) => value === `Bearer ${token.reveal()}`);
    return isOfToken ? answerOf(401, { message: 'no' }) : instead(wire, name);
  };
  const list = await session.first.list(undefined, { token });
  clock.mockRestore();
  expect(accepted(list)).toBe(isReplaced);
});

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

test('A new token that was accepted may be unknown elsewhere: it is tried until the settle time has passed.', async () => {
  const { session, target, takenBack } = endingTokens({ settings: { settleMs: 2_000 } });
  expect(accepted(await session.first.list())).toBe(true);
  const { instead } = target;
  let refused = 0;
  target.instead = (wire, name) => (++refused <= 2 ? answerOf(401, { message: 'no' }) : instead(wire, name));
  expect(accepted(await session.first.list())).toBe(true);
  expect(takenBack).toHaveLength(2);
  // The login for another token was not needed, and later tokens are used when they are known everywhere.
  expect(session.client.budget.traffic.logins).toBe(1);
  const { settling } = session;
  expect(settling.tokenLagMs).toBe(settling.mostMs);
});

test('A refused Content-Type of the list without a token is not taken for the refusal of tokens.', async () => {
  const { session, target, logIn } = endingTokens();
  const { instead } = target;
  target.instead = (wire, name) => {
    if (wire.path.endsWith('/login')) return instead(wire, name);
    if (wire.headers.some(([field]) => field === 'Content-Type'))
      return answerOf(400, { message: 'no body' });
    return instead(wire, name) === undefined ? undefined : answerOf(404, { message: 'no such page' });
  };
  await session.first.list();
  session.contentType.list = false;
  expect(accepted(await session.first.list())).toBe(true);
  await logIn();
  expect(accepted(await session.first.list())).toBe(true);
});

test('Where new tokens become known late, another token is tried when the settle time has passed.', async () => {
  const target = new FakeTarget();
  const known: (() => boolean)[] = [];
  let uses = 0;
  target.instead = ({ path, headers }) => {
    if (path.endsWith('/login')) {
      const at = performance.now() + 100;
      // The first token is refused once, and the second one takes much longer.
      const count = known.push(known.length === 0 ? () => ++uses > 1 : () => performance.now() >= at);
      return answerOf(200, { access_token: `token-number-${count}` });
    }
    const [, bearer = ''] = headers.find(([, value]) => value.startsWith('Bearer')) ?? [];
    const isKnown = known[Number(bearer.split('-').at(-1)) - 1]?.() === true;
    return isKnown ? undefined : answerOf(401, { message: 'no' });
  };
  const { session } = sessionWith(target, { settings: { settleMs: 200 } });
  await session.first.list();
  const token = await session.first.logins.token(['mutation']);
  expect(accepted(await session.first.list(undefined, { token }))).toBe(true);
});
