import { expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import type { Answer, Failure } from '../http/exchange.ts';
import type { Transport } from '../http/transport.ts';
import { becomesReady } from './ready.ts';

const answering = (came: (time: number) => Answer | Failure): Transport & { times: number } => ({
  times: 0,
  send() {
    return Promise.resolve(came(++this.times));
  },
  close: () => Promise.resolve(),
});

test('a target that refuses connections at first is waited for', async () => {
  const target = answering((time) => (time < 3 ? failure('unreachable') : answerOf(401)));
  await expect(becomesReady(target, 10_000, 100)).resolves.toBe(true);
  expect(target.times).toBe(3);
});

test('a target that takes connections is ready, whatever it says', async () => {
  for (const came of [answerOf(500), failure('timeout'), failure('closed'), failure('untrusted')])
    await expect(
      becomesReady(
        answering(() => came),
        0,
        100,
      ),
    ).resolves.toBe(true);
});

test('a target that does not come in time is not waited for any longer', async () => {
  await expect(
    becomesReady(
      answering(() => failure('unreachable')),
      60,
      100,
    ),
  ).resolves.toBe(false);
});
