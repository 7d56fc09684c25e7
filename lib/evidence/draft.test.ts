import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DigestedFile } from './digested-file.ts';
import { Draft } from './draft.ts';

const folder = mkdtempSync(join(tmpdir(), 'draft-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a draft', () => {
  test('returns each line, long or short, written or still buffered', () => {
    const draft = new Draft(join(folder, 'draft'));
    const lines = ['first', 'é'.repeat(70_000), '', 'last 😀'];
    for (const line of lines) draft.add(line);
    expect(lines.map((_, nth) => draft.line(nth))).toEqual(lines);
    expect(draft.length).toBe(4);
    draft.discard();
  });

  test('leaves no file behind, even if nobody discards it', () => {
    // Windows keeps the name of an open file.
    if (process.platform === 'win32') return;
    const draft = new Draft(join(folder, 'draft'));
    draft.add('a line');
    expect(readdirSync(folder)).toEqual([]);
    draft.discard();
  });
});

describe('a digested file', () => {
  test('has its name once it is whole, with its length and its digest', () => {
    const path = join(folder, 'whole');
    const file = new DigestedFile(path);
    for (let time = 0; time < 3_000; time++) file.write('é is a letter, and this is a line\n');
    expect(readdirSync(folder)).not.toContain('whole');
    const { bytes, sha256 } = file.finish();
    const written = readFileSync(path);
    expect(written.length).toBe(bytes);
    expect(createHash('sha256').update(written).digest('hex')).toBe(sha256);
  });

  test('leaves what was there before if it is discarded', () => {
    const path = join(folder, 'whole');
    const before = readFileSync(path);
    const file = new DigestedFile(path);
    file.write('half of it');
    file.discard();
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
