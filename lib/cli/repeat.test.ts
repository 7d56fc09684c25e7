import { describe, expect } from 'vitest';
import { answering } from '../../fixtures/fixture.ts';
import { test } from './user.test.double.ts';

const gone = answering({ on: 'delete', status: 404 }, () => ({ status: 410 }));
const ONLY = ['--only', 'delete/again-404', 'delete/unknown-404'];

describe.concurrent('repeat', () => {
  test('tells whether the fault of a report is still there, and leaves nothing', async ({ user }) => {
    const target = await user.serve(gone);
    const first = await user.run(ONLY, target.environment);
    expect(first.stdout.replaceAll(/[\s\\]+/g, ' ')).toContain(
      'account-mutation-conformance repeat reports/report.json delete/again-404',
    );
    const again = await user.run(['repeat'], target.environment);
    expect(again.code).toBe(1);
    expect(again.stdout).toMatch(
      / {2}> DELETE .*\n {2}< 410 .*\nIn the report: .*\nExpected: 404 .*\nThe fault is there\.\n$/,
    );
    const repaired = await user.serve();
    const other = await user.run(
      ['repeat', 'reports/report.json', 'delete/unknown-404'],
      repaired.environment,
    );
    expect(other.stdout).toMatch(/\nThe fault is not there\.\n$/);
    expect(other.code).toBe(0);
    expect([...target.left(), ...repaired.left()]).toEqual([]);
  });

  test('prints the script without a secret', async ({ user }) => {
    const target = await user.serve(gone);
    await user.run(ONLY, target.environment);
    const { code, stdout } = await user.run(['repeat', 'reports', '--script']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^#!\/bin\/sh\n# Repeats delete\/again-404: /);
    for (const { password } of target.accounts) expect(stdout).not.toContain(password);
  });

  test('names a mistake', async ({ user }) => {
    const target = await user.serve(gone);
    expect(await user.run(['repeat'])).toMatchObject({ code: 2, stdout: '' });
    await user.run(ONLY, target.environment);
    const unknown = await user.run(['repeat', 'reports', 'delete/again-40'], target.environment);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean delete/again-404?');
    const { CONFORMANCE_PASSWORD: _password, ...without } = target.environment;
    const lacking = await user.run(['repeat'], without);
    expect(lacking).toMatchObject({ code: 2, stdout: '' });
    expect(lacking.stderr).toContain('CONFORMANCE_PASSWORD');
  });

  test('decides nothing where the login fails', async ({ user }) => {
    const target = await user.serve(gone);
    await user.run(ONLY, target.environment);
    const { code } = await user.run(['repeat'], { ...target.environment, CONFORMANCE_PASSWORD: 'another' });
    expect(code).toBe(3);
  });
});
