import { describe, expect, test } from 'vitest';
import { isFormOf, isSameForm, tellDifference } from './keeping.ts';

/** Every character of Unicode that is assigned, but for private ones and halves of surrogate pairs. */
function* everyCharacter(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    // Of thousands that are made by one rule, a few are enough.
    const char = String.fromCodePoint(code);
    if (code % 50 > 0 && /[\p{Script=Han}\uac00-\ud7a3]/u.test(char)) continue;
    if (!/[\p{Cn}\p{Co}]/u.test(char)) yield char;
  }
}

describe('a name is kept in a form of its own', () => {
  const FORMS: readonly (readonly [what: string, form: (name: string) => string])[] = [
    ['in small letters', (name) => name.toLowerCase()],
    ['in capitals', (name) => name.toUpperCase()],
    ['letter by letter in small ones', (name) => [...name].map((char) => char.toLowerCase()).join('')],
    ['in NFC', (name) => name.normalize('NFC')],
    ['in NFD', (name) => name.normalize('NFD')],
    ['in NFKC', (name) => name.normalize('NFKC')],
    ['in NFKD', (name) => name.normalize('NFKD')],
    ['in NFKC and small letters', (name) => name.normalize('NFKC').toLowerCase().normalize('NFKC')],
    ['trimmed', (name) => name.trim()],
    ['squished', (name) => name.replace(/\s+/g, ' ').trim()],
    ['without control characters', (name) => name.replace(/\p{Cc}/gu, '')],
    ['with blanks for control characters', (name) => name.replace(/\p{Cc}/gu, ' ')],
    ['without format characters', (name) => name.replace(/\p{Cf}/gu, '')],
    ['without a byte order mark', (name) => name.replaceAll('\ufeff', '')],
  ];

  test.each(FORMS)('%s, whichever character is in it', (_, form) => {
    const wrong: string[] = [];
    for (const char of everyCharacter()) {
      const sent = `1${char}2`;
      const kept = form(sent);
      // What no form changes is looked at once, below.
      if (kept !== sent && !isFormOf(kept, sent)) wrong.push(char.codePointAt(0)?.toString(16) ?? '');
    }
    expect(wrong).toEqual([]);
  });

  test('as it is, whichever characters are in it', () => {
    const all = [...everyCharacter()];
    for (let at = 0; at < all.length; at += 500) {
      const name = all.slice(at, at + 500).join('z');
      expect(isFormOf(name, name), `from ${all[at]} on`).toBe(true);
    }
  });

  test.each([
    ['a simple mapping of İ, as in Go', 'abİ', 'abi'],
    ['a final sigma where a control character was', 'ΑΣ\u0001', 'ας'],
    ['an accent composed where a joiner was', 'e\u200d\u0301', 'é'],
    ['no variation selector', '❤\ufe0f', '❤'],
    ['nothing where blanks were at both ends', ' \u3000a\u2003 ', 'a'],
  ])('%s', (_, sent, kept) => expect(isFormOf(kept, sent)).toBe(true));
});

describe('a name is not kept', () => {
  test.each([
    ['with a character gone', 'a.b', 'ab'],
    ['with its end gone', 'abc', 'ab'],
    ['with something added', 'abc', 'abcd'],
    ['with an entity for a character', 'a&b', 'a&amp;b'],
    ['with a question mark for a character', 'a😀b', 'a?b'],
    ['with a replacement character', 'a\u0001b', 'a\ufffdb'],
    ['with an escape for a control character', 'a\u0001b', 'a\\u0001b'],
    ['without its accent', 'é', 'e'],
    ['with no blank at all where there was one', 'a b', 'ab'],
    ['without the end of a line', 'a\u2028b', 'ab'],
    ['decoded once more', 'a%41b', 'aAb'],
    ['with a letter of another script', 'а', 'a'],
    ['as a number', '0123', '123'],
    ['with its characters in another order', 'a.-', 'a-.'],
  ])('%s', (_, sent, kept) => expect(isFormOf(kept, sent)).toBe(false));
});

test('where a name differs is told by number and block', () => {
  expect(tellDifference('abé', 'abe')).toBe(
    'first different at character 3, where U+00E9 (Latin-1 Supplement) became U+0065 (Basic Latin)',
  );
  expect(tellDifference('a😀', 'a')).toBe(
    'first different at character 2, where U+1F600 (Emoticons) and all after it is gone',
  );
  expect(tellDifference('ae', 'ae\u0301')).toBe('with U+0301 (Combining Diacritical Marks) added at its end');
});

describe('two names that go on alike', () => {
  const [one, other] = ['abcdefghijklmnop', 'ponmlkjihgfedcba'];
  const areSame = (kept: string, otherKept: string): boolean =>
    isSameForm({ sent: `${one} B `, kept }, { sent: `${other} B `, kept: otherKept });

  test('are kept in one form', () => {
    expect(areSame(`${one} B `, `${other} B `)).toBe(true);
    expect(areSame(`${one} b`, `${other} b`)).toBe(true);
    expect(areSame(`${one} B `, `${other} b`)).toBe(false);
  });

  test('are not compared where they go on otherwise, or an accent is one with the letters before', () => {
    expect(isSameForm({ sent: `${one}.`, kept: one }, { sent: `${other}-`, kept: `${other}-` })).toBe(true);
    const [sent, otherSent] = [`${one}\u0301`, `${other}\u0301`];
    expect(isSameForm({ sent, kept: sent }, { sent: otherSent, kept: otherSent.normalize('NFC') })).toBe(
      true,
    );
  });
});
