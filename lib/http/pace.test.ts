import { setImmediate as nextTurn } from 'node:timers/promises';
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

test('Each time that a request fails beside others, it takes twice as many answers until two may overlap again.', async () => {
  const pace = new Pace(
    { concurrency: 2 },
    () => false,
    () => undefined,
  );
  const answer = exchangeOf(answerOf(200));
  /** How many answers it takes until two requests overlap. */
  const untilTwo = async (): Promise<number> => {
    for (let answers = 0; ; answers++) {
      let most = 0;
      let underWay = 0;
      const send = async (): Promise<void> => {
        most = Math.max(most, ++underWay);
        await nextTurn();
        underWay--;
      };
      await Promise.all([pace.inTurn(send), pace.inTurn(send)]);
      if (most > 1) return answers;
      pace.answered(answer);
    }
  };
  const counts: number[] = [];
  for (let time = 0; time < 3; time++) {
    pace.slowDown({ ...answer, startedAt: performance.now() });
    counts.push(await untilTwo());
  }
  expect(counts).toEqual([50, 100, 200]);
});
