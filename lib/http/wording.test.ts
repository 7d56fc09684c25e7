import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from './exchange.test.double.ts';
import { cut, harmless, lineOf, quote, withShortQuotes, whatCame } from './wording.ts';

const anyCodePoint = fc.nat({ max: 0x10_ffff }).map((code) => String.fromCodePoint(code));
const HARMFUL = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

describe('text from the target', () => {
  test.each([
    ['plain text, é 漢 😀', 'plain text, é 漢 😀'],
    ['\u001B[31m\n', '\\u001b[31m\\u000a'],
    ['\u009B1m', '\\u009b1m'],
    ['\u202Eabc\u2066', '\\u202eabc\\u2066'],
    ['a\u2028b', 'a\\u2028b'],
    ['\uFEFF\uE000', '\\ufeff\\ue000'],
    ['\u{E0041}', '\\u{e0041}'],
    ['\uD83D', '\\ud83d'],
  ])('is made harmless: %j', (text, expected) => {
    expect(harmless(text)).toBe(expected);
  });

  test('never holds a character that a terminal acts on, or that turns text around', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), (text) => {
        expect(HARMFUL.test(harmless(text))).toBe(false);
        expect(HARMFUL.test(quote(text))).toBe(false);
      }),
    );
  });
});

describe('a quoted value', () => {
  test.each([
    ['text', '"text"'],
    ['it is "so"\n', '"it is \\"so\\"\\n"'],
    [{ a: [1, null] }, '{"a":[1,null]}'],
    [undefined, 'undefined'],
    ['\u007F', '"\\u007f"'],
  ])('is JSON in one line: %j', (value, expected) => {
    expect(quote(value)).toBe(expected);
  });

  test('is shortened in a sentence, with its length stated', () => {
    const sentence = (value: string): string => withShortQuotes(`the name became ${quote(value)}, not "a"`);
    expect(sentence('x'.repeat(118))).toBe(`the name became "${'x'.repeat(118)}", not "a"`);
    expect(sentence('x'.repeat(119))).toBe(`the name became "${'x'.repeat(119)}… (121 characters)", not "a"`);
  });

  test('is shortened in the path of a request', () => {
    const sentence = `GET /api/v2/tagging?tag=${'x'.repeat(9_000)} answered 414`;
    expect(withShortQuotes(sentence)).toBe(
      `GET /api/v2/tagging?tag=${'x'.repeat(101)}… (9019 characters) answered 414`,
    );
  });
});

describe('a long text', () => {
  test('is cut, with its length stated', () => {
    expect(cut('abc', 3)).toBe('abc');
    expect(cut('abcd', 3)).toBe('abc… (4 characters)');
    expect(quote('x'.repeat(100_000)).length).toBeLessThan(5_000);
  });

  test.each([
    ['a tag named "abcd" is listed', 'a tag named "abcd" is listed'],
    ['a tag named "abcdefgh" is listed', 'a tag named "abcde… (10 characters)" is listed'],
    ['"abc" and "abcdefgh"', '"abc" and "abcde… (10 characters)"'],
    ['"a\\"b" and not', '"a\\"b" and not'],
    ['a sentence without a quotation, however long', 'a sentence without a quotation, however long'],
  ])('is cut inside the quotations of a sentence: %s', (sentence, expected) => {
    expect(withShortQuotes(sentence, 6)).toBe(expected);
  });
});

describe('an exchange', () => {
  test('is told by its status, or by why there is no answer', () => {
    expect(whatCame(exchangeOf(answerOf(201)))).toBe('answered 201');
    expect(whatCame(exchangeOf(failure('timeout', 'nothing came')))).toBe('gave no answer: nothing came');
  });

  test('is told by its method and path', () => {
    expect(lineOf(exchangeOf(answerOf(200), { method: 'PUT', path: '/api/v2/tagging/1' }))).toBe(
      'PUT /api/v2/tagging/1',
    );
  });
});
