import { describe, expect, test } from 'vitest';
import { isRunName, Names, ownLettersIn } from './names.ts';

const WORD = /[aeiouy]|fck|fks|kkk|nsfw|ss|sht|wtf|xxx/i;

describe('a plain name', () => {
  test('is 14 lower-case letters that people recognise as the suite’s', () => {
    const names = new Names();
    for (let count = 0; count < 100; count++) expect(names.plain()).toMatch(/^ct[a-z]{12}$/);
  });

  test('holds no word, which a target may refuse', () => {
    const names = new Names();
    for (let count = 0; count < 1_000; count++) expect(names.plain()).not.toMatch(WORD);
  });

  test('is unlike every other name of the run', () => {
    const names = new Names();
    const all = Array.from({ length: 2_000 }, () => names.plain());
    expect(new Set(all).size).toBe(all.length);
  });

  test('is another one in every run', () => {
    const all = Array.from({ length: 100 }, () => new Names().plain());
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('other names', () => {
  test('of few letters do not tell that a name is of one run and not of another', () => {
    const [names, others] = [new Names(), new Names()];
    for (let count = 0; count < 20; count++) names.lettersOf('kwx');
    for (let count = 0; count < 20; count++) expect(names.holdsPiece(others.lettersOf('kwx'))).toBe(false);
  });

  test.each(['bc', 'xyz0', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])('are made of the letters %s alone', (alphabet) => {
    const name = new Names().lettersOf(alphabet);
    expect(name).toHaveLength(14);
    expect([...name].every((letter) => alphabet.includes(letter))).toBe(true);
  });

  test.each(['abcdefiklnorstu', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])(
    'of the letters %s hold no word, which a target may refuse',
    (alphabet) => {
      const names = new Names();
      for (let count = 0; count < 1_000; count++) expect(names.lettersOf(alphabet)).not.toMatch(WORD);
    },
  );

  test('are numbers of nine digits', () => {
    const names = new Names();
    for (let count = 0; count < 100; count++) expect(String(names.number())).toMatch(/^[1-9]\d{8}$/);
  });

  test.each([
    ['#', /^\d{9}$/],
    ['0#', /^0\d{9}$/],
    ['-#.0', /^-\d{9}\.0$/],
  ])('have the form %s, with nine digits in it', (form, pattern) => {
    expect(new Names().numeric(form)).toMatch(pattern);
  });

  test('start with a plain name and end in a given text', () => {
    expect(new Names().endingIn(' / é')).toMatch(/^ct[a-z]{12} \/ é$/);
  });

  test('continue a name of the run', () => {
    const names = new Names();
    const name = names.plain();
    expect(names.extended(name)).toBe(`${name}s`);
    expect(names.extended(name, '!')).toBe(`${name}!`);
  });
});

describe('a name of the run', () => {
  test('is known as its own, and no other name is', () => {
    const names = new Names();
    const own = [
      names.plain(),
      names.lettersOf('bc'),
      names.endingIn('x'),
      names.numeric('0#'),
      String(names.number()),
      names.extended(names.plain(), '!'),
      names.around('#', '!'),
      names.uuid(),
    ];
    expect(own.filter((name) => names.isOwn(name))).toEqual(own);
    expect(['groceries', '', new Names().plain()].filter((name) => names.isOwn(name))).toEqual([]);
  });

  test('is one of an earlier run, once it is recalled', () => {
    const names = new Names();
    const earlier = new Names().plain();
    names.recall(earlier);
    expect(names.isOwn(earlier)).toBe(true);
  });

  test('is told from other people’s names by its first letters', () => {
    expect([new Names().plain(), `${new Names().plain()} and more`].every(isRunName)).toBe(true);
    expect(['ctx', 'ctABCDEFGHIJKL', 'groceries', ''].some(isRunName)).toBe(false);
  });

  test('shows its letters, whatever stands around them', () => {
    const names = new Names();
    const plain = names.plain();
    expect(ownLettersIn(`["${plain.toUpperCase()}"]`)).toBe(plain.toUpperCase());
    expect(ownLettersIn('groceries')).toBeUndefined();
  });
});

test('A name with characters for both directions is looked for without them.', () => {
  expect(new Names().likelyForms('zebra\u200f\u202e\u2066\u2060\ufefffox')).toContain('zebrafox');
});

test('A name is looked for in full case folding, which differs from lower case.', () => {
  expect(new Names().likelyForms('STRAßE')).toContain('strasse');
  expect(new Names().likelyForms('S\u0326e\u0301 İ')).toContain('șé i\u0307');
});
