import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { all, clientOn, GET, LOGIN, ok, POST, retryAfter } from './client.test.double.ts';
import { answerOf, exchangeOf, failure } from './exchange.test.double.ts';
import type { Answer, Failure } from './exchange.ts';
import { deferralMs } from './deferral.ts';

/** Lets every look at the clock take so long, so that most pauses have ended at once. */
function quicken(ms = 100_000): void {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += ms));
  onTestFinished(() => clock.mockRestore());
}

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
      'the target answered 429 and asked for a pause of 3600 s, which is longer than the run may still take',
      200,
    ]);
    expect(sent).toHaveLength(3);
    expect(client.budget.traffic.waitedMs).toBeLessThan(1_000);
  });

  test('is not waited for where it outlasts the run, and such a request is not sent again', async () => {
    const { client, sent } = clientOn(({ method }) => (method === 'POST' ? retryAfter(429, '3600') : ok()));
    client.endWithin(600_000);
    const why =
      'the target answered 429 and asked for a pause of 3600 s, which is longer than the run may still take';
    await expect(all(client, [POST])).resolves.toEqual([why]);
    await expect(all(client, [POST, GET])).resolves.toEqual([why, 200]);
    expect(sent).toHaveLength(2);
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
    quicken();
    const { client, sent } = clientOn(({ method }, time) =>
      method === 'GET' || time === 2 ? ok() : answerOf(503),
    );
    await expect(all(client, [POST])).resolves.toEqual([200]);
    await expect(all(client, [POST])).resolves.toEqual([503]);
    expect(sent).toHaveLength(2 + 6);
    // It is known by then: others are asked again once. A probe shows each time that the target answers other requests.
    await expect(all(client, [POST])).resolves.toEqual([503]);
    expect(sent).toHaveLength(2 + 6 + 3);
  });

  test('is no answer: 503 to everything for a while is a rate limit', async () => {
    quicken(1_000);
    // The request is sent five times, and so is a probe.
    const { client } = clientOn((_wire, time) => (time > 1 && time < 8 ? answerOf(503) : ok()));
    await expect(all(client, [GET])).resolves.toEqual([200]);
    await expect(all(client, [POST])).resolves.toEqual([200]);
  });

  test('ends the run if the target gives it to every request', async () => {
    quicken();
    const { client } = clientOn((_wire, time) => (time > 1 ? answerOf(503) : ok()));
    await expect(all(client, [GET])).resolves.toEqual([200]);
    const [why] = await all(client, [POST]);
    expect(why).toMatch(/^the target stopped answering: for \d+ s every answer was 503$/);
    expect(client.stopped).toBe(why);
  });

  test('holds nobody up where others are answered meanwhile', async () => {
    const { client } = clientOn(({ method }) => (method === 'POST' ? retryAfter(429, '0') : ok()), {
      concurrency: 1,
    });
    const told = all(client, [POST]);
    const others: number[] = [];
    for (let time = 0; time < 12; time++) others.push(...((await all(client, [GET])) as number[]));
    expect(others).toEqual(Array(12).fill(200));
    client.stop('the time ran out');
    await told;
    // The run waits for the first two pauses, of 10 and 20 ms; all of them come to seconds.
    expect(client.budget.traffic.waitedMs).toBeLessThan(1_000);
  });

  test('makes everyone wait, not just whoever was told', async () => {
    const starts: number[] = [];
    const { client } = clientOn(() => (starts.push(performance.now()) === 1 ? retryAfter(429, '0') : ok()));
    const told = all(client, [GET]);
    await turn();
    await expect(all(client, [POST])).resolves.toEqual([200]);
    await expect(told).resolves.toEqual([200]);
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(6);
    const { waitedMs } = client.budget.traffic;
    expect(waitedMs).toBeGreaterThan(6);
    // Both waited for one and the same pause.
    expect(waitedMs).toBeLessThan(1.5 * (performance.now() - (starts[0] ?? 0)));
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
    ['429 is told for long', retryAfter(429, '86400'), 86_400_000],
    ['another status stands as it is', retryAfter(500, '7'), undefined],
    ['a failure stands as it is', failure(), undefined],
  ])('and has to be waited for: %s', (_what, came, expected) => {
    expect(deferralMs(exchangeOf(came), 0)).toBe(expected);
  });

  test('is asked again less often where that did not help another request of its kind', async () => {
    quicken();
    const FILTERED = { ...GET, path: `${GET.path}?tag=x` };
    let isAnswered = false;
    const { client, sent } = clientOn(({ path }) =>
      path.includes('?') && !isAnswered ? retryAfter(429, '0') : ok(),
    );
    const timesOf = async (ask: typeof GET): Promise<number> => {
      const before = sent.filter(({ path }) => path === ask.path).length;
      await all(client, [ask]);
      return sent.filter(({ path }) => path === ask.path).length - before;
    };
    expect([await timesOf(FILTERED), await timesOf(FILTERED), await timesOf(POST)]).toEqual([9, 2, 1]);
    isAnswered = true;
    await timesOf(FILTERED);
    isAnswered = false;
    expect(await timesOf(FILTERED)).toBeGreaterThanOrEqual(9);
  });

  test('to wrong logins alone leaves right ones their patience', async () => {
    quicken();
    const login = (password: string): typeof LOGIN => ({
      ...LOGIN,
      body: JSON.stringify({ username: 'u', password, scopes: ['api'] }),
    });
    let [times, isBusy] = [0, false];
    const { client } = clientOn(({ path, body }) => {
      if (path !== LOGIN.path) return ok();
      times++;
      return isBusy || !String(body).includes('right') ? retryAfter(429, '0') : ok();
    });
    await all(client, [login('right'), login('wrong')]);
    [times, isBusy] = [0, true];
    await all(client, [login('wrong')]);
    expect(times).toBe(2);
    await all(client, [login('right')]);
    expect(times).toBe(2 + 9);
  });

  test('is waited for longer and longer if the pause that it asks for does not help', () => {
    const exchange = exchangeOf(retryAfter(429, '1'));
    const pauses = Array.from({ length: 8 }, (_, deferrals) => deferralMs(exchange, deferrals) ?? 0);
    expect(pauses.slice(0, 2)).toEqual([1_000, 1_000]);
    // A rate limit may count for a minute.
    expect(pauses.reduce((sum, ms) => sum + ms)).toBeGreaterThan(45_000);
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
    ['that tells no time at all', retryAfter(429, '0'), 250, 10],
    ['that tells a time gone by', retryAfter(503, new Date(0).toUTCString()), 250, 10],
  ])('and has to be waited for longer each time: one %s', (_what, answer, later, atFirst = later) => {
    for (let deferrals = 0; deferrals < 8; deferrals++) {
      const least = deferrals < 2 ? atFirst : later;
      const wait = (deferralMs(exchangeOf(answer), deferrals) ?? 0) / 2 ** deferrals;
      expect(wait).toBeGreaterThanOrEqual(0.75 * least);
      expect(wait).toBeLessThanOrEqual(1.25 * least);
    }
  });
});
