import { describe, expect, test } from 'vitest';
import { all, clientOn, GET, ok, POST, retryAfter } from './client.test.double.ts';
import { failure } from './exchange.test.double.ts';

describe('a listener', () => {
  test('is told of every request on the wire, those of the client itself included, under numbers without gaps', async () => {
    const { client } = clientOn((_, time) =>
      time === 2 ? retryAfter(429, '0') : time === 1 || time === 4 ? failure('closed') : ok(),
    );
    const [sent, ended]: [number[], [number, number | string | undefined][]] = [[], []];
    client.listeners.push({
      sent: (number) => void sent.push(number),
      ended: ({ number, answer, failure: lost }) => void ended.push([number, answer?.status ?? lost?.kind]),
    });
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
    client.listeners.push({
      ended: ({ number, ask: { method } }) => void ended.push(`${number} ${method}`),
    });
    await all(client, [POST]);
    expect(ended).toEqual(['1 POST', '2 GET']);
  });
});
