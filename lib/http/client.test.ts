import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { all, clientOn, GET, ok, POST } from './client.test.double.ts';
import { answerOf, askOf } from './exchange.test.double.ts';
import type { Answer, Ask } from './exchange.ts';
import type { Wire } from './transport.ts';

describe('together', () => {
  test('requests go out while nothing else is under way, before all that waits', async () => {
    const together = { ...GET, path: '/together' };
    const beside: number[] = [];
    let underWay = 0;
    const { client } = clientOn(async ({ path }) => {
      if (path === together.path) beside.push(underWay);
      underWay++;
      await turn();
      underWay--;
      return ok();
    });
    const others = all(
      client,
      Array.from({ length: 20 }, () => GET),
    );
    await client.pace.simultaneously(() => all(client, [together, together, together]));
    expect(beside).toEqual([0, 1, 2]);
    await expect(others).resolves.toEqual(Array.from({ length: 20 }, () => 200));
  });

  test('they are no more than may be under way at once, and what they come to is handed back', async () => {
    const { client } = clientOn(ok, { concurrency: 1 });
    await expect(client.pace.simultaneously(() => all(client, [GET, POST]))).resolves.toEqual([200, 200]);
    await expect(client.pace.simultaneously(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(all(client, [GET])).resolves.toEqual([200]);
  });
});

describe('a client', () => {
  test('knows that a request overlapped another one that began later and ended sooner', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { client } = clientOn(async ({ method }) => {
      if (method === 'POST') await ended;
      return method === 'POST' ? answerOf(409) : ok();
    });
    const conflict = client.send(POST);
    await client.send(GET);
    end();
    expect(await conflict).toMatchObject({ beside: 1 });
    expect(await client.send(GET)).not.toHaveProperty('beside');
  });

  test('sends what it is asked to, secrets revealed, and hands back what came', async () => {
    const { client, sent } = clientOn(ok);
    const ask = askOf({
      operation: 'create',
      method: 'POST',
      headers: [
        ['Accept', 'application/json'],
        ['Authorization', new Secret('Bearer hush', 'Bearer $TOKEN')],
      ],
      body: new Secret('{"password":"hush"}', '{"password":"$PASSWORD"}'),
    });
    await expect(client.send(ask)).resolves.toMatchObject({ number: 1, ask, answer: ok() });
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/api/v2/tagging',
        headers: [
          ['User-Agent', expect.stringMatching(/^account-mutation-conformance\/\d/) as string],
          ['Accept', 'application/json'],
          ['Authorization', 'Bearer hush'],
        ],
        body: '{"password":"hush"}',
      },
    ]);
  });

  test('tells of every exchange, numbered in the order in which they were sent', async () => {
    const slowFirst = async (_wire: Wire, time: number): Promise<Answer> => {
      if (time === 1) await turn();
      return answerOf(200 + time);
    };
    const { client, log } = clientOn(slowFirst);
    await expect(all(client, [GET, POST])).resolves.toEqual([201, 202]);
    expect(log.map(({ number, answer }) => [number, answer?.status])).toEqual([
      [2, 202],
      [1, 201],
    ]);
    expect(client.budget.traffic).toEqual({
      requests: 2,
      writes: 1,
      logins: 0,
      failedLogins: 0,
      retries: 0,
      waitedMs: 0,
    });
  });

  test('has no more requests under way at once than it may', async () => {
    let [underWay, most] = [0, 0];
    const { client } = clientOn(
      async () => {
        most = Math.max(most, ++underWay);
        await turn();
        underWay--;
        return ok();
      },
      { concurrency: 3 },
    );
    await all(client, Array<Ask>(10).fill(GET));
    expect(most).toBe(3);
  });

  test('starts no more requests in a second than it may', async () => {
    const starts: number[] = [];
    const { client } = clientOn(
      () => {
        starts.push(performance.now());
        return ok();
      },
      { maxRps: 250 },
    );
    await all(client, Array<Ask>(5).fill(GET));
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(10);
  });

  test('takes back an exchange, and no other', async () => {
    const { client, log } = clientOn(ok);
    const [first, second, third] = [await client.send(GET), await client.send(GET), await client.send(GET)];
    client.retract(first);
    client.retract(first);
    expect(log).toEqual([second, third]);
  });

  test('follows no redirect', async () => {
    const { client, sent } = clientOn(() => answerOf(302, {}, [['location', 'https://elsewhere.test/']]));
    await expect(all(client, [GET])).resolves.toEqual([302]);
    expect(sent).toHaveLength(1);
  });
});
