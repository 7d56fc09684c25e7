import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BUDGETS } from '../effort.ts';
import { plan } from './plan.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** What the plan prints with these settings in the environment. */
function printed(
  environment: Readonly<Record<string, string>>,
  options: Parameters<typeof plan>[0] = {},
): { readonly code: number; readonly stdout: string; readonly stderr: string } {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      texts[stream] += String(text);
      return true;
    });
  const code = plan({ ...options, envFile: join(folder, '.env') });
  return { code, ...texts };
}

describe('the plan', () => {
  test('names the target if there is one', () => {
    expect(
      printed({ CONFORMANCE_BASE_URL: 'https://staging.example.com/api/v2' }, { effort: 'quick' }),
    ).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^A run of the effort quick against https:\/\/staging\.example\.com checks \d+ of \d+ requirements/,
      ) as string,
      stderr: '',
    });
  });

  test.each<[string, Record<string, string>]>([
    ['a target without an account', { CONFORMANCE_BASE_URL: 'https://staging.example.com' }],
    ['half an account', { CONFORMANCE_USERNAME: 'someone' }],
    ['half a second account', { CONFORMANCE_SECOND_PASSWORD: 'secret' }],
    ['an account without a target', { CONFORMANCE_USERNAME: 'someone', CONFORMANCE_PASSWORD: 'secret' }],
    ['a CA file that is missing', { CONFORMANCE_CA_FILE: '/nowhere/ca.pem' }],
    ['headers that are none', { CONFORMANCE_HEADERS: 'X-Access: secret' }],
    ['an empty report folder', { CONFORMANCE_REPORT_DIR: '' }],
    ['an empty token', { CONFORMANCE_ACCESS_TOKEN: '' }],
  ])('does not mind %s', (_what, environment) => {
    const { code, stdout, stderr } = printed(environment);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`  ${BUDGETS.standard.requests} requests, of which\n`);
  });

  test.each<[string, Record<string, string>, string]>([
    ['an address', { CONFORMANCE_BASE_URL: 'staging' }, 'CONFORMANCE_BASE_URL is expected to be an address'],
    [
      'a number',
      { CONFORMANCE_CONCURRENCY: '0' },
      'CONFORMANCE_CONCURRENCY is expected to be a whole number',
    ],
  ])('goes without %s that it cannot show, and says so', (_what, environment, message) => {
    const { code, stdout, stderr } = printed(environment);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^A run of the effort standard checks [\s\S]* up to 8 \(32 while answers do not become slower\) requests at a time/,
    );
    expect(stderr).toContain(message);
  });

  test('ignores a .env file that cannot be read, and says so', () => {
    symlinkSync('.env', join(folder, '.env'));
    const { code, stderr } = printed({ CONFORMANCE_EFFORT: 'thorough' });
    expect(code).toBe(0);
    expect(stderr).toMatch(/The file .*\.env cannot be read \(ELOOP\)/);
  });

  test('takes the effort from a .env file', () => {
    writeFileSync(join(folder, '.env'), 'CONFORMANCE_EFFORT=thorough\nCONFORMANCE_USERNAME=someone\n');
    expect(printed({}).stdout).toContain(`  ${BUDGETS.thorough.requests} requests, of which\n`);
  });

  test.each<[string, () => unknown, RegExp]>([
    ['an effort', () => printed({}, { effort: 'some' }), /^--effort is expected to be one of quick/],
    ['a selection', () => printed({}, { only: ['creat/answers'] }), /matches no requirement/],
  ])('fails by %s that is none', (_what, planned, message) => {
    expect(planned).toThrow(message);
  });
});
