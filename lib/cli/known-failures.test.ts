import { describe, expect } from 'vitest';
import { answering } from '../../fixtures/fixture.ts';
import { test } from './user.test.double.ts';

const wrong = answering({ on: 'delete', status: 404 }, () => ({ status: 410 }));
const ONLY = ['--only', 'delete/again-404', 'delete/answers'];

interface Written {
  readonly failures: readonly { readonly id: string; readonly finding?: string }[];
}

describe('a list of known failures', () => {
  test('is written by a run, and the next run passes the gate with it', async ({ user }) => {
    const target = await user.serve(wrong);
    const first = await user.run([...ONLY, '--write-known-failures', 'k/known.json'], target.environment);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('k/known.json');
    const { failures } = JSON.parse(user.read('k/known.json')) as Written;
    expect(failures).toEqual([{ id: 'delete/again-404', finding: expect.any(String) as string }]);

    const again = await user.run([...ONLY, '--known-failures', 'k/known.json'], target.environment);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^non-conforming, .*all failures are known/m);
    expect(again.stdout).not.toContain('FAIL');
    expect(user.report().knownFailures).toMatchObject({ known: ['delete/again-404'], problems: [] });
    expect(user.read('reports/junit.xml')).toContain('<skipped message="known failure');
  });

  test('fails the gate where a listed requirement passes', async ({ user }) => {
    const target = await user.serve();
    user.write('known.json', '{"failures":[{"id":"delete/again-404","reason":"Under repair."}]}');
    const { code, stdout } = await user.run([...ONLY, '--known-failures', 'known.json'], target.environment);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'delete/again-404 does not fail any more (pass); remove it from known.json',
    );
  });

  test('with a mistake ends the command before anything is sent', async ({ user }) => {
    user.write('known.json', '{"failures":[{"id":"delete/again-404","until":"soon"}]}');
    const { code, stderr, stdout } = await user.run(['--reference', '--known-failures', 'known.json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^The list of known failures known\.json .*failures\[0\]\.until: .+\.\n$/);
    expect(stdout).toBe('');
  });

  test('is not written over one that is there', async ({ user }) => {
    user.write('known.json', '{}');
    const { code, stderr } = await user.run(['--reference', '--write-known-failures', 'known.json']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^--write-known-failures does not overwrite known\.json, which exists; .+\.\n$/);
  });
});
