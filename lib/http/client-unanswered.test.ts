import { setImmediate as nextCycle } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { isOverload } from './retryable.ts';
import { all, clientOn, GET, LOGIN, ok, POST } from './client.test.double.ts';
import { answerOf, askOf, failure } from './exchange.test.double.ts';
import { statusOf, type Ask } from './exchange.ts';
import type { Wire } from './transport.ts';

const TO_CREATE = 'POST /api/v2/tagging {} without Authorization';
const WHEREABOUTS = `the first requests without an answer were ${TO_CREATE} (request 2), ${TO_CREATE} (request 3), ${TO_CREATE} (request 4), and the last one with an answer was ${TO_CREATE} (request 1)`;

describe('a connection that is closed', () => {
  test('is tried once more for a GET, which costs no request of the budget', async () => {
    const { client, sent, log } = clientOn((_wire, time) => (time === 1 ? failure('closed') : ok()));
    await expect(all(client, [GET])).resolves.toEqual([200]);
    expect(sent).toHaveLength(2);
    expect(client.budget.traffic).toMatchObject({ requests: 1, retries: 1 });
    expect(client.budget.sent.requests).toBe(2);
    expect(log).toHaveLength(1);
  });

  test.each([502, 504])(
    'is no more than a gateway that answers %i: a GET is tried once more',
    async (status) => {
      const { client, sent } = clientOn((_wire, time) => (time === 1 ? answerOf(status) : ok()));
      const heard: number[] = [];
      client.listeners.push({ heard: (exchange) => void heard.push(statusOf(exchange)) });
      await expect(all(client, [GET])).resolves.toEqual([200]);
      expect(sent).toHaveLength(2);
      expect(heard).toEqual([status, 200]);
    },
  );

  test('is tried once more for a GET while tidying up, even if the budget is used up', async () => {
    const { client, sent } = clientOn((_wire, time) => (time === 1 ? answerOf(502) : ok()));
    while (client.budget.mayRepeat) client.budget.spend('list');
    client.budget.tidy();
    await expect(all(client, [GET])).resolves.toEqual([200]);
    expect(sent).toHaveLength(2);
    expect(client.budget.traffic.requests).toBe(100);
  });

  test.each([POST, askOf({ method: 'DELETE' })])(
    'nor is a $method, where a gateway answers 502',
    async (ask) => {
      const { client, sent } = clientOn((_wire, time) => (time === 1 ? answerOf(502) : ok()));
      await expect(all(client, [ask])).resolves.toEqual([502]);
      expect(sent).toHaveLength(1);
    },
  );

  test.each([
    ['closed', true],
    ['unreadable', false],
  ] as const)('may leave a request under way that the next one meets: %s', async (kind, isOverlapped) => {
    const { client, log } = clientOn((_wire, time) =>
      time === 1 ? ok() : time === 2 ? failure(kind) : answerOf(500),
    );
    for (let time = 1; time <= 3; time++) await all(client, [POST]);
    expect(log.map(isOverload)).toEqual([false, false, isOverlapped]);
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
    const stopped = `the target stopped answering: nothing came; ${WHEREABOUTS}`;
    await expect(all(client, Array<Ask>(6).fill(POST))).resolves.toEqual([
      200,
      'timeout',
      'timeout',
      'timeout',
      stopped,
      stopped,
    ]);
    // Twice, because requests that stall one another end with their time-outs.
    expect(sent).toHaveLength(6);
  });

  test('any more is told by the requests in the order in which they were sent, though the first ended last', async () => {
    const { client } = clientOn(
      async (wire) => {
        if (wire.path === '/answered') return ok();
        if (wire.path === '/first') await nextCycle();
        return failure('timeout', 'nothing came');
      },
      { concurrency: 4 },
    );
    const at = (
      path: string,
      headers: Ask['headers'] = [['Authorization', new Secret('it', '$TOKEN')]],
    ): Ask =>
      askOf({ path, headers, operation: 'rename', method: 'PUT', body: `{"name":"${'x'.repeat(200)}"}` });
    await all(client, [at('/answered', [])]);
    await all(
      client,
      ['/first', '/second', '/third'].map((path) => at(path)),
    );
    expect(client.stopped).toMatch(
      /were PUT \/first \{"name":"x+… \(211 characters\) \(request 2\), PUT \/second .* \(request 3\), PUT \/third .* \(request 4\), and the last one with an answer was PUT \/answered \{"name":"x+… \(211 characters\) without Authorization \(request 1\)$/,
    );
  });

  test.each([
    ['once it answers again', 8, 200],
    ['for a limited time', Infinity, `the target stopped answering: why; ${WHEREABOUTS}`],
  ])('and closes every connection is waited for %s', async (_how, lost, expected) => {
    const { client } = clientOn(
      (_wire, time) => (time === 1 || time > lost ? ok() : failure('closed', 'why')),
      { concurrency: 1, patienceMs: 400 },
    );
    await expect(all(client, Array<Ask>(5).fill(POST))).resolves.toEqual([
      200,
      ...Array<string>(3).fill('closed'),
      expected,
    ]);
    expect(client.stopped === undefined).toBe(expected === 200);
  });

  test('lists that it answered before is given up, though it refuses requests without a token', async () => {
    let isStuck = false;
    const hasToken = ({ headers }: Wire): boolean => headers.some(([name]) => name === 'Authorization');
    const { client } = clientOn((wire) =>
      !hasToken(wire) ? answerOf(401) : isStuck ? failure('timeout', 'nothing came') : ok(),
    );
    const list = askOf({ headers: [['Authorization', new Secret('Bearer it', 'Bearer $TOKEN')]] });
    await all(client, [list]);
    isStuck = true;
    for (let time = 1; time <= 3; time++) await all(client, [list]);
    expect(client.stopped).toContain('the target stopped answering: nothing came; ');
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
