import { expect, test } from 'vitest';
import { broken, holds, type Outcome, undecided, Undecided } from '../../lib/check.ts';
import { answerOf, exchangeOf } from '../../lib/http/exchange.test.double.ts';
import { FakeTarget, sessionWith } from '../../lib/run/session.test.double.ts';
import { Target } from '../../lib/run/target.ts';
import { Work } from '../../lib/run/work.ts';
import { formsSent, LETTERS, withForms } from './forms.ts';

const refusal = exchangeOf(answerOf(422), { operation: 'create', method: 'POST', path: '/api/v2/tagging' });

test.each([
  ['plain names', [broken('the target refused a name', refusal)]],
  ['these forms once more', [broken('the target refused a name', refusal), holds()]],
])(
  'A finding with names of unusual forms is undecided if the budget lacks requests for %s.',
  async (_, came) => {
    const target = new Target(new Work(sessionWith(new FakeTarget()).session, 'x/y', 3));
    const left: Outcome[] = [...came];
    const outcome = await withForms(target, { created: [`#${LETTERS}`], updated: [] }, () => {
      const next = left.shift();
      return next === undefined
        ? Promise.reject(new Undecided('budget', 'the budget is used up'))
        : Promise.resolve(next);
    });
    // Only with its exchanges is it checked again at the end of the run.
    const why =
      'the target refused a name, and it was not checked whether that depends on the names: the budget is used up';
    expect(outcome).toEqual(undecided('budget', why, refusal));
  },
);

test('If the budget lacks requests for names of unusual forms, these forms are not odd.', async () => {
  const target = new Target(new Work(sessionWith(new FakeTarget()).session, 'x/y', 3));
  const usedUp = new Undecided('budget', 'the budget is used up');
  const forms = { created: [`#${LETTERS}`], updated: [] };
  await expect(withForms(target, forms, () => Promise.reject(usedUp))).rejects.toBe(usedUp);
  expect((await formsSent(target)).hasMetOdd).toBe(false);
  const noAnswer = new Undecided('failure', 'no answer');
  await expect(withForms(target, forms, () => Promise.reject(noAnswer))).rejects.toBe(noAnswer);
  expect((await formsSent(target)).hasMetOdd).toBe(true);
});
