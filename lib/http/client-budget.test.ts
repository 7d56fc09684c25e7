import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { all, clientOn, GET, LOGIN, ok, POST, retryAfter } from './client.test.double.ts';
import { answerOf, failure } from './exchange.test.double.ts';
import type { Answer, Ask } from './exchange.ts';

describe('the budget', () => {
  test('of logins is kept', async () => {
    const { client, sent } = clientOn(ok, { logins: 4 });
    await expect(all(client, [LOGIN, LOGIN, LOGIN, GET])).resolves.toEqual([
      200,
      200,
      'the budget of 4 logins in a run is used up',
      200,
    ]);
    expect(sent).toHaveLength(3);
    expect(client.budget.traffic).toMatchObject({ logins: 2, failedLogins: 0 });
  });

  test('of logins keeps one for the last, also where too many have failed', async () => {
    const { client } = clientOn(() => answerOf(302), { logins: 4, failedLogins: 2, concurrency: 1 });
    await all(client, [LOGIN, LOGIN]);
    client.budget.allowClosingLogin();
    await expect(all(client, [LOGIN])).resolves.toEqual([302]);
    expect(client.budget.traffic.logins).toBe(2);
  });

  test('of requests is kept, and a share of it for tidying up, which may take a tenth more', async () => {
    const { client, sent } = clientOn(ok, { requests: 10, concurrency: 1 });
    const used = 'the budget of 10 requests in a run of this effort is used up';
    await expect(all(client, Array<Ask>(9).fill(GET))).resolves.toEqual([
      ...Array<number>(8).fill(200),
      used,
    ]);
    client.tidy(30_000);
    await expect(all(client, [GET, POST, GET, GET])).resolves.toEqual([200, 200, 200, used]);
    expect(sent).toHaveLength(11);
  });

  test('of writes is kept, and a share of it for tidying up, which may take more', async () => {
    const { client } = clientOn(ok, { writes: 5, concurrency: 1 });
    const used = 'the budget of 5 requests that write tags in a run of this effort is used up';
    await expect(all(client, [...Array<Ask>(5).fill(POST), GET])).resolves.toEqual([
      ...Array<number>(4).fill(200),
      used,
      200,
    ]);
    client.tidy(30_000);
    await expect(all(client, [POST, POST])).resolves.toEqual([200, 200]);
    expect(client.budget.traffic).toMatchObject({ writes: 5, requests: 6 });
  });

  test('of failed logins is kept', async () => {
    const { client } = clientOn(() => answerOf(302), { failedLogins: 3, concurrency: 1 });
    await expect(all(client, [LOGIN, LOGIN, LOGIN])).resolves.toEqual([
      302,
      302,
      'the budget of 3 failed logins in a run is used up',
    ]);
    expect(client.budget.traffic).toMatchObject({ logins: 2, failedLogins: 2 });
  });

  test('of failed logins is kept also where several are under way at once', async () => {
    const later = async (): Promise<Answer> => {
      await turn();
      return answerOf(302);
    };
    const { client, sent } = clientOn(later, { failedLogins: 3, concurrency: 8 });
    await all(client, Array<Ask>(8).fill(LOGIN));
    expect(sent.length).toBeLessThanOrEqual(2);
  });

  test('of failed logins is waited for, but not by a login that comes after the end', async () => {
    let letGo: (answer: Answer) => void = () => undefined;
    const first = new Promise<Answer>((resolve) => (letGo = resolve));
    const { client, sent } = clientOn(() => first, { failedLogins: 2 });
    const both = all(client, [LOGIN, LOGIN]);
    await turn();
    client.stop('it was enough');
    letGo(ok());
    await expect(both).resolves.toEqual([200, 'it was enough']);
    expect(sent).toHaveLength(1);
  });

  test('of failed logins is not touched by those that were not answered', async () => {
    const { client } = clientOn((_wire, time) => (time === 2 ? failure() : ok()), { failedLogins: 2 });
    await expect(all(client, [LOGIN, LOGIN])).resolves.toEqual([200, 'timeout']);
    await expect(all(client, [LOGIN])).resolves.toEqual([200]);
    expect(client.budget.traffic).toMatchObject({ logins: 3, failedLogins: 0 });
  });

  test('of failed logins is not touched by right ones, nor by those that were put off', async () => {
    const { client } = clientOn((_wire, time) => (time === 1 ? retryAfter(429, '0') : ok()), {
      failedLogins: 2,
    });
    await expect(all(client, [LOGIN, LOGIN])).resolves.toEqual([200, 200]);
    expect(client.budget.traffic).toMatchObject({ logins: 2, failedLogins: 0 });
  });

  test('of logins keeps one for tidying up', async () => {
    const { client } = clientOn(ok, { logins: 3, concurrency: 1 });
    await expect(all(client, [LOGIN, LOGIN])).resolves.toEqual([
      200,
      'the budget of 3 logins in a run is used up',
    ]);
    client.budget.allowClosingLogin();
    await expect(all(client, [LOGIN, LOGIN])).resolves.toEqual([
      200,
      'the budget of 3 logins in a run is used up',
    ]);
    client.tidy(30_000);
    await expect(all(client, [LOGIN])).resolves.toEqual([200]);
  });
});
