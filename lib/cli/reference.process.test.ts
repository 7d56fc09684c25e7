import { describe, expect } from 'vitest';
import { CHECKOUT, reportsIn, test } from './user.test.double.ts';

describe.concurrent('without a target', () => {
  // `.ci/run` certifies the whole reference in this way.
  test('a checkout certifies the reference, and its first line says so', async ({ user }) => {
    const { code, stdout, stderr } = await user.spawn(['--only', 'list'], {}, CHECKOUT).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^No target is given \(CONFORMANCE_BASE_URL\), so the embedded reference/);
    expect(user.report()).toMatchObject({ verdict: 'conforming', residue: [] });
    expect(user.files).toEqual(reportsIn('reports'));
  });

  test('the installed command never certifies it', async ({ user }) => {
    const { code, stdout, stderr } = await user.spawn([]).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^There is no target: /);
    expect(user.files).toEqual([]);
  });

  test.for([
    [
      'the base URL is set but empty',
      { CONFORMANCE_BASE_URL: '' },
      /^CONFORMANCE_BASE_URL is set but empty; give the address/,
    ],
    [
      'an account is given',
      { CONFORMANCE_USERNAME: 'someone', CONFORMANCE_PASSWORD: 'secret' },
      /^An account is given without a target; give CONFORMANCE_BASE_URL/,
    ],
  ] as const)(
    'a checkout takes that for a mistake where %s',
    async ([_what, environment, message], { user }) => {
      const { code, stdout, stderr } = await user.runCheckout([], environment);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(user.files).toEqual([]);
    },
  );
});
