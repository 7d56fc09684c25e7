import { describe, expect } from 'vitest';
import { answering } from '../../fixtures/fixture.ts';
import { test } from './user.test.double.ts';

const gone = answering({ on: 'delete', status: 404 }, () => ({ status: 410 }));
const ONLY = ['--only', 'delete/again-404', 'delete/unknown-404'];

// Runs scripts.
describe.concurrent('repeat', () => {
  test('says whether the fault of a report is still there, and leaves nothing', async ({ user }) => {
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
    expect(other.stdout).toMatch(/\nThese requests do not show the fault\.\n$/);
    // The message names the server that is asked now, which is not the one in the report.
    expect(again.stdout).toMatch(`Sending to ${target.url}.\n`);
    expect(other.stdout).toMatch(`Sending to ${repaired.url}, but the report is of ${target.url}.\n`);
    expect(other.code).toBe(0);
    expect([...target.left(), ...repaired.left()]).toEqual([]);
  });

  test('takes an address with the version, as a run does', async ({ user }) => {
    const target = await user.serve(gone);
    const environment = { ...target.environment, CONFORMANCE_BASE_URL: `${target.url}/api/v2/` };
    await user.run(ONLY, environment);
    const { code, stdout } = await user.run(['repeat'], environment);
    expect(stdout).toMatch(`Sending to ${target.url}.\n`);
    expect(code).toBe(1);
  });
});
