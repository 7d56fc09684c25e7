import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { holds } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import { Watch } from './watch.ts';

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
    const watch = new Watch([one, two]);
    watch.heard(exchangeOf(answerOf(200)));
    expect([one, two].map((each) => watch.outcomeOf(each))).toEqual([undefined, undefined]);
  });

  test('tells the first finding, shows three, and counts the others', () => {
    const watch = new Watch([one, two]);
    for (let number = 1; number <= 5; number++) watch.heard(failing(number));
    expect(watch.outcomeOf(one)).toMatchObject({
      kind: 'broken',
      why: "GET /api/v2/tagging answered 500 (and 4 more of this run's answers likewise)",
      exchanges: [{ number: 1 }, { number: 2 }, { number: 3 }],
    });
    expect(watch.outcomeOf(two)).toBeUndefined();
  });

  test('forgets what was taken back', () => {
    const watch = new Watch([one]);
    const exchange = failing(1);
    watch.heard(exchange);
    watch.takenBack(exchange);
    watch.takenBack(failing(7));
    expect(watch.outcomeOf(one)).toBeUndefined();
  });

  test('keeps only the start of a large answer', () => {
    const watch = new Watch([one]);
    watch.heard(exchangeOf(answerOf(500, 'x'.repeat(300_000)), {}, 1));
    const outcome = watch.outcomeOf(one);
    const [kept] = outcome?.kind === 'broken' ? outcome.exchanges : [];
    expect(kept?.answer?.bytes.length).toBe(65_536);
    expect(kept?.answer?.length).toBe(300_000);
  });

  test('keeps a fault of its own apart, and goes on', () => {
    const faulty = requirement('a/faulty', () => {
      throw new Error('a slip');
    });
    const watch = new Watch([faulty, one]);
    watch.heard(failing(1));
    expect(watch.fault).toEqual(new Error('a slip'));
    expect(watch.outcomeOf(one)?.kind).toBe('broken');
  });
});
