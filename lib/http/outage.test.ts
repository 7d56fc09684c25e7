import { describe, expect, test } from 'vitest';
import { isOfOutage, isServerError } from './retryable.ts';
import { all, clientOn, GET, ok, POST } from './client.test.double.ts';
import { answerOf, askOf, failure } from './exchange.test.double.ts';
import type { Answer, Failure } from './exchange.ts';

const LIST = askOf({ path: '/api/v2/tagging?tag=known' });
const PUT = askOf({ operation: 'rename', method: 'PUT' });

/** Time enough for every outage here. */
const PATIENCE_MS = 1_000;

/** A target that answers these statuses from the second request on, and then works again. */
function failing(...answers: readonly (Answer | Failure)[]) {
  return clientOn((_wire, time) => answers[time - 2] ?? ok(), { patienceMs: PATIENCE_MS });
}

const errors = (...statuses: readonly number[]): Answer[] => statuses.map((status) => answerOf(status));

describe('an outage', () => {
  test('is waited for by all that it meets, with the last list that was answered well as the probe', async () => {
    const { client, sent, log } = failing(...errors(500, 500, 500, 500));
    await all(client, [LIST]);
    await expect(all(client, [POST, PUT])).resolves.toEqual([500, 500]);
    expect(log.filter(isServerError).map(isOfOutage)).toEqual([true, true]);
    expect(sent.slice(3).map(({ path }) => path)).toEqual(Array(3).fill(LIST.path));
  });

  test.each([
    ['a gateway that answers 502', answerOf(502)],
    ['a 503', answerOf(503)],
    ['a closed connection', failure('closed')],
  ])('is not over at %s', async (_what, came) => {
    const { client, log } = failing(answerOf(500), came, answerOf(500));
    await all(client, [LIST]);
    await all(client, [POST]);
    expect(log.map(isOfOutage)).toEqual([false, true]);
    await expect(all(client, [GET])).resolves.toEqual([200]);
  });

  test('is followed by single errors that are due to it, and may come again', async () => {
    const { client, sent, log } = failing(...errors(500, 500), ok(), ...errors(500, 500, 500, 500));
    await all(client, [LIST]);
    for (let time = 1; time <= 3; time++) await all(client, [POST]);
    expect(log.filter(isServerError).map(isOfOutage)).toEqual([true, true, true]);
    expect(sent.map(({ method }) => method).join(' ')).toBe('GET POST GET GET POST POST GET GET GET');
    await expect(all(client, [POST])).resolves.toEqual([200]);
  });

  test('that lasts is waited for only once', async () => {
    const { client, sent, log } = clientOn((_wire, time) => (time === 1 ? ok() : answerOf(500)), {
      patienceMs: 60,
    });
    await all(client, [LIST]);
    await all(client, [POST]);
    const probes = sent.length - 2;
    expect(probes).toBeGreaterThan(1);
    await all(client, [POST, PUT]);
    expect(sent).toHaveLength(4 + probes);
    expect(log.some(isOfOutage)).toBe(false);
  });
});

test('a gateway whose server does not come back ends the run', async () => {
  const { client } = clientOn((_wire, time) => (time === 1 ? ok() : answerOf(502)), { patienceMs: 60 });
  await all(client, [LIST]);
  for (let time = 1; time <= 3; time++) await all(client, [POST]);
  expect(client.stopped).toBe(
    'the target stopped answering: for 0 s every answer was 502, of a gateway that gets no answer from its server',
  );
});

describe('a server error while other requests are answered', () => {
  test('is no outage, and soon takes three in a row for another probe', async () => {
    const { client, sent, log } = clientOn(({ method }) => (method === 'GET' ? ok() : answerOf(500)), {
      patienceMs: PATIENCE_MS,
    });
    await all(client, [LIST]);
    for (let time = 1; time <= 9; time++) await all(client, [POST]);
    expect(sent.filter(({ method }) => method === 'GET')).toHaveLength(1 + 2 + 3);
    expect(log.some(isOfOutage)).toBe(false);
  });

  test('is no outage before anything was answered well', async () => {
    const { client, sent } = clientOn(() => answerOf(500), { patienceMs: PATIENCE_MS });
    await all(client, [POST]);
    expect(sent).toHaveLength(1);
  });

  test('of status 501 is about the request', async () => {
    const { client, sent } = failing(answerOf(501));
    await all(client, [LIST]);
    await all(client, [POST]);
    expect(sent).toHaveLength(2);
  });
});
