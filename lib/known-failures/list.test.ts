import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SettingsError } from '../settings-error.ts';
import { readKnownFailures } from './list.ts';

const folder = mkdtempSync(join(tmpdir(), 'known-failures-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(content: string): ReturnType<typeof readKnownFailures> {
  const file = join(folder, 'known.json');
  writeFileSync(file, content);
  return readKnownFailures(file);
}

describe('a list of known failures', () => {
  test('is read with all that an entry may say', () => {
    const entry = {
      id: 'create/answers',
      finding: '201',
      reason: 'The gateway answers.',
      link: 'https://tracker.example.com/7',
      until: '2030-01-31',
    };
    expect(read(JSON.stringify({ failures: [entry, { id: 'list/answers' }] })).failures).toEqual([
      entry,
      { id: 'list/answers' },
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['is not JSON', '{', /is not JSON: .+\.$/],
    ['is a bare array', '[]', /is expected to be \{"failures".*at the top: .+\.$/],
    ['has an entry without an id', '{"failures":[{}]}', /; at failures\[0\]\.id: .+\.$/],
    ['has an unknown member', '{"failures":[{"id":"a","untill":"x"}]}', /at failures\[0\]: .*untill.*\.$/],
    [
      'has a day that is none',
      '{"failures":[{"id":"a","until":"2030-02-30"}]}',
      /at failures\[0\]\.until: .+\.$/,
    ],
    ['has a link that runs code', '{"failures":[{"id":"a","link":"javascript:x"}]}', /failures\[0\]\.link: /],
    [
      'has one entry twice',
      '{"failures":[{"id":"a"},{"id":"a"}]}',
      /two entries for a with the same finding; remove one of them\.$/,
    ],
  ])('is refused in one sentence where it %s', (_what, content, sentence) => {
    expect(() => read(content)).toThrow(SettingsError);
    expect(() => read(content)).toThrow(sentence);
  });

  test('that cannot be read is refused in one sentence', () => {
    expect(() => readKnownFailures(join(folder, 'none.json'))).toThrow(
      /none\.json cannot be read \(ENOENT.*\); give the path of a JSON file\.$/,
    );
    expect(() => readKnownFailures(folder)).toThrow(/cannot be read \(EISDIR.*\)/);
  });
});
