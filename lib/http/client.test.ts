import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { Client, type ClientLimits } from './client.ts';
import { deferralMs } from './pace.ts';
import { answerOf, askOf, exchangeOf, failure, FakeTransport } from './exchange.test.double.ts';
import type { Answer, Ask, Exchange, Failure } from './exchange.ts';
import type { Wire } from './transport.ts';

const GET = askOf();
const POST = askOf({ operation: 'create', method: 'POST', body: '{}' });
const LOGIN = askOf({ operation: 'login', method: 'POST', path: '/api/v2/auth/login' });

function clientOn(
  answer: (wire: Wire, time: number) => Answer | Failure | Promise<Answer | Failure>,
  limits: Partial<ClientLimits> = {},
): { client: Client; sent: Wire[]; log: Exchange[] } {
  const transport = new FakeTransport(answer);
  const budget = { requests: 100, writes: 100, logins: 10, failedLogins: 5 };
  const all = { timeoutMs: 1_000, concurrency: 4, ...budget, ...limits };
  const client = new Client(transport, all);
  const log: Exchange[] = [];
  client.listener = {
    heard: (exchange) => void log.push(exchange),
    retracted: (exchange) => void log.splice(log.indexOf(exchange), log.includes(exchange) ? 1 : 0),
    deferred: () => undefined,
  };
  return { client, sent: transport.sent, log };
}

const ok = (): Answer => answerOf(200);
const retryAfter = (status: number, value: string): Answer => answerOf(status, {}, [['retry-after', value]]);

/** Sends several at once, and tells of each the status, the failure or why it was not sent. */
async function all(client: Client, asks: readonly Ask[]): Promise<(number | string | undefined)[]> {
  return Promise.all(
    asks.map(async (ask) => {
      try {
        const { answer, failure } = await client.send(ask);
        return answer?.status ?? failure?.kind;
      } catch (error) {
        if (error instanceof Undecided) return error.message;
        throw error;
      }
    }),
  );
}

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
    await client.simultaneously(() => all(client, [together, together, together]));
    expect(beside).toEqual([0, 1, 2]);
    await expect(others).resolves.toEqual(Array.from({ length: 20 }, () => 200));
  });

  test('they are no more than may be under way at once, and what they come to is handed back', async () => {
    const { client } = clientOn(ok, { concurrency: 1 });
    await expect(client.simultaneously(() => all(client, [GET, POST]))).resolves.toEqual([200, 200]);
    await expect(client.simultaneously(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(all(client, [GET])).resolves.toEqual([200]);
  });
});

describe('a client', () => {
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

describe('an answer that says "not now"', () => {
  test('is not waited for where there is no time for it in tidying up', async () => {
    const { client, sent } = clientOn((_wire, time) => (time < 3 ? retryAfter(429, '3600') : ok()), {
      concurrency: 1,
    });
    const early = all(client, [GET]);
    await turn();
    client.stop('the time ran out');
    await expect(early).resolves.toEqual(['the time ran out']);
    client.tidy(1_000);
    await expect(all(client, [POST, POST])).resolves.toEqual([
      'the target answered 429 and asked for a longer pause than there is time for tidying up',
      200,
    ]);
    expect(sent).toHaveLength(3);
    expect(client.budget.traffic.waitedMs).toBeLessThan(1_000);
  });

  test.each([
    ['429 with a Retry-After', retryAfter(429, '0')],
    ['503 with a Retry-After', retryAfter(503, '0')],
    ['503 with a date gone by', retryAfter(503, new Date(0).toUTCString())],
  ])('is no answer: %s is asked again', async (_what, first) => {
    const { client } = clientOn((_wire, time) => (time === 1 ? first : ok()));
    await expect(all(client, [POST])).resolves.toEqual([200]);
    // A deferred request was not carried out, and uses up no budget.
    expect(client.budget.traffic).toMatchObject({ requests: 1, retries: 1 });
  });

  test('is no answer: 503 without a Retry-After is asked again, and one that stays is a server error', async () => {
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100_000));
    onTestFinished(() => clock.mockRestore());
    const { client, sent } = clientOn(({ method }, time) =>
      method === 'GET' || time === 2 ? ok() : answerOf(503),
    );
    await expect(all(client, [POST])).resolves.toEqual([200]);
    await expect(all(client, [POST])).resolves.toEqual([503]);
    expect(sent).toHaveLength(2 + 5);
    // It is known by then: others are asked again once.
    await expect(all(client, [POST])).resolves.toEqual([503]);
    expect(sent).toHaveLength(2 + 5 + 2);
  });

  test('makes everyone wait, not just whoever was told', async () => {
    const starts: number[] = [];
    const { client } = clientOn(() => (starts.push(performance.now()) === 1 ? retryAfter(429, '0') : ok()));
    const told = all(client, [GET]);
    await turn();
    await expect(all(client, [POST])).resolves.toEqual([200]);
    await expect(told).resolves.toEqual([200]);
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(6);
    expect(client.budget.traffic.waitedMs).toBeGreaterThan(6);
  });

  test('has fewer asked at a time, and more again when it does not come any more', async () => {
    let [underWay, most, bearable] = [0, 0, 2];
    const { client } = clientOn(
      async () => {
        underWay++;
        most = Math.max(most, underWay);
        const answer = underWay > bearable ? retryAfter(429, '0') : ok();
        await turn();
        underWay--;
        return answer;
      },
      { requests: 1_000, concurrency: 8 },
    );
    const some = (count: number) =>
      all(
        client,
        Array.from({ length: count }, () => GET),
      );
    await some(60);
    expect(most).toBe(8);
    // Of eight at a time six would be put off again and again.
    expect(client.budget.traffic.retries).toBeLessThan(20);
    [most, bearable] = [0, 8];
    await some(25);
    expect(most).toBeLessThan(8);
    await some(400);
    expect(most).toBe(8);
  });

  test('is not asked again once the client is stopped', async () => {
    const { client, sent } = clientOn(() => {
      client.stop('it was enough');
      return retryAfter(503, '60');
    });
    await expect(all(client, [GET])).resolves.toEqual(['it was enough']);
    expect(sent).toHaveLength(1);
  });

  test('is given up after nine times', async () => {
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 100_000));
    onTestFinished(() => clock.mockRestore());
    const { client, sent } = clientOn(() => retryAfter(429, '0'));
    await expect(all(client, [GET])).resolves.toEqual([
      'the target answered 429, which asks to come back later, 9 times',
    ]);
    expect(sent).toHaveLength(9);
  });

  test.each<[string, Answer | Failure, number | undefined]>([
    ['429 is told in seconds', retryAfter(429, '7'), 7_000],
    ['503 is told in seconds', retryAfter(503, ' 2 '), 2_000],
    ['429 is told for too long', retryAfter(429, '86400'), 65_000],
    ['another status stands as it is', retryAfter(500, '7'), undefined],
    ['a failure stands as it is', failure(), undefined],
  ])('and has to be waited for: %s', (_what, came, expected) => {
    expect(deferralMs(exchangeOf(came), 0)).toBe(expected);
  });

  test('and has to be waited for until the date that it names', () => {
    const date = new Date(Date.now() + 10_000).toUTCString();
    const wait = deferralMs(exchangeOf(retryAfter(503, date)), 0);
    expect(wait).toBeGreaterThan(8_000);
    expect(wait).toBeLessThanOrEqual(10_000);
  });

  test('and has to be waited for by the clock of the target, whatever time it is here', () => {
    const theirs = Date.now() - 3_600_000;
    const answer = answerOf(503, {}, [
      ['date', new Date(theirs).toUTCString()],
      ['retry-after', new Date(theirs + 10_000).toUTCString()],
    ]);
    expect(deferralMs(exchangeOf(answer), 0)).toBe(10_000);
  });

  test.each([
    ['without a time', answerOf(429), 250],
    ['with nonsense for a time', retryAfter(503, 'nonsense'), 250],
    ['that tells no time at all', retryAfter(429, '0'), 10],
    ['that tells a time gone by', retryAfter(503, new Date(0).toUTCString()), 10],
  ])('and has to be waited for longer each time: one %s', (_what, answer, least) => {
    for (let deferrals = 0; deferrals < 8; deferrals++) {
      const wait = (deferralMs(exchangeOf(answer), deferrals) ?? 0) / 2 ** deferrals;
      expect(wait).toBeGreaterThanOrEqual(0.75 * least);
      expect(wait).toBeLessThanOrEqual(1.25 * least);
    }
  });
});

describe('a connection that is closed', () => {
  test('is tried once more for a GET', async () => {
    const { client, sent, log } = clientOn((_wire, time) => (time === 1 ? failure('closed') : ok()));
    await expect(all(client, [GET])).resolves.toEqual([200]);
    expect(sent).toHaveLength(2);
    expect(client.budget.traffic).toMatchObject({ requests: 2, retries: 1 });
    expect(log).toHaveLength(1);
  });

  test('is tried once more and no more', async () => {
    const { client, sent } = clientOn((_wire, time) => (time === 1 ? ok() : failure('closed')));
    await all(client, [GET]);
    await expect(all(client, [GET])).resolves.toEqual(['closed']);
    expect(sent).toHaveLength(3);
  });

  test.each(['POST', 'PUT', 'DELETE'] as const)('is never tried again for a %s', async (method) => {
    const { client, sent } = clientOn((_wire, time) => (time === 1 ? ok() : failure('closed')));
    await all(client, [GET]);
    await expect(all(client, [askOf({ method })])).resolves.toEqual(['closed']);
    expect(sent).toHaveLength(2);
  });

  test.each(['timeout', 'malformed', 'oversized', 'unreachable'] as const)(
    'is what a %s is not, so that it is not tried again',
    async (kind) => {
      const { client, sent } = clientOn((_wire, time) => (time === 1 ? ok() : failure(kind)));
      await all(client, [GET]);
      await expect(all(client, [GET])).resolves.toEqual([kind]);
      expect(sent).toHaveLength(2);
    },
  );
});

describe('a target that does not answer', () => {
  test.each(['unreachable', 'untrusted'] as const)(
    'and cannot be connected to is given up at once: %s',
    async (kind) => {
      const { client, sent } = clientOn(() => failure(kind, 'why'));
      await expect(all(client, [POST])).resolves.toEqual([kind]);
      await expect(all(client, [POST])).resolves.toEqual(['the target could not be reached: why']);
      expect(sent).toHaveLength(1);
    },
  );

  test.each(['timeout', 'closed'] as const)(
    'and never did is given up where another request fares no better: %s',
    async (kind) => {
      const { client, sent } = clientOn(() => failure(kind, 'why'));
      await expect(all(client, [POST])).resolves.toEqual([kind]);
      await expect(all(client, [POST])).resolves.toEqual(['the target could not be reached: why']);
      expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET']);
    },
  );

  test('any more is given up after three times in a row and another request', async () => {
    const { client, sent } = clientOn(
      (_wire, time) => (time === 1 ? ok() : failure('timeout', 'nothing came')),
      {
        concurrency: 1,
      },
    );
    await expect(all(client, Array<Ask>(6).fill(POST))).resolves.toEqual([
      200,
      'timeout',
      'timeout',
      'timeout',
      'the target stopped answering: nothing came',
      'the target stopped answering: nothing came',
    ]);
    // Twice, because requests that stall one another end with their time-outs.
    expect(sent).toHaveLength(6);
  });

  test('just these requests is not given up', async () => {
    const { client, log } = clientOn(({ method }) => (method === 'POST' ? failure() : ok()));
    for (let time = 1; time <= 9; time++) await all(client, [POST]);
    expect(log).toHaveLength(9);
    expect(client.stopped).toBeUndefined();
  });

  test('now and then is not given up', async () => {
    const { client, sent } = clientOn((_wire, time) => (time % 3 === 1 ? answerOf(500) : failure()));
    for (let time = 1; time <= 9; time++) await all(client, [POST]);
    expect(sent).toHaveLength(9);
    expect(client.stopped).toBeUndefined();
  });

  test.each(['malformed', 'unreadable', 'oversized'] as const)(
    'is none that answers something %s',
    async (kind) => {
      const { client, sent } = clientOn((_wire, time) => failure(time % 3 === 1 ? kind : 'timeout'));
      for (let time = 1; time <= 9; time++) await all(client, [POST]);
      expect(sent).toHaveLength(9);
      expect(client.stopped).toBeUndefined();
    },
  );

  test('is asked with nothing that is secret', async () => {
    const { client, sent } = clientOn(() => failure());
    await all(client, [askOf({ headers: [['Authorization', new Secret('Bearer hush', 'Bearer $TOKEN')]] })]);
    expect(sent).toHaveLength(2);
    expect(JSON.stringify(sent[1])).not.toContain('hush');
  });
});

describe('a stopped client', () => {
  test('sends nothing any more, and says why, until it is let go on', async () => {
    const { client, sent } = clientOn(ok);
    client.stop('it was enough');
    expect(client.stopped).toBe('it was enough');
    await expect(all(client, [GET, LOGIN])).resolves.toEqual(['it was enough', 'it was enough']);
    expect(sent).toEqual([]);
    client.stop(undefined);
    await expect(all(client, [GET])).resolves.toEqual([200]);
  });

  test('counts unanswered requests from zero after it is released', async () => {
    const { client, sent } = clientOn((_wire, time) => (time === 1 ? ok() : failure()));
    for (let time = 1; time <= 3; time++) await all(client, [POST]);
    client.stop(undefined);
    for (let time = 1; time <= 2; time++) await all(client, [POST]);
    expect(sent).toHaveLength(5);
    expect(client.stopped).toBeUndefined();
  });
});

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

  test('of requests is kept, and a share of it for tidying up', async () => {
    const { client, sent } = clientOn(ok, { requests: 10, concurrency: 1 });
    const used = 'the budget of 10 requests in a run of this effort is used up';
    await expect(all(client, Array<Ask>(9).fill(GET))).resolves.toEqual([
      ...Array<number>(8).fill(200),
      used,
    ]);
    client.tidy(30_000);
    await expect(all(client, [GET, POST, GET])).resolves.toEqual([200, 200, used]);
    expect(sent).toHaveLength(10);
  });

  test('of writes is kept, and a share of it for tidying up', async () => {
    const { client } = clientOn(ok, { writes: 5, concurrency: 1 });
    const used = 'the budget of 5 requests that write tags in a run of this effort is used up';
    await expect(all(client, [...Array<Ask>(5).fill(POST), GET])).resolves.toEqual([
      ...Array<number>(4).fill(200),
      used,
      200,
    ]);
    client.tidy(30_000);
    await expect(all(client, [POST, POST])).resolves.toEqual([200, used]);
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

describe('a witness', () => {
  test('is told of every request on the wire, those of the client itself included, under numbers without gaps', async () => {
    const { client } = clientOn((_, time) =>
      time === 2 ? retryAfter(429, '0') : time === 1 || time === 4 ? failure('closed') : ok(),
    );
    const [sent, ended]: [number[], [number, number | string | undefined][]] = [[], []];
    client.witness = {
      sent: (number) => void sent.push(number),
      ended: ({ number, answer, failure: lost }) => void ended.push([number, answer?.status ?? lost?.kind]),
    };
    // The first is sent twice and then deferred; before the second is lost, the target has answered.
    await all(client, [GET]);
    await all(client, [POST]);
    expect(sent).toEqual([1, 2, 3, 4]);
    expect(ended).toEqual([
      [1, 'closed'],
      [2, 429],
      [3, 200],
      [4, 'closed'],
    ]);
  });

  test('is told of the probe that tells whether the target still answers', async () => {
    const { client } = clientOn((_, time) => (time === 1 ? failure('timeout') : ok()));
    const ended: string[] = [];
    client.witness = {
      sent: () => undefined,
      ended: ({ number, ask: { method } }) => void ended.push(`${number} ${method}`),
    };
    await all(client, [POST]);
    expect(ended).toEqual(['1 POST', '2 GET']);
  });
});
