import { randomUUID } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areSparse, foreignId, hasIssuedForm, idForm, inventId, withLetters } from './unknown-ids.ts';

/** Stops an endless loop, which a timeout of the test could not. */
const withTimeout = <T>(work: () => T): T => runInNewContext('work()', { work }, { timeout: 2_000 }) as T;

const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the form of ids', () => {
  test.each([
    ['integer', ['7', '12']],
    ['integer', ['0000000012']],
    ['uuid', [randomUUID(), randomUUID().toUpperCase()]],
    ['ulid', ['01ARZ3NDEKTSV4RRFFQ69G5FAV']],
    ['hex', ['507f1f77bcf86cd799439011']],
    ['hex', ['DEADBEEF']],
    ['other', ['tag-1']],
    ['other', ['12', 'tag-1']],
    ['other', ['deadBEEF']],
    ['other', ['1.5']],
    ['other', []],
  ])('is %s for %j', (form, issued) => {
    expect(idForm(issued)).toBe(form);
  });
});

describe('an invented id', () => {
  const number = fc.oneof(fc.nat({ max: 100_000 }), fc.maxSafeNat()).map(String);
  const numbers = fc.array(number, { minLength: 1, maxLength: 10 });

  test('is an integer far from all integers that exist', () => {
    fc.assert(
      fc.property(numbers, numbers, (issued, live) => {
        const invented = inventId(issued, new Set(live));
        expect(invented).toMatch(/^[1-9]\d*$/);
        for (const id of [...issued, ...live]) {
          expect(Math.abs(Number(invented) - Number(id))).toBeGreaterThan(1_000);
        }
      }),
      { examples: [[['1000000000'], ['900000000', '810000000']]] },
    );
  });

  test('fits 32 bits where the integers that exist do', () => {
    expect(Number(inventId(['7'], new Set(['999999999'])))).toBeLessThan(2 ** 31);
    expect(Number(inventId(['2147483647'], new Set()))).toBeLessThan(2 ** 31);
  });

  test('is padded with zeros where the issued integers are', () => {
    expect(inventId(['000000000012'], new Set())).toMatch(/^0\d{11}$/);
  });

  test('is a new UUID of the same version and variant where UUIDs are issued', () => {
    for (let time = 0; time < 50; time++) {
      const issued = [randomUUID(), randomUUID()];
      const invented = inventId(issued, new Set(issued));
      expect(invented).toMatch(V4);
      expect(issued).not.toContain(invented);
    }
  });

  test.each([
    ['ulid', ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01BX5ZZKBKACTAV9WEVGEMMVRZ']],
    ['hex', ['507f1f77bcf86cd799439011', '507f1f77bcf86cd799439012']],
    ['hex', ['000000000000000a', '000000000000000b']],
  ] as const)('is new and has the form %s where the issued ids have it: %j', (form, issued) => {
    const many = withTimeout(() => Array.from({ length: 20 }, () => inventId(issued)));
    for (const invented of many) {
      expect(idForm([invented])).toBe(form);
      expect(invented).toHaveLength(issued[0].length);
      expect(issued).not.toContain(invented);
      expect(hasIssuedForm(invented, issued)).toBe(true);
    }
  });

  test.each([
    [['1c9', '1ca']],
    [['1c9']],
    [['1c8', '1c9']],
    [['0c0008', '0c0009']],
    [['007', '008']],
    [['k3J', '9aZ']],
    [['deadbeef', 'deadbef0']],
    [['tag_ab12XY-zz', 'tag_cd34ZW-qq']],
    [['-_-']],
  ])('is longer than short or dense ids by six characters or more: %j', (issued) => {
    const [first = ''] = issued;
    for (let time = 0; time < 20; time++) {
      const invented = inventId(issued);
      expect(invented.length).toBeGreaterThanOrEqual(first.length + 5);
      expect(hasIssuedForm(invented, issued)).toBe(false);
    }
  });

  test.each([
    [['1', '2'], true],
    [['0012', '0013'], false],
    [['000000000012', '000000000013'], true],
    [['tag-7', 'tag-8'], false],
  ])('counts as one of the form of %j: %s', (issued, expected) => {
    expect(hasIssuedForm(inventId(issued), issued)).toBe(expected);
  });

  test('is another one in each of two runs on one account', () => {
    const many = Array.from({ length: 100 }, () => inventId(['7', '8']));
    expect(new Set(many).size).toBeGreaterThan(95);
  });

  test.each([
    [['tag-0007', 'tag-0008'], /^tag-(\d+)$/],
    [['tag-7', 'tag-12', 'tag-12'], /^tag-(\d+)$/],
    [['tag-7'], /^tag-(\d+)$/],
    [['2024-tag-7', '2024-tag-8'], /^2024-tag-(\d+)$/],
    [['7?a=1', '8?a=1'], /^(\d+)\?a=1$/],
    [[`${'x'.repeat(4_000)}7`, `${'x'.repeat(4_000)}8`], /^x{4000}(\d+)$/],
  ])('is far from ids that count inside a text, and has the same text: %j', (issued, pattern) => {
    const live = new Set(issued.map((id) => id.replace(/[78]/, '9')));
    const [, number] = pattern.exec(inventId(issued, live)) ?? [];
    expect(Number(number)).toBeGreaterThan(5_000);
  });

  test.each([
    ['hexadecimal ids', ['000000000000000a', '000000000000000b'], /^0{8}[1-9]/],
    ['UUIDs', [1, 2].map((last) => `00000000-0000-4000-8000-00000000000${last}`), /-[1-9]\d{11}$/],
  ])('is far from %s that count', (_what, issued, far) => {
    for (let time = 0; time < 50; time++) expect(inventId(issued, new Set())).toMatch(far);
  });

  test.each([
    ['the ids differ in one digit', ['tag-1', 'tag-2']],
    ['the id repeats one character', ['aaaaaaaa']],
    ['the id has nothing but punctuation', ['-_-']],
  ])('is found although %s', (_what, issued) => {
    const invented = withTimeout(() => inventId(issued, new Set(['tag-3'])));
    expect(['', 'tag-3', ...issued]).not.toContain(invented);
  });
});

test.each([
  [[randomUUID()], true],
  [['01ARZ3NDEKTSV4RRFFQ69G5FAV'], true],
  [['507f1f77bcf86cd7'], true],
  [['507f1f77bcf86cd'], false],
  [['1c9'], false],
  [['7'], false],
  [['tag_ab12XY-zz'], false],
  [[], false],
])('%j are sparse: %s', (ids, expected) => {
  expect(areSparse(ids)).toBe(expected);
});

describe('a foreign id', () => {
  test.each([[['7']], [['1c9']], [['deadbeef']], [[randomUUID()]], [['507f1f77bcf86cd799439011']]])(
    'has another form than %j',
    (issued) => {
      expect(idForm([foreignId(issued)])).not.toBe(idForm(issued));
    },
  );

  test('is much longer than short ids', () => {
    expect(foreignId(['1c9']).length).toBeGreaterThan(20);
    expect(withLetters('1c9').length).toBeGreaterThan(20);
  });
});
