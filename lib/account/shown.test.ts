import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { Shown, type Look } from './shown.ts';

const look = (number: number): Look => ({
  exchange: { ...exchangeOf(answerOf(200, {})), number },
  askedAt: number,
  settleMs: 1.5,
});

describe('a tag that a list leaves out', () => {
  test('counts once, when a later list shows it', () => {
    const shown = new Shown();
    expect(shown.reappears({ ...look(0), filter: 'a' })).toBeUndefined();
    shown.leftOut(look(1), false);
    expect(shown.reappears(look(2))).toBeUndefined();
    shown.leftOut(look(3), true);
    shown.leftOut(look(4), false);
    expect(shown.reappears(look(2))).toBeUndefined();
    expect(shown.reappears(look(5))).toMatchObject({ exchange: { number: 3 }, isYoung: true });
    shown.leftOut(look(6), false);
    expect(shown.reappears(look(7))).toBeUndefined();
  });
});

describe('a tag that lists show under two names', () => {
  const names = (
    ...given: readonly (readonly [name: string, writtenAt: number])[]
  ): (string | undefined)[] => {
    const shown = new Shown();
    return given.map(
      ([name, writtenAt], at) => shown.showsAs(name, writtenAt, look(at + 1))?.name as string | undefined,
    );
  };

  test.each([
    [
      'counts once, when the first name is back after the settle time',
      ['a', 'b', 'b', 'a', 'b', 'a'],
      0,
      [3],
    ],
    ['does not count while copies of the data may differ', ['a', 'b', 'a'], 0, []],
    ['does not count where the name stays', ['a', 'b', 'b', 'b'], 0, []],
  ] as const)('%s', (_, given, writtenAt, found) => {
    const seen = names(...given.map((name) => [name, writtenAt] as const));
    expect(seen.flatMap((name, at) => (name === undefined ? [] : at))).toEqual(found);
  });

  test('does not count where the run wrote to it meanwhile', () => {
    expect(names(['a', 0], ['b', 0], ['b', 3], ['a', 3], ['a', 3]).filter(Boolean)).toEqual([]);
  });
});
