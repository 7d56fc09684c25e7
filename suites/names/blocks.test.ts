import { expect, test } from 'vitest';
import { blockOf, describeCodePoint } from './blocks.ts';
import { ENDS } from './distinct.ts';
import { MORE_TEXTS, NAUGHTY } from './texts.ts';
import { TIERS } from './tiers.ts';

test('a character is described by its code point and its block', () => {
  expect(describeCodePoint('\u0301')).toBe('U+0301 (Combining Diacritical Marks)');
  expect(describeCodePoint('😀')).toBe('U+1F600 (Emoticons)');
  expect(describeCodePoint('\u{10ffff}')).toBe('U+10FFFF');
});

test('every character that the suite sends has a block', () => {
  const texts = [
    ...TIERS.flatMap(({ pieces }) => pieces),
    ...Object.values(MORE_TEXTS).flat(),
    ...NAUGHTY,
    ...ENDS,
  ];
  const unknown = new Set([...texts.join('')].filter((char) => blockOf(char) === undefined));
  expect([...unknown].map(describeCodePoint)).toEqual([]);
});
