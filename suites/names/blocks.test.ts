import { expect, test } from 'vitest';
import { blockOf, tellCodePoint } from './blocks.ts';
import { ENDS } from './distinct.ts';
import { NAUGHTY } from './naughty.ts';
import { TIERS } from './tiers.ts';

test('a character is told by its number and its block', () => {
  expect(tellCodePoint('\u0301')).toBe('U+0301 (Combining Diacritical Marks)');
  expect(tellCodePoint('😀')).toBe('U+1F600 (Emoticons)');
  expect(tellCodePoint('\u{10ffff}')).toBe('U+10FFFF');
});

test('every character of the tables has a block', () => {
  const texts = [...TIERS.flatMap(({ pieces }) => pieces), ...NAUGHTY, ...ENDS];
  const unknown = new Set([...texts.join('')].filter((char) => blockOf(char) === undefined));
  expect([...unknown].map(tellCodePoint)).toEqual([]);
});
