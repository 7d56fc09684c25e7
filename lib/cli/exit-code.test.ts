import { createServer } from 'node:net';
import { describe, expect } from 'vitest';
import { answering, changes } from '../../fixtures/fixture.ts';
import type { Report } from '../reports/report.ts';
import { holding, nth, wrongLogin } from './held.test.double.ts';
import { reportsIn, test } from './user.test.double.ts';

/** Ids by verdict. */
function having(verdict: Report['requirements'][number]['verdict'], { requirements }: Report): string[] {
  return requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);
}

/** A run waits for a few settle times for a target that is gone: it may be restarting. */
const NOT_WAITING = ['--settle-ms', '100'];

const shouting = answering({ on: 'create', status: 200 }, ({ tagging }: { tagging: { name: string } }) => ({
  body: { tagging: { ...tagging, name: `${tagging.name}!` } },
}));

describe.concurrent('a conforming target', () => {
  test('ends with 0 over https, and is left as it was', async ({ user }) => {
    const target = await user.serve(undefined, { tls: true });
    const { code, stdout, stderr } = await user.run(['--effort', 'quick'], target.environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^conforming, partial: ${target.url}\n`));
    expect(user.report()).toMatchObject({ verdict: 'conforming', exitCode: 0, residue: [] });
    expect(target.left()).toEqual([]);
    expect(user.files).toEqual(['ca.pem', ...reportsIn('reports')]);
  });

  test('ends with 3 if something was skipped and --require-whole is given', async ({ user }) => {
    const target = await user.serve();
    const { code, stdout } = await user.run(
      ['certify', '--require-whole', '--effort', 'quick'],
      target.environment,
    );
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^conforming, partial: http.*\n\n(.*\n)*Not tested: \d+ required or derived requirements?\n/,
    );
    expect(user.report()).toMatchObject({ verdict: 'conforming', partial: true, exitCode: 3 });
    expect(having('skipped', user.report())).toContain('transport/https');
  });

  test('is tested over plain http on another machine only if that is allowed', async ({ user }) => {
    const target = await user.serve();
    // An address of this machine that does not look like one.
    const elsewhere = target.url.replace('127.0.0.1', '0.0.0.0');
    const { code, stdout } = await user.run(
      ['--allow-http', '--base-url', elsewhere, '--only', 'transport/https', 'list'],
      target.environment,
    );
    expect(code).toBe(0);
    expect(stdout).toContain(`conforming, partial: ${elsewhere}\n`);
    expect(having('skipped', user.report())).toContain('transport/https');
  });
});

describe.concurrent('a target that does not conform', () => {
  test('ends with 1, and both sides, the exchange and a command to see it again are printed', async ({
    user,
  }) => {
    const target = await user.serve(shouting);
    const { code, stdout, stderr } = await user.run(
      ['--only', 'create/echoes-name', 'list'],
      target.environment,
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(having('fail', user.report())).toEqual(['create/echoes-name']);
    expect(stdout).toMatch(/^FAIL create\/echoes-name \(4\.2 create, required\)\n/m);
    expect(stdout).toMatch(/The answer holds the name "(\w+)!", not "\1"/);
    expect(stdout).toMatch(/\*> POST .*\/api\/v2\/tagging .*\n +\*< 200 \{/);
    expect(stdout).toMatch(/^non-conforming, partial/m);
    expect(user.read('reports/junit.xml').match(/<failure /g)).toHaveLength(1);
    expect(target.left()).toEqual([]);
  });

  test('ends with 1 if its certificate does not verify', async ({ user }) => {
    const target = await user.serve(undefined, { tls: true });
    const { CONFORMANCE_CA_FILE: _trusted, ...environment } = target.environment;
    const { code, stdout } = await user.run(['--only', 'transport/', 'login/'], environment);
    expect(code).toBe(1);
    expect(having('fail', user.report())).toEqual(['transport/certificate']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('the certificate does not verify');
  });
});

describe.concurrent('a target that cannot be judged', () => {
  test('ends with 3 at once if nothing listens', async ({ user }) => {
    const target = await user.serve();
    await target.close();
    const { code, stdout, stderr } = await user.run(NOT_WAITING, target.environment);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toMatch(/^inconclusive/);
    const { verdict, ended, residue, obstacle, traffic } = user.report();
    expect({ verdict, ended }).toEqual({ verdict: 'inconclusive', ended: 'cut short' });
    expect(obstacle).toMatchObject({
      step: 'reach the target',
      why: expect.stringContaining('ECONNREFUSED') as string,
    });
    // One request and its retries, not every request of the run.
    expect(traffic.requests).toBeLessThan(10);
    expect(residue.length).toBe(0);
    // The cause is printed once, not for each requirement.
    expect(stdout.match(/ECONNREFUSED/g)?.length).toBeLessThan(4);
    expect(user.files).toEqual(reportsIn('reports'));
  });

  test('ends with 3 if it accepts connections and never answers', async ({ user }) => {
    const port = await user.listen(createServer());
    const { code, stdout } = await user.run(['--timeout-ms', '100'], {
      CONFORMANCE_BASE_URL: `http://127.0.0.1:${port}`,
      CONFORMANCE_USERNAME: 'someone',
      CONFORMANCE_PASSWORD: 'secret-of-someone',
    });
    expect(code).toBe(3);
    expect(stdout).toContain('no complete answer came within 100 ms');
    // One request and its retries, not every request of the run.
    expect(user.report().traffic.requests).toBeLessThan(10);
  });
});

describe.concurrent('a target that dies in mid-run', () => {
  test('ends with 3, and the tags that are left are reported and stay in the ledger', async ({ user }) => {
    const held = holding(nth(5, 'create'));
    const target = await user.serve(held.change);
    const running = user.start(NOT_WAITING, target.environment);
    await running.until(held.reached);
    await target.close();
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toContain('the target stopped answering');
    const { verdict, ended, residue } = user.report();
    expect({ verdict, ended }).toEqual({ verdict: 'inconclusive', ended: 'cut short' });
    expect(having('fail', user.report())).toEqual([]);
    expect(target.left().length).toBeGreaterThan(0);
    for (const tag of target.left()) {
      // The residue gives a renamed tag one of its names.
      const told = residue.find(({ name, tag_id }) => tag_id === tag.tag_id || name === tag.name);
      expect(told, `the tag ${tag.name} is told`).toBeDefined();
      expect(stdout).toContain(`"${told?.name}"`);
      expect(user.ledger.map(({ name }) => name)).toContain(tag.name);
    }
  });

  test('ends with 3 even if only the last checks are left', async ({ user }) => {
    const held = holding(wrongLogin);
    const target = await user.serve(held.change);
    const running = user.start([...NOT_WAITING, '--only', 'create', 'login'], target.environment);
    await running.until(held.reached);
    await target.close();
    expect((await running.ended).code).toBe(3);
    expect(having('fail', user.report())).toEqual([]);
    expect(having('error', user.report())).toContain('login/wrong-password');
  });

  test('ends with 1 if something was found before', async ({ user }) => {
    const held = holding(wrongLogin);
    const target = await user.serve(changes(shouting, held.change));
    const running = user.start(
      [...NOT_WAITING, '--verbose', '--only', 'create/echoes-name', 'login'],
      target.environment,
    );
    await running.until(held.reached);
    await running.printed('FAIL  create/echoes-name');
    await target.close();
    expect((await running.ended).code).toBe(1);
    const { verdict, ended } = user.report();
    expect({ verdict, ended }).toEqual({ verdict: 'non-conforming', ended: 'cut short' });
    expect(having('fail', user.report())).toEqual(['create/echoes-name']);
  });
});
