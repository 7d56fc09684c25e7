import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from './exchange.test.double.ts';
import { harmless, lineOf, quote, whatCame } from './wording.ts';

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

  test('is cut, with its length stated', () => {
    expect(quote('x'.repeat(118))).toBe(`"${'x'.repeat(118)}"`);
    expect(quote('x'.repeat(119))).toBe(`"${'x'.repeat(119)}… (121 characters)`);
    expect(quote([1, 2, 3], 3)).toBe('[1,… (7 characters)');
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
