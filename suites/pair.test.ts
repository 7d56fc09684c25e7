import { describe, expect, test } from 'vitest';
import { Undecided } from '../lib/check.ts';
import { answerOf, exchangeOf, failure } from '../lib/http/exchange.test.double.ts';
import { sendPair } from './pair.ts';

const good = exchangeOf(answerOf(200), {}, 1);
const refused = exchangeOf(answerOf(401), {}, 2);

describe('a refusal', () => {
  test('counts beside the same request without the defect, which was accepted', async () => {
    const pair = sendPair({ accepted: () => good, refused: () => Promise.resolve(refused) });
    await expect(pair).resolves.toEqual({ accepted: good, refused });
  });

  test('is whatever came of the request with the defect: to judge it is the check’s business', async () => {
    const pair = sendPair({ accepted: () => Promise.resolve(good), refused: () => Promise.resolve(good) });
    await expect(pair).resolves.toEqual({ accepted: good, refused: good });
  });

  test.each([
    ['answered 404', exchangeOf(answerOf(404))],
    ['answered 302', exchangeOf(answerOf(302))],
    ['gave no answer: nothing came', exchangeOf(failure('timeout', 'nothing came'))],
  ])('decides nothing where that one %s', async (came, twin) => {
    const thrown: unknown = await sendPair({
      accepted: () => twin,
      refused: () => Promise.resolve(refused),
    }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Undecided);
    expect((thrown as Undecided).outcome).toEqual({
      kind: 'undecided',
      because: 'failure',
      why: `the same request without the defect ${came}, so that a refusal proves nothing`,
      exchanges: [twin, refused],
    });
  });
});
