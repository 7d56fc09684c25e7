import { expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Answer, Failure } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import type { RequestOverrides } from '../spec/requests.ts';
import { sendAgainIfLost } from './lost.ts';

/** Sends a request that is answered in this way the first time and 200 the second time. */
async function sent(first: Answer | Failure, isUndone: () => Promise<boolean>) {
  const overrides: RequestOverrides[] = [];
  const send = (more: RequestOverrides) =>
    Promise.resolve(exchangeOf(overrides.push(more) === 1 ? first : answerOf(200)));
  const { answer, followsLost } = await sendAgainIfLost(send, isUndone);
  return { overrides, status: answer?.status, followsLost };
}

const undone = () => Promise.resolve(true);
const again = { overrides: [{}, { opensConnection: true }], status: 200, followsLost: true };

test.each([
  ['a closed connection', failure('closed')],
  ['502', answerOf(502)],
  ['504', answerOf(504)],
])(
  'After %s, a write without effect is sent again over a new connection, and its exchange tells that.',
  async (_what, first) => {
    await expect(sent(first, undone)).resolves.toEqual(again);
  },
);

test.each([
  ['a time-out', failure('timeout')],
  ['500', answerOf(500)],
  ['404', answerOf(404)],
])('After %s, a write is not sent again.', async (_what, first) => {
  await expect(sent(first, undone)).resolves.toMatchObject({ overrides: [{}], followsLost: undefined });
});

test.each([
  ['was carried out', () => Promise.resolve(false)],
  ['may have been carried out', () => Promise.reject(new Undecided('failure', 'no list can be read'))],
])('A write that %s is not sent again.', async (_what, isUndone) => {
  await expect(sent(answerOf(502), isUndone)).resolves.toMatchObject({ overrides: [{}], status: 502 });
});
