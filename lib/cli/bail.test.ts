import { describe, expect } from 'vitest';
import { answering, changes } from '../../fixtures/fixture.ts';
import { test } from './user.test.double.ts';

const misnamed = answering({ on: 'create', status: 200 }, ({ tagging }: { tagging: { name: string } }) => ({
  body: { tagging: { ...tagging, name: `${tagging.name}!` } },
}));
const mute = answering({ on: 'rename', status: 200 }, () => ({ body: {} }));
const silent = answering({ on: 'delete', status: 200 }, () => ({ body: {} }));
const flagged = answering({ on: 'list', status: 200 }, (body: object) => ({
  body: { ...body, error: 'no' },
}));

describe('--bail', () => {
  test('ends the run at the first failure, which decides, and leaves no tag', async ({ user }) => {
    const target = await user.serve(misnamed);
    const quick = ['--effort', 'quick', '--only', 'create', 'update'];
    const whole = await user.run(quick, target.environment);
    const { requests } = user.report().traffic;
    const { code, stdout } = await user.run([...quick, '--bail'], target.environment);
    const report = user.report();
    expect({ whole: whole.code, code }).toEqual({ whole: 1, code: 1 });
    expect(report).toMatchObject({ verdict: 'non-conforming', ended: 'cut short', residue: [] });
    expect(report.traffic.requests).toBeLessThan((requests * 2) / 3);
    const count = (verdict: string): number =>
      report.requirements.filter((one) => one.verdict === verdict).length;
    expect(count('fail')).toBe(1);
    // Only requirements that depend on the failed one stay undecided.
    expect(count('error')).toBeLessThan(5);
    expect(stdout).toContain('left out by --bail, because');
    expect(target.left()).toEqual([]);
  });

  test('ends it after as many failures as it is given', async ({ user }) => {
    const target = await user.serve(changes(misnamed, mute, silent, flagged));
    const failed = async (...args: readonly string[]): Promise<number> => {
      await user.run(
        ['--effort', 'quick', '--only', 'create', 'update', 'delete', 'list', ...args],
        target.environment,
      );
      return user.report().requirements.filter(({ verdict }) => verdict === 'fail').length;
    };
    const all = await failed();
    expect(all).toBeGreaterThan(4);
    const two = await failed('--bail', '2');
    expect(two).toBeGreaterThanOrEqual(2);
    expect(two).toBeLessThan(all);
  });

  test('changes nothing if nothing fails', async ({ user }) => {
    const target = await user.serve();
    const { code } = await user.run(
      ['--bail', '--only', 'create/answers', 'list/answers'],
      target.environment,
    );
    expect(code).toBe(0);
    expect(user.report()).toMatchObject({ verdict: 'conforming', ended: 'whole' });
  });

  test('takes a whole number from 1', async ({ user }) => {
    for (const given of ['0', '1.5', 'create/']) {
      const { code, stderr } = await user.run(['--reference', '--bail', given]);
      expect(code).toBe(2);
      expect(stderr).toBe(
        `--bail is expected to be a whole number from 1, or to stand alone; given was ${JSON.stringify(given)}.\n`,
      );
    }
  });
});
