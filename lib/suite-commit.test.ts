import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commitOf } from './suite-commit.ts';

const folder = mkdtempSync(join(tmpdir(), 'commit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const git = (cwd: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    cwd,
    encoding: 'utf8',
  }).trim();

test('The commit of a checkout is known, and whether files differ from it', () => {
  const checkout = join(folder, 'checkout');
  mkdirSync(checkout);
  git(checkout, 'init', '--quiet');
  writeFileSync(join(checkout, 'file'), 'first');
  git(checkout, 'add', '.');
  git(checkout, 'commit', '--quiet', '--message', 'A file is there');
  const commit = git(checkout, 'rev-parse', 'HEAD');
  expect(commitOf(checkout)).toEqual({ commit, changed: false });
  writeFileSync(join(checkout, 'file'), 'second');
  expect(commitOf(checkout)).toEqual({ commit, changed: true });
});

test('The commit of a package is the one that it names', () => {
  const installed = join(folder, 'installed');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  expect(commitOf(installed)).toBeUndefined();
  writeFileSync(join(installed, 'dist', 'commit.txt'), `${'a1'.repeat(20)}\n`);
  expect(commitOf(installed)).toEqual({ commit: 'a1'.repeat(20), changed: false });
  writeFileSync(join(installed, 'dist', 'commit.txt'), 'fatal: not a git repository\n');
  expect(commitOf(installed)).toBeUndefined();
});
