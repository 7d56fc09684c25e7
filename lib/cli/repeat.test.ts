import { describe, expect } from 'vitest';
import { answering } from '../../fixtures/fixture.ts';
import { broken } from '../outcome.ts';
import { reportOf, resultOf } from '../reports/report.test.double.ts';
import { test } from './user.test.double.ts';

const gone = answering({ on: 'delete', status: 404 }, () => ({ status: 410 }));
const ONLY = ['--only', 'delete/again-404', 'delete/unknown-404'];

describe.concurrent('repeat', () => {
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
    const conforming = await user.serve();
    await user.run(['--only', 'create/answers', '--report-dir', 'good'], conforming.environment);
    expect((await user.run(['repeat', 'good'])).stderr).toBe(
      'There is nothing to repeat: the run in good was conforming, and nothing failed.\n',
    );
    const warned = await user.serve(
      answering({ on: 'login', status: 200 }, () => ({ headers: { 'Cache-Control': 'public' } })),
    );
    await user.run(['--only', 'login/not-cacheable', '--report-dir', 'warned'], warned.environment);
    expect((await user.run(['repeat', 'warned'])).stderr).toMatch(
      / was conforming, and nothing failed\. Its warnings are repeated by id: login\/not-cacheable\.\n$/,
    );
    expect((await user.run(['repeat', 'warned', 'login/not-cacheable'], warned.environment)).stdout).toMatch(
      /\nThe reason for the warning is there\.\n$/,
    );
    await user.run(ONLY, target.environment);
    const unknown = await user.run(['repeat', 'reports', 'delete/again-40'], target.environment);
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean delete/again-404?');
    const foreign = await user.run(['repeat', 'reports', 'list/answers'], target.environment);
    expect(foreign.stderr).toMatch(/^"list\/answers" is no finding of reports\. Its findings are: delete\//);
    const { CONFORMANCE_PASSWORD: _password, ...without } = target.environment;
    const lacking = await user.run(['repeat'], without);
    expect(lacking).toMatchObject({ code: 2, stdout: '' });
    expect(lacking.stderr).toContain('CONFORMANCE_PASSWORD');
  });

  test('names the command that checks again if there is no script', async ({ user }) => {
    const file = user.write(
      'report.json',
      JSON.stringify(reportOf([resultOf('overlap/creates', 'derived', broken('a create was lost'))])),
    );
    const { code, stderr } = await user.run(['repeat', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^No script repeats overlap\/creates: .*\. Check the requirement again: .* --only overlap\/creates\n$/,
    );
  });

  test('decides nothing if the login fails', async ({ user }) => {
    const target = await user.serve(gone);
    await user.run(ONLY, target.environment);
    const { code } = await user.run(['repeat'], { ...target.environment, CONFORMANCE_PASSWORD: 'another' });
    expect(code).toBe(3);
  });
});
