import { expect, test } from 'vitest';
import { broken, Undecided } from '../../lib/check.ts';
import { FakeTarget, sessionWith } from '../../lib/run/session.test.double.ts';
import { Target } from '../../lib/run/target.ts';
import { Work } from '../../lib/run/work.ts';
import { formsSent, LETTERS, withForms } from './forms.ts';

test('A finding with names of unusual forms does not stand if the budget lacks requests for plain names.', async () => {
  const target = new Target(new Work(sessionWith(new FakeTarget()).session, 'x/y', 3));
  const usedUp = new Undecided('budget', 'the budget is used up');
  const check = withForms(target, { created: [`#${LETTERS}`], updated: [] }, (hasForms) =>
    hasForms ? Promise.resolve(broken('the target refused a name')) : Promise.reject(usedUp),
  );
  await expect(check).rejects.toBe(usedUp);
});

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
