import { describe, expect, test } from 'vitest';
import { describeDifference, formsLike, isFormOf, isSameForm } from './kept-form.ts';

/** Every assigned character of Unicode, without private-use characters and surrogates. */
function* everyCharacter(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    // A few of the thousands of Chinese characters and Hangul syllables are enough.
    const char = String.fromCodePoint(code);
    if (code % 50 > 0 && /[\p{Script=Han}\uac00-\ud7a3]/u.test(char)) continue;
    if (!/[\p{Cn}\p{Co}]/u.test(char)) yield char;
  }
}

const CHARACTERS = [...everyCharacter()];

describe('a faithful form of a name is the name', () => {
  const FORMS: readonly (readonly [what: string, form: (name: string) => string])[] = [
    ['in lower case', (name) => name.toLowerCase()],
    ['in upper case', (name) => name.toUpperCase()],
    ['in lower case letter by letter', (name) => [...name].map((char) => char.toLowerCase()).join('')],
    ['in NFC', (name) => name.normalize('NFC')],
    ['in NFD', (name) => name.normalize('NFD')],
    ['in NFKC', (name) => name.normalize('NFKC')],
    ['in NFKD', (name) => name.normalize('NFKD')],
    ['in NFKC and lower case', (name) => name.normalize('NFKC').toLowerCase().normalize('NFKC')],
    ['trimmed', (name) => name.trim()],
    ['with inner blanks folded', (name) => name.replace(/\s+/g, ' ').trim()],
    ['without control characters', (name) => name.replace(/\p{Cc}/gu, '')],
    ['with blanks in place of control characters', (name) => name.replace(/\p{Cc}/gu, ' ')],
    ['without format characters', (name) => name.replace(/\p{Cf}/gu, '')],
    ['without a byte order mark', (name) => name.replaceAll('\ufeff', '')],
  ];

  test.each(FORMS)('%s, whichever character it has', (_, form) => {
    const wrong: string[] = [];
    for (const char of CHARACTERS) {
      const sent = `1${char}2`;
      const kept = form(sent);
      // The characters that a form does not change are checked below.
      if (kept !== sent && !isFormOf(kept, sent)) wrong.push(char.codePointAt(0)?.toString(16) ?? '');
    }
    expect(wrong).toEqual([]);
  });

  test('unchanged, whichever characters it has', () => {
    for (let at = 0; at < CHARACTERS.length; at += 500) {
      const name = CHARACTERS.slice(at, at + 500).join('z');
      expect(isFormOf(name, name), `from ${CHARACTERS[at]} on`).toBe(true);
    }
  });

  test.each([
    ['with İ lower-cased by the simple mapping, as in Go', 'abİ', 'abi'],
    ['with a final sigma before a dropped control character', 'ΑΣ\u0001', 'ας'],
    ['with an accent composed across a dropped joiner', 'e\u200d\u0301', 'é'],
    ['without a variation selector', '❤\ufe0f', '❤'],
    ['with a line feed in place of a carriage return and a line feed', 'a\r\nb', 'a\nb'],
    ['with a line feed in place of a line separator', 'a\u2028b', 'a\nb'],
    ['without the blanks at both ends', ' \u3000a\u2003 ', 'a'],
  ])('%s', (_, sent, kept) => expect(isFormOf(kept, sent)).toBe(true));
});

test.each([
  ['https://A.bc', 'https://a.bc', false],
  [' A\u0001é ', 'Ae\u0301', true],
])('%j kept as %j, if letter case counts: %s', (sent, kept, expected) => {
  expect(isFormOf(kept, sent)).toBe(true);
  expect(isFormOf(kept, sent, { hasCase: true })).toBe(expected);
});

describe('no faithful form of a name is the name', () => {
  test.each([
    ['without one of its characters', 'a.b', 'ab'],
    ['without its end', 'abc', 'ab'],
    ['with something added', 'abc', 'abcd'],
    ['with an HTML entity in place of a character', 'a&b', 'a&amp;b'],
    ['with a question mark in place of a character', 'a😀b', 'a?b'],
    ['with a replacement character', 'a\u0001b', 'a\ufffdb'],
    ['with an escape in place of a control character', 'a\u0001b', 'a\\u0001b'],
    ['without its accent', 'é', 'e'],
    ['without its only inner blank', 'a b', 'ab'],
    ['with a carriage return in front of its line feed', 'a\nb', 'a\r\nb'],
    ['with a second blank', 'a b', 'a  b'],
    ['with a tab in place of a blank', 'a b', 'a\tb'],
    ['without its line separator', 'a\u2028b', 'ab'],
    ['percent-decoded', 'a%41b', 'aAb'],
    ['with a letter of another script', 'а', 'a'],
    ['as a number', '0123', '123'],
    ['with a compatibility character in place of others', 'a...', 'a…'],
    ['with its characters in another order', 'a.-', 'a-.'],
  ])('%s', (_, sent, kept) => expect(isFormOf(kept, sent)).toBe(false));
});

test('the first difference is described by position, code point and block', () => {
  expect(describeDifference('abé', 'abe')).toBe(
    'first different at character 3, where U+00E9 (Latin-1 Supplement) became U+0065 (Basic Latin)',
  );
  expect(describeDifference('a😀', 'a')).toBe(
    'first different at character 2, where U+1F600 (Emoticons) and everything after it is missing',
  );
  expect(describeDifference('ae', 'ae\u0301')).toBe(
    'with U+0301 (Combining Diacritical Marks) added at its end',
  );
});

describe('two names with the same end', () => {
  const [one, other] = ['abcdefghijklmn', 'nmlkjihgfedcba'];
  const areSame = (kept: string, otherKept: string): boolean =>
    isSameForm({ sent: `${one} B `, kept }, { sent: `${other} B `, kept: otherKept });

  test('have to be kept in the same form', () => {
    expect(areSame(`${one} B `, `${other} B `)).toBe(true);
    expect(areSame(`${one} b`, `${other} b`)).toBe(true);
    expect(areSame(`${one} B `, `${other} b`)).toBe(false);
  });

  test('are not compared where their ends differ, or an accent was composed with the letter before', () => {
    expect(isSameForm({ sent: `${one}.`, kept: one }, { sent: `${other}-`, kept: `${other}-` })).toBe(true);
    const [sent, otherSent] = [`${one}\u0301`, `${other}\u0301`];
    expect(isSameForm({ sent, kept: sent }, { sent: otherSent, kept: otherSent.normalize('NFC') })).toBe(
      true,
    );
  });
});

describe('the form of a name is foreseen by that of another one', () => {
  test.each([
    ['ctabcdefghijkl\u2029z', 'ctabcdefghijklz', 'ctzyxwvutsrqpo\u2029z', 'ctzyxwvutsrqpoz'],
    ['ctabcdefghijkl\u2029z', 'CTABCDEFGHIJKLZ', 'ctzyxwvutsrqpo\u2029z', 'CTZYXWVUTSRQPOZ'],
    ['ctabcdefghijkl\u2029z', 'Ctabcdefghijklz', 'ctzyxwvutsrqpo\u2029z', 'Ctzyxwvutsrqpoz'],
  ])('%j kept as %j: %j is kept as %j', (sent, kept, name, expected) => {
    expect(formsLike(sent, kept, name)).toContain(expected);
  });

  test('but not where that was kept as it was sent, or has no letters of the run', () => {
    expect(formsLike('ctabcdefghijkl', 'ctabcdefghijkl', 'ctzyxwvutsrqpo')).toEqual([]);
    expect(formsLike('0', '00', 'ctzyxwvutsrqpo')).toEqual([]);
  });
});
