import { expect, test } from 'vitest';
import { createHash } from 'node:crypto';
import { catalogueDigest } from './catalogue-digest.ts';

const ONE = { id: 'a/one', level: 'required', text: 'It is so.' } as const;
const OTHER = { id: 'b/other', level: 'derived', text: 'It follows.' } as const;

test('The digest of a catalogue is that of its ids, levels and texts, in whatever order', () => {
  const rows = '[["a/one","required","It is so."],["b/other","derived","It follows."]]';
  const digest = createHash('sha256').update(rows).digest('hex');
  expect(catalogueDigest([OTHER, ONE])).toBe(digest);
  expect(catalogueDigest([ONE, OTHER])).toBe(digest);
});

test.each([
  ['an id', { ...ONE, id: 'a/two' }],
  ['a level', { ...ONE, level: 'advisory' as const }],
  ['a text', { ...ONE, text: 'It is not so.' }],
])('It is another one where %s changes', (_, changed) =>
  expect(catalogueDigest([changed, OTHER])).not.toBe(catalogueDigest([ONE, OTHER])),
);
