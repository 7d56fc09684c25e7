import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Names } from './names.ts';

const places = fc.uniqueArray(fc.string({ maxLength: 20 }), { minLength: 2, maxLength: 20 });

describe('a plain name', () => {
  test('is 16 lower-case letters, and starts so that people know it for one of the suite', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (seed, place) => {
        expect(new Names(seed).plain(place)).toMatch(/^ct[a-z]{14}$/);
      }),
    );
  });

  test('is unlike that of every other place', () => {
    fc.assert(
      fc.property(places, (places) => {
        const names = new Names('seed');
        expect(new Set(places.map((place) => names.plain(place))).size).toBe(places.length);
      }),
      { numRuns: 50 },
    );
  });

  test('is the same again for the same seed, nonce and place', () => {
    expect(new Names('seed', 'abcdef').plain('create/1')).toBe(new Names('seed', 'abcdef').plain('create/1'));
    expect(new Names('seed', 'abcdef').plain('create/1')).not.toBe(
      new Names('other', 'abcdef').plain('create/1'),
    );
  });

  test('is another one in every run, whatever the seed', () => {
    const names = Array.from({ length: 100 }, () => new Names('seed').plain('create/1'));
    expect(new Set(names).size).toBe(100);
  });
});

describe('other names', () => {
  test.each(['ab', 'xyz0', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])('are made of the letters %s alone', (alphabet) => {
    const name = new Names('seed').from(alphabet, 'list/1');
    expect(name).toHaveLength(16);
    expect([...name].every((letter) => alphabet.includes(letter))).toBe(true);
  });

  test('are numbers of nine digits', () => {
    fc.assert(
      fc.property(fc.string(), (place) => {
        expect(String(new Names('seed').number(place))).toMatch(/^[1-9]\d{8}$/);
      }),
    );
  });

  test('are a plain name that goes on with a text', () => {
    const names = new Names('seed');
    expect(names.with(' é/漢', 'create/1')).toBe(`${names.plain('create/1')} é/漢`);
  });

  test('differ from run to run', () => {
    const [one, other] = [new Names('seed'), new Names('seed')];
    expect(one.from('abcdefgh', 'x')).not.toBe(other.from('abcdefgh', 'x'));
    expect(one.number('x')).not.toBe(other.number('x'));
  });
});

describe('a name of the run', () => {
  test.each<[string, (names: Names) => string]>([
    ['a plain one', (names) => names.plain('x')],
    ['one from an alphabet', (names) => names.from('abcdefgh', 'x')],
    ['the text of a number', (names) => String(names.number('x'))],
    ['one that goes on', (names) => names.with('...', 'x')],
  ])('is %s that it gave, and none that another run gave', (_what, make) => {
    const names = new Names('seed');
    expect(names.isOwn(make(names))).toBe(true);
    expect(names.isOwn(make(new Names('seed')))).toBe(false);
  });

  test('is no name that it would give but did not', () => {
    const name = new Names('seed', 'abcdef').plain('x');
    expect(new Names('seed', 'abcdef').isOwn(name)).toBe(false);
  });
});
