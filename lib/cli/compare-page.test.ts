import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test } from './user.test.double.ts';

describe('compare --html', () => {
  test('writes one page beside what it prints', async ({ user }) => {
    user.write('one.json', '{"answers":{"order":"oldest"},"unanswered":{}}');
    user.write('two.json', '{"answers":{"order":"newest"},"unanswered":{}}');
    const { code, stdout } = await user.run(['compare', 'one.json', 'two.json', '--html', 'pages/two.html']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/order: newest, was oldest[^]*\nThe page of this comparison: pages\/two\.html\n/);
    expect(user.read('pages/two.html')).toMatch(/^<!DOCTYPE html>\n[^]*1 of 1 requirements and observations/);
  });

  test('ends with 2 and one sentence if the page cannot be written', async ({ user }) => {
    user.write('one.json', '{"answers":{},"unanswered":{}}');
    mkdirSync(join(user.folder, 'page'));
    const { code, stderr } = await user.run(['compare', 'one.json', 'one.json', '--html', 'page']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^--html cannot write page \(EISDIR.*\); give another name\.\n$/);
  });
});
