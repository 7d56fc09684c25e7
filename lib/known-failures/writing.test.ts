import { describe, expect, test } from 'vitest';
import { knownFailuresIn, lastingPart } from './writing.ts';

describe('the part of a finding that another run repeats', () => {
  test.each<[string, string | undefined]>([
    ['answered 201, not 200', 'answered 201, not 200'],
    ['the list does not show "ctabcdefghijklm", which was created before', 'which was created before'],
    ['tag_id 7f3a-4411 answered 404 after 1023 ms', 'answered 404 after'],
    ['the name "a \\" b" came back as "c"', 'came back as'],
    ['"ctabc" is 8 long', undefined],
    ['', undefined],
  ])('of %j is %j', (reason, part) => {
    expect(lastingPart(reason)).toBe(part);
    if (part !== undefined) expect(reason).toContain(part);
  });
});

describe('the failures of a run as a list', () => {
  const failed = (id: string, reason: string) => ({ id, verdict: 'fail' as const, reason });

  test('hold each failure and what waits for it, and nothing else', () => {
    const found = [
      failed('a/b', 'answered 201, not 200'),
      { id: 'a/c', verdict: 'warn' as const, reason: 'x' },
      { id: 'a/d', verdict: 'error' as const, reason: 'it went away' },
      { id: 'a/e', verdict: 'error' as const, reason: 'no tag could be made', waitsFor: 'a/b' },
    ];
    expect(knownFailuresIn(found)).toEqual([
      { id: 'a/b', finding: 'answered 201, not 200' },
      { id: 'a/e', finding: 'no tag could be made' },
    ]);
  });

  test('keep the entries of an earlier list whose finding is still the same', () => {
    const before = {
      file: 'known.json',
      failures: [
        { id: 'a/b', reason: 'The gateway.', until: '2030-01-31' },
        { id: 'a/c', finding: 'answered 500', reason: 'Old.' },
        { id: 'a/d' },
      ],
    };
    const found = [failed('a/b', 'answered 201, not 200'), failed('a/c', 'answered 201, not 200')];
    expect(knownFailuresIn(found, before)).toEqual([
      before.failures[0],
      { id: 'a/c', finding: 'answered 201, not 200' },
    ]);
  });
});
