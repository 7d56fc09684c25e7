import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileProblem, proveWritable } from './folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const problemOf = (path: string): string | undefined => {
  try {
    proveWritable(path);
    return 'none';
  } catch (error) {
    return fileProblem(error);
  }
};

describe('a folder that is to be written to', () => {
  test('is made with those above it, and nothing is left in it', () => {
    expect(problemOf(join(folder, 'a', 'b'))).toBe('none');
    expect(problemOf(join(folder, 'a', 'b'))).toBe('none');
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual([]);
  });

  test('may be a link to a folder', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'link'));
    expect(problemOf(join(folder, 'link', 'a'))).toBe('none');
    expect(statSync(join(folder, 'real', 'a')).isDirectory()).toBe(true);
  });

  test.each<[string, (path: string) => void, string, RegExp]>([
    ['a file', (path) => writeFileSync(path, ''), 'x', /^EEXIST: /],
    ['below a file', (path) => writeFileSync(path, ''), 'x/a/b', /^ENOTDIR: |^EEXIST: /],
    ['a dangling link', (path) => symlinkSync('nowhere', path), 'x', /^EEXIST: /],
    ['below a dangling link', (path) => symlinkSync('nowhere', path), 'x/a/b', /^EEXIST: /],
    ['a link to itself', (path) => symlinkSync('x', path), 'x/a', /^ELOOP: /],
  ])('is a problem where it is %s', (_what, make, name, problem) => {
    make(join(folder, 'x'));
    expect(problemOf(join(folder, name))).toMatch(problem);
  });

  test.runIf(process.platform === 'linux')(
    'is a problem where the system makes no folder, and not a wait for ever',
    () => {
      expect(problemOf('/proc/none/reports')).toMatch(/^ENOENT: /);
    },
  );
});

test('a missing file that is to be read is not reported as a path that cannot be made', () => {
  const problem = (): string | undefined => {
    try {
      return readFileSync(join(folder, 'none'), 'utf8');
    } catch (error) {
      return fileProblem(error);
    }
  };
  expect(problem()).toBe('ENOENT: there is no such file or folder');
});

test('an error that is not of the file system has no such text', () => {
  expect(fileProblem(new TypeError('x'))).toBeUndefined();
});
