import { describe, expect, test } from 'vitest';
import { catalogueDigest } from '../catalogue-digest.ts';
import { changesBetween, withChanges, type Entry } from './entries.ts';
import { catalogueOf, recordFor, recordText, type CatalogueRecord } from './record.ts';

const entry = (id: string, level: Entry['level'] = 'required', text = `${id} holds.`): Entry => ({
  id,
  level,
  text,
});

const FIRST = [entry('b/two'), entry('a/one'), entry('c/three', 'advisory')];
const SECOND = [
  entry('a/one', 'derived'),
  entry('c/three', 'advisory', 'It reads otherwise.'),
  entry('d/four'),
];

describe('the changes between two catalogues', () => {
  test('are what is new, what has another level or text, and what is gone', () => {
    expect(changesBetween(FIRST, SECOND).map(({ id, change }) => `${id} ${change}`)).toEqual([
      'a/one changed',
      'b/two removed',
      'c/three changed',
      'd/four new',
    ]);
    expect(changesBetween(FIRST, FIRST)).toEqual([]);
  });

  test('lead from one to the other', () => {
    const after = withChanges(FIRST, changesBetween(FIRST, SECOND));
    expect(after.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(SECOND);
  });
});

describe('a record', () => {
  const empty: CatalogueRecord = { versions: [] };
  const first = recordFor(empty, FIRST, '1.0.0');

  test('gives the catalogue of each version', () => {
    const second = recordFor(first, SECOND, '1.1.0');
    expect(second.versions.map(({ version }) => version)).toEqual(['1.0.0', '1.1.0']);
    for (const { version, catalogue } of second.versions)
      expect(catalogueDigest(catalogueOf(second, version) ?? [])).toBe(catalogue);
    expect(catalogueOf(second, '2.0.0')).toBeUndefined();
  });

  test('changes only its last version, and keeps what was written about its checks', () => {
    const second = recordFor(first, SECOND, '1.1.0');
    const noted: CatalogueRecord = {
      versions: second.versions.map((one) =>
        one.version === '1.1.0' ? { ...one, checks: { 'a/one': 'Asks twice.' } } : one,
      ),
    };
    const again = recordFor(noted, [...SECOND, entry('e/five')], '1.1.0');
    expect(again.versions[0]).toEqual(first.versions[0]);
    expect(again.versions[1]?.changes.at(-1)).toMatchObject({ id: 'e/five', change: 'new' });
    expect(again.versions[1]?.checks).toEqual({ 'a/one': 'Asks twice.' });
  });

  test('is written with a line for each change', () => {
    const text = recordText(recordFor(first, SECOND, '1.1.0'));
    expect(JSON.parse(text)).toEqual(recordFor(first, SECOND, '1.1.0'));
    expect(text.split('\n').filter((line) => line.includes('"change":'))).toHaveLength(3 + 4);
  });
});
