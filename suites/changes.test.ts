import { expect, test } from 'vitest';
import { catalogueDigest } from '../lib/catalogue-digest.ts';
import { catalogueOf, readRecord, recordFor, recordText } from '../lib/catalogue/record.ts';
import { SUITE } from '../lib/suite.ts';
import { catalogue } from './index.ts';

// People plan upgrades with this record, and certificates are verified against it. `vitest --update` writes the entry
// of this version.
test('the record of changes leads to the catalogue of this version', async () => {
  await expect(recordText(recordFor(readRecord(), catalogue, SUITE.version))).toMatchFileSnapshot(
    'changes.json',
  );
});

test('each version of the record has the digest of its catalogue', () => {
  const record = readRecord();
  for (const { version, catalogue: digest } of record.versions)
    expect(catalogueDigest(catalogueOf(record, version) ?? []), version).toBe(digest);
});

test('what checks ask otherwise is said of requirements of that version, in sentences', () => {
  const record = readRecord();
  for (const { version, checks = {} } of record.versions) {
    const ids = catalogueOf(record, version)?.map(({ id }) => id) ?? [];
    for (const [id, sentence] of Object.entries(checks)) {
      expect(ids, version).toContain(id);
      expect(sentence, id).toMatch(/^[A-Z].*\.$/);
    }
  }
});
