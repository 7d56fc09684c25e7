import { describe, expect, test, vi } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import type { Failure } from '../http/exchange.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';

/** Logs in three times with one account, to whose logins nothing is answered so often at first; what came, and how many were sent. */
async function threeLogins(kind: Failure['kind'], silent: number): Promise<readonly unknown[]> {
  const target = new FakeTarget();
  let logins = 0;
  target.instead = ({ path }) => (path.endsWith('/login') && ++logins <= silent ? failure(kind) : undefined);
  const { logins: account } = sessionWith(target).session.first;
  const came: unknown[] = [];
  for (let time = 1; time <= 3; time++) {
    const { exchange } = await account.login();
    came.push(exchange.answer?.status ?? exchange.failure?.kind);
  }
  return [...came, logins];
}

describe('a login', () => {
  test.each<[string, Failure['kind'], number, readonly unknown[]]>([
    ['is made once in a run', 'closed', 0, [200, 200, 200, 1]],
    ['is made again where the connection broke', 'closed', 2, ['closed', 'closed', 200, 3]],
    ['is made again where no answer came in time', 'timeout', 1, ['timeout', 200, 200, 2]],
    ['is waited for in vain no more than twice', 'timeout', 3, ['timeout', 'timeout', 'timeout', 2]],
    ['is made again where the answer could not be read', 'unreadable', 1, ['unreadable', 200, 200, 2]],
    ['stands where what came was no HTTP', 'malformed', 1, ['malformed', 'malformed', 'malformed', 1]],
  ])('%s', async (_what, kind, silent, expected) => {
    expect(await threeLogins(kind, silent)).toEqual(expected);
  });

  test.each([
    ['200 without a token, after a failed one, is a sign', 200, true, 1],
    ['302, after a failed one, is none', 302, true, 0],
    ['200 without a token, after no failed one, is none', 200, false, 0],
  ])('that is answered %s', async (_what, status, hasFailed, signs) => {
    const target = new FakeTarget();
    let later: number | undefined;
    target.instead = ({ path }) =>
      path.endsWith('/login') && later !== undefined ? answerOf(later, { message: 'welcome' }) : undefined;
    const { session } = sessionWith(target);
    await session.first.logins.token();
    later = 302;
    if (hasFailed) await session.first.logins.send({});
    later = status;
    await expect(session.first.logins.token(undefined, true)).rejects.toThrow('there is no token');
    // Whether a login for these scopes is accepted is open.
    await expect(session.first.logins.token(['user', 'user'])).rejects.toThrow('there is no token');
    expect(session.signs.of('login-without-token')).toHaveLength(signs);
  });

  test.each([1, 2])('keeps the token before it where %i at once are refused', async (count) => {
    const target = new FakeTarget();
    let logins = 0;
    target.instead = ({ path }) =>
      path.endsWith('/login') && ++logins > 1 ? answerOf(302, { message: 'locked' }) : undefined;
    const { logins: account } = sessionWith(target).session.first;
    const token = await account.token();
    const refused = Array.from({ length: count }, () => account.token(undefined, true));
    const came = await Promise.allSettled(refused);
    expect(came.map(({ status }) => status)).toEqual(refused.map(() => 'rejected'));
    await expect(account.token()).resolves.toBe(token);
  });

  test('that is refused while others wait for its token leaves them the token before it', async () => {
    const target = new FakeTarget();
    let logins = 0;
    target.instead = ({ path }) =>
      path.endsWith('/login') && ++logins > 1 ? answerOf(403, { message: 'banned' }) : undefined;
    const { logins: account } = sessionWith(target).session.first;
    const token = await account.token();
    const [refused, waiting] = await Promise.allSettled([account.token(undefined, true), account.token()]);
    expect(refused.status).toBe('rejected');
    expect(waiting).toEqual({ status: 'fulfilled', value: token });
  });

  test.each([
    ['after', 1],
    ['without', 0],
  ])('for a token %s another login is repeated once if a gateway loses its answer', async (_what, before) => {
    const target = new FakeTarget();
    let logins = 0;
    target.instead = ({ path }) =>
      path.endsWith('/login') && ++logins === before + 1 ? answerOf(502, { message: 'lost' }) : undefined;
    const { logins: account } = sessionWith(target).session.first;
    if (before > 0) await account.token();
    await expect(account.token(undefined, true)).resolves.toBeDefined();
    expect(logins).toBe(before + 2);
  });

  test('that is closed after another one for the same scopes is repeated once over a new connection', async () => {
    const target = new FakeTarget();
    const opening: unknown[] = [];
    target.instead = ({ path, opensConnection }) =>
      path.endsWith('/login') && opening.push(opensConnection) === 2 ? failure('closed') : undefined;
    const { logins } = sessionWith(target).session.first;
    await logins.token();
    await expect(logins.token(undefined, true)).resolves.toBeDefined();
    expect(opening).toEqual([undefined, undefined, true]);
  });

  test('keeps the token before it where the budget lets no other one be sent', async () => {
    const { session, client } = sessionWith(new FakeTarget());
    const { logins } = session.first;
    const token = await logins.token();
    client.stop('the budget is used up');
    await expect(logins.token(undefined, true)).rejects.toThrow('used up');
    client.stop(undefined);
    await expect(logins.token()).resolves.toBe(token);
    expect(client.budget.traffic.logins).toBe(1);
  });

  test('is told to lack where the token before it has ended and no other one may be sent', async () => {
    const { session, client } = sessionWith(new FakeTarget());
    const { logins } = session.first;
    const ended = await logins.token();
    client.stop('the budget is used up');
    const renewals = await Promise.allSettled([logins.renew(ended), logins.renew(ended)]);
    const later = await Promise.allSettled([logins.renew(ended)]);
    const reasons = [...renewals, ...later].map((one) =>
      one.status === 'rejected' && one.reason instanceof Error ? one.reason.message : one.status,
    );
    expect(reasons).toEqual(Array(3).fill('the budget is used up'));
  });

  test('whose answer is no HTTP gives no token away that stands in it', async () => {
    const target = new FakeTarget();
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzb21lb25lIn0.c2lnbmF0dXJlLW9mLWl0';
    const bytes = Buffer.from(`HTTP/1.1 2x0 OK\r\nSet-Cookie: t=${token}\r\n\r\n`);
    target.instead = () => ({ ...failure('malformed'), bytes });
    const { session, masker } = sessionWith(target);
    await session.first.logins.login();
    expect(masker.text(`Set-Cookie: t=${token}`)).toBe('Set-Cookie: t=$TOKEN');
  });

  /** Ends the phase of wrong logins with an account whose next logins are answered by a lock. */
  async function closing(locked: number, lockLasted = false): Promise<Readonly<Record<string, unknown>>> {
    const target = new FakeTarget();
    const { session, client } = sessionWith(target);
    const { logins } = session.first;
    const wait = vi.spyOn(client.pace, 'wait').mockResolvedValue();
    const token = await logins.token();
    let sent = 0;
    target.instead = ({ path }) =>
      path.endsWith('/login') && ++sent <= locked ? answerOf(423, { message: 'locked' }) : undefined;
    if (lockLasted) await expect(logins.tokenAfterLock([0])).rejects.toThrow('423');
    // The budget has no more logins than the one that is kept for this.
    while (client.budget.loginsLeft > 0) client.budget.spend('login');
    const before = client.budget.traffic.logins;
    [sent] = [0, wait.mockClear()];
    await logins.closeWithLogin();
    return {
      sent,
      pauses: wait.mock.calls.length,
      counted: client.budget.traffic.logins - before,
      isReplaced: (await logins.token()) !== token,
    };
  }

  test('at the end of wrong ones is repeated when their lock may be over, and counts once', async () => {
    expect(await closing(1)).toEqual({ sent: 2, pauses: 1, counted: 1, isReplaced: true });
    expect(await closing(9)).toEqual({ sent: 3, pauses: 2, counted: 1, isReplaced: false });
  });

  test('at the end of wrong ones does not wait for a lock that has lasted before', async () => {
    expect(await closing(9, true)).toEqual({ sent: 1, pauses: 0, counted: 1, isReplaced: false });
  });
});
