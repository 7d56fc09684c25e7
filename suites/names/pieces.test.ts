import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halves, packed, packsOf, Pieces, smaller } from './pieces.ts';

const FREE = { least: 1, areWhole: false };

describe('pieces', () => {
  test('are put into packs in their order, as many as fit', () => {
    expect(packed(['ab', 'c', 'def', 'g'], 4)).toEqual([
      ['ab', 'c'],
      ['def', 'g'],
    ]);
    expect(packed(['abcdef', 'g'], 4)).toEqual([['abcdef'], ['g']]);
    expect(packed([])).toEqual([]);
  });

  test('are divided into two halves', () => expect(halves(['a', 'b', 'c'])).toEqual([['a', 'b'], ['c']]));

  test('have smaller cases, each once and none empty', () => {
    expect([...smaller(['a', 'b', 'c'], FREE)]).toEqual([['a', 'b'], ['c'], ['b', 'c'], ['a', 'c']]);
    expect([...smaller(['a', 'b', 'c'], { ...FREE, least: 2 })]).toEqual([
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'c'],
    ]);
    expect([...smaller(['x', 'x', 'x', 'x'], FREE)]).toEqual([
      ['x', 'x'],
      ['x', 'x', 'x'],
    ]);
    expect([...smaller(['%4'], FREE)]).toEqual([['%'], ['4']]);
    expect([...smaller(['a'], FREE)]).toEqual([]);
    expect([...smaller(['%4'], { ...FREE, areWhole: true })]).toEqual([]);
    expect([...smaller(['ab', 'c'], { ...FREE, least: 2 })]).toEqual([]);
  });

  test('of a very long text have few smaller cases', () => {
    expect([...smaller(['x'.repeat(10_000)], FREE)].length).toBeLessThan(200);
  });
});

/** The smallest case that fails, and how many cases were tried. */
function shrunk(first: readonly string[], fails: (text: string) => boolean) {
  let asked = 0;
  const arbitrary = new Pieces(packsOf(fc.constantFrom('a', 'b')));
  const { counterexample } = fc.check(
    fc.property(arbitrary, (pieces) => {
      asked++;
      return !fails(pieces.join(''));
    }),
    { examples: [[first]], numRuns: 1 },
  );
  return { smallest: counterexample?.[0], asked };
}

const PUNCTUATION = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

describe('a case is shrunk', () => {
  test.each(PUNCTUATION)('to %s alone, in a few steps', (culprit) => {
    const { smallest, asked } = shrunk(PUNCTUATION, (text) => text.includes(culprit));
    expect(smallest).toEqual([culprit]);
    expect(asked).toBeLessThanOrEqual(12);
  });

  test('to the two pieces that it takes, where these stand apart', () => {
    const { smallest } = shrunk(PUNCTUATION, (text) => text.includes('"') && text.includes('|'));
    expect(smallest).toEqual(['"', '|']);
  });

  test('to some characters of one piece', () => {
    const { smallest } = shrunk(['abc', 'a%41b', '<b>'], (text) => text.includes('%41'));
    expect(smallest?.join('')).toBe('%41');
  });
});
