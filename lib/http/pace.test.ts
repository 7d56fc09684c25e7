import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from './exchange.test.double.ts';
import { Pace } from './pace.ts';

const PAUSE_MS = 120;

test('Requests that wait for their turn wait for a pause as well that the target asks for meanwhile.', async () => {
  const pace = new Pace(
    { concurrency: 4, maxRps: 100 },
    () => false,
    () => undefined,
  );
  const starts: number[] = [];
  const send = (): Promise<void> => {
    starts.push(performance.now());
    if (starts.length === 1) pace.defer(PAUSE_MS, exchangeOf(answerOf(429)), true);
    return Promise.resolve();
  };
  await Promise.all(Array.from({ length: 4 }, () => pace.inTurn(send)));
  const [first = 0, ...later] = starts;
  expect(Math.min(...later) - first).toBeGreaterThanOrEqual(PAUSE_MS - 1);
});
