import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from './http/exchange.test.double.ts';
import { allOf, broken, holdsWithWarning, holds, undecided, Undecided } from './outcome.ts';

const exchange = exchangeOf(answerOf(200));

describe('an outcome', () => {
  test('that is broken gives the reason and the exchanges that show it', () => {
    expect(broken('answered 201, not 200', exchange)).toEqual({
      kind: 'broken',
      why: 'answered 201, not 200',
      exchanges: [exchange],
    });
  });

  test('of holdsWithWarning holds, with a warning', () => {
    const warning = { why: 'late', exchanges: [exchange] };
    expect(holdsWithWarning('late', exchange)).toEqual({ kind: 'holds', warning });
  });

  test('of a failed set-up can be thrown, and comes back unchanged', () => {
    const thrown = new Undecided('failure', 'no token', exchange);
    expect(thrown).toMatchObject({ name: 'Undecided', message: 'no token' });
    expect(thrown.outcome).toEqual(undecided('failure', 'no token', exchange));
  });
});

describe('several outcomes together', () => {
  const doubt = holdsWithWarning('late');
  const open = undecided('tester', 'no account');
  const bad = broken('wrong');

  test.each([
    ['hold where there are none', [], holds()],
    ['hold where each holds', [holds(), holds()], holds()],
    ['are holdsWithWarning where one is', [holds(), doubt], doubt],
    ['are undecided where one is', [doubt, open, holds()], open],
    ['are broken where one is', [open, doubt, bad, holds()], bad],
    ['are the first of the same kind', [holds(), bad, broken('worse')], bad],
  ])('%s', (_what, outcomes, expected) => {
    expect(allOf(...outcomes)).toEqual(expected);
  });
});

test('A finding shows each exchange once, at its last place.', () => {
  const [create, list] = [1, 2].map((number) => exchangeOf(answerOf(200), {}, number));
  if (create === undefined || list === undefined) throw new Error('there is no exchange');
  expect(broken('why', list, create, list)).toMatchObject({ exchanges: [{ number: 1 }, { number: 2 }] });
});
