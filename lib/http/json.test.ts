import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './json.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('a body', () => {
  test('that is JSON in UTF-8 is read without a problem', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'grapheme', maxDepth: 4 }), (text) => {
        expect(readJson(utf8(text))).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  test.each(['null', 'false', '0', '""', ' \t\r\n{} ', '{"__proto__":1,"a":1,"a":2}'])(
    'may be any JSON, such as %j',
    (text) => {
      expect(readJson(utf8(text))).toEqual({ value: JSON.parse(text) });
    },
  );

  test.each([
    ['empty', '', 'the body is empty'],
    ['blank', ' ', 'the body is not well-formed JSON'],
    ['a page', '<html></html>', 'the body is not well-formed JSON'],
    ['cut short', '{"a":', 'the body is not well-formed JSON'],
    ['followed by something', '{} {}', 'the body is not well-formed JSON'],
    ['a number that JSON does not know', 'NaN', 'the body is not well-formed JSON'],
  ])('that is %s has no value, and a problem', (_what, text, problem) => {
    expect(readJson(utf8(text))).toEqual({ problem });
  });

  test('behind a byte order mark has a value and a problem', () => {
    expect(readJson(utf8('\uFEFF{"a":1}'))).toEqual({
      value: { a: 1 },
      problem: 'the body starts with a byte order mark',
    });
  });

  test.each([
    ['Latin-1', Buffer.from('{"a":"é"}', 'latin1'), { a: 'é' }],
    ['UTF-8 with a surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), '\u00ed\u00a0\u0080'],
    ['UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le'), undefined],
  ])('in %s is told to be no UTF-8, with the value where there is one', (_what, bytes, value) => {
    const expected = { problem: 'the body is not UTF-8', ...(value === undefined ? {} : { value }) };
    expect(readJson(bytes)).toEqual(expected);
  });
});

describe('the depth of a body', () => {
  const problem = 'the body nests its JSON deeper than 64 levels';

  test.each([nested(64), `[${'[],'.repeat(1_000)}[]]`, JSON.stringify({ a: '['.repeat(100) + '"\\[{' })])(
    'is within the limit in %.12s',
    (text) => {
      expect(readJson(utf8(text))).toEqual({ value: JSON.parse(text) });
    },
  );

  test.each([nested(65), nested(100_000), '{"a":'.repeat(65), `"\\"[${nested(65)}"${nested(65)}`])(
    'is over the limit in %.12s, which is not read',
    (text) => {
      expect(readJson(utf8(text))).toEqual({ problem });
    },
  );
});
