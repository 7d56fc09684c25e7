import { expect, test } from 'vitest';
import { isUnlike } from './unlike.ts';

test('a filter is unlike a name that shares no character with it, in whatever form', () => {
  for (const filter of ['x', 'null', '0', '---', '"x', '%x_', '-x', 'яжя', '>qz'])
    expect(isUnlike(filter, 'ctabd'), filter).toBe(true);
  for (const [filter, name] of [
    ['A', 'bca'],
    ['é', 'e'],
    ['ｂ', 'b'],
    ['ß', 'S'],
    ['x1', '1'],
  ] as const)
    expect(isUnlike(filter, name), filter).toBe(false);
});

test('a filter that may hold nothing to look for is unlike no name', () => {
  for (const filter of [
    '',
    ' ',
    '%',
    '_*',
    '.',
    '^$',
    '.*',
    'x*',
    'x,',
    '|x',
    'x  z',
    '\0',
    'x\0',
    '漢',
    '😀',
    '\u200d',
  ])
    expect(isUnlike(filter, 'ctabd'), JSON.stringify(filter)).toBe(false);
});
