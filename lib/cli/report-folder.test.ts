import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holding, nth } from './held.test.double.ts';
import { test } from './user.test.double.ts';

/** What stands at the path `reports`, the report folder that is given, and what the message says of it. */
const FOLDERS: readonly (readonly [
  what: string,
  make: (path: string) => void,
  given: string,
  says: string,
])[] = [
  ['a named pipe', (path) => void execFileSync('mkfifo', [path]), 'reports', 'EEXIST: a file, a pipe or'],
  ['a file', (path) => writeFileSync(path, ''), 'reports', 'EEXIST: a file, a pipe or'],
  ['a folder below a file', (path) => writeFileSync(path, ''), 'reports/a/b', 'E'],
  ['a dangling link', (path) => symlinkSync('nowhere', path), 'reports', 'EEXIST: a file, a pipe or'],
  [
    'a folder with a folder in place of a report',
    (path) => void mkdirSync(join(path, 'junit.xml'), { recursive: true }),
    'reports',
    'junit.xml in it is a folder',
  ],
  ...(process.platform === 'linux'
    ? ([['a folder that the system does not make', () => undefined, '/proc/none', 'ENOENT: ']] as const)
    : []),
];

describe.concurrent(
  'a report folder that cannot be written to ends with 2 in one sentence, and nothing is sent',
  () => {
    for (const [what, make, given, says] of FOLDERS)
      test(`where it is ${what}`, async ({ user }) => {
        let connections = 0;
        const port = await user.listen(createServer(() => void connections++));
        make(join(user.folder, 'reports'));
        const started = performance.now();
        const { code, stdout, stderr } = await user.run(['--report-dir', given, '--wait-ready', '1m'], {
          CONFORMANCE_BASE_URL: `http://127.0.0.1:${port}`,
          CONFORMANCE_USERNAME: 'someone',
          CONFORMANCE_PASSWORD: 'secret-of-someone',
        });
        expect({ code, stdout, connections }).toEqual({ code: 2, stdout: '', connections: 0 });
        expect(stderr).toMatch(
          /^CONFORMANCE_REPORT_DIR is expected to be a folder that can be written to \([^\n]+\n$/,
        );
        expect(stderr).toContain(`(${says}`);
        expect(performance.now() - started).toBeLessThan(30_000);
      });

    test('where the declaration is to be written below a file', async ({ user }) => {
      user.write('file', '');
      const { code, stdout, stderr } = await user.run([
        '--reference',
        '--write-declaration',
        'file/declaration.json',
      ]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^--write-declaration cannot write file\/declaration\.json \(E/);
    });
  },
);

describe.concurrent('a mistake in the settings', () => {
  test('is told before a report folder is made', async ({ user }) => {
    expect((await user.run([])).code).toBe(2);
    expect(existsSync(join(user.folder, 'reports'))).toBe(false);
  });
});

describe.concurrent('a report folder that goes away in mid-run', () => {
  test('is made again', async ({ user }) => {
    const held = holding(nth(2, 'create'));
    const target = await user.serve(held.change);
    const running = user.start(['--only', 'create/answers'], target.environment);
    await running.until(held.reached);
    rmSync(join(user.folder, 'reports'), { recursive: true });
    held.release();
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(user.report()).toMatchObject({ verdict: 'conforming', residue: [] });
    expect(target.left()).toEqual([]);
  });

  test('and cannot be made again: the run removes its tags, and ends with the verdict and one sentence', async ({
    user,
  }) => {
    const held = holding(nth(2, 'create'));
    const target = await user.serve(held.change);
    const running = user.start(['--only', 'create/answers'], target.environment);
    await running.until(held.reached);
    rmSync(join(user.folder, 'reports'), { recursive: true });
    writeFileSync(join(user.folder, 'reports'), '');
    held.release();
    const { code, stdout, stderr } = await running.ended;
    expect(stderr).toMatch(/^The reports of this run cannot be written \(EEXIST: [^\n]+\)\.\n$/);
    expect(stdout).toMatch(/^conforming, /);
    expect(code).toBe(2);
    expect(target.left()).toEqual([]);
  });
});
