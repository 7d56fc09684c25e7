import { expect, test, vi } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { BUDGETS } from '../effort.ts';
import { accepted } from '../http/exchange.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';
import { endingTokens } from './authorised.test.double.ts';

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
