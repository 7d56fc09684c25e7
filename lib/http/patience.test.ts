import { expect, test } from 'vitest';
import { all, clientOn, POST } from './client.test.double.ts';
import { answerOf, failure } from './exchange.test.double.ts';
import type { Answer, Failure } from './exchange.ts';
import { becomesReady } from './patience.ts';
import type { Transport } from './transport.ts';

/** What comes of requests in a row, each sent when the one before is answered, and how often one was sent in all. */
async function sentInTurn(
  requests: number,
  patienceMs: number,
  answers: readonly (Answer | Failure)[],
): Promise<{ readonly came: readonly unknown[]; readonly times: number }> {
  const { client, sent } = clientOn((_wire, time) => answers[time - 1] ?? answerOf(200), { patienceMs });
  const came: unknown[] = [];
  for (let at = 0; at < requests; at++) came.push(...(await all(client, [POST])));
  return { came, times: sent.length };
}

const refused = failure('unreachable');

test('A request is sent again where a target that was there refuses connections', async () => {
  const outcome = await sentInTurn(2, 10_000, [answerOf(200), refused, refused]);
  expect(outcome).toEqual({ came: [200, 200], times: 4 });
});

test.each([
  ['no target was there before', 10_000, [refused]],
  ['patience has run out', 0, [answerOf(200), refused]],
  ['it may have reached the target', 10_000, [answerOf(200), failure('closed')]],
])('A request is not sent again where %s', async (_what, patienceMs, answers) => {
  const { came, times } = await sentInTurn(answers.length, patienceMs, answers);
  expect(times).toBe(answers.length);
  expect(came.at(-1)).not.toBe(200);
});

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
