import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { holds } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import { Signs } from '../account/signs.ts';
import { History } from './history.ts';

const requirement = (id: string, watch: Requirement['watch']): Requirement => ({
  id,
  section: '4.2',
  sentences: ['4.2/path'],
  level: 'required',
  text: 'It is so.',
  check: () => Promise.resolve(holds()),
  ...(watch === undefined ? {} : { watch }),
});

const [one, two] = [
  requirement('a/one', ({ answer }) => (answer?.status === 500 ? 'answered 500' : undefined)),
  requirement('a/two', () => undefined),
];
const failing = (number: number): ReturnType<typeof exchangeOf> => exchangeOf(answerOf(500), {}, number);

describe('what watches a run', () => {
  test('finds nothing where nothing is wrong', () => {
    const history = new History([one, two], new Signs());
    history.heard(exchangeOf(answerOf(200)));
    expect([one, two].map((each) => history.outcomeOf(each))).toEqual([undefined, undefined]);
  });

  test('tells the first finding, shows three, and counts the others', () => {
    const history = new History([one, two], new Signs());
    for (let number = 1; number <= 5; number++) history.heard(failing(number));
    expect(history.outcomeOf(one)).toMatchObject({
      kind: 'broken',
      why: "GET /api/v2/tagging answered 500 (and 4 more of this run's answers as well)",
      exchanges: [{ number: 1 }, { number: 2 }, { number: 3 }],
    });
    expect(history.outcomeOf(two)).toBeUndefined();
  });

  test('forgets what was taken back', () => {
    const history = new History([one], new Signs());
    const exchange = failing(1);
    history.heard(exchange);
    history.retracted(exchange);
    history.retracted(failing(7));
    expect(history.outcomeOf(one)).toBeUndefined();
  });

  test('keeps only the start of a large answer', () => {
    const history = new History([one], new Signs());
    history.heard(exchangeOf(answerOf(500, 'x'.repeat(300_000)), {}, 1));
    const outcome = history.outcomeOf(one);
    const [kept] = outcome?.kind === 'broken' ? outcome.exchanges : [];
    expect(kept?.answer?.bytes.length).toBe(65_536);
    expect(kept?.answer?.length).toBe(300_000);
  });

  test('keeps a fault of its own apart, and goes on', () => {
    const faulty = requirement('a/faulty', () => {
      throw new Error('a slip');
    });
    const history = new History([faulty, one], new Signs());
    history.heard(failing(1));
    expect(history.fault).toEqual(new Error('a slip'));
    expect(history.outcomeOf(one)?.kind).toBe('broken');
  });
});
