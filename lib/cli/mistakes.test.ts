import { describe, expect } from 'vitest';
import { reportsIn, test, type Environment } from './user.test.double.ts';

const PASSWORD = 'Kern4711geheim';

const TARGET = {
  CONFORMANCE_BASE_URL: 'https://target.invalid',
  CONFORMANCE_USERNAME: 'someone',
  CONFORMANCE_PASSWORD: PASSWORD,
};

const { CONFORMANCE_PASSWORD: _password, ...WITHOUT_PASSWORD } = TARGET;

/** Each mistake, the arguments and settings that make it, and the message. */
const MISTAKES: readonly (readonly [
  what: string,
  args: readonly string[],
  environment: Environment,
  message: RegExp,
])[] = [
  [
    'a base URL that holds a password',
    [],
    { ...TARGET, CONFORMANCE_BASE_URL: `https://someone:${PASSWORD}@target.invalid` },
    /^CONFORMANCE_BASE_URL holds credentials; give them as CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD/,
  ],
  [
    'plain http to another machine',
    ['--base-url', 'http://target.invalid'],
    TARGET,
    /^CONFORMANCE_BASE_URL is plain http \(http:\/\/target\.invalid\).*--allow-http/,
  ],
  [
    'half an account',
    [],
    WITHOUT_PASSWORD,
    /^CONFORMANCE_USERNAME is given without CONFORMANCE_PASSWORD; give both/,
  ],
  [
    'half a second account',
    ['--second-username', 'another'],
    TARGET,
    /^CONFORMANCE_SECOND_USERNAME is given without CONFORMANCE_SECOND_PASSWORD; give both/,
  ],
  [
    'a target without an account',
    [],
    { CONFORMANCE_BASE_URL: TARGET.CONFORMANCE_BASE_URL },
    /^CONFORMANCE_BASE_URL is given without an account; give CONFORMANCE_USERNAME and/,
  ],
  [
    'a number out of its bounds',
    ['--concurrency', '0'],
    TARGET,
    /^--concurrency .* from 1 to 64; given was "0"/,
  ],
  [
    'a target beside --reference',
    ['--reference'],
    TARGET,
    /^--reference and CONFORMANCE_BASE_URL exclude each other/,
  ],
  [
    'an option of another command',
    ['evidence', 'create/answers', '--report-dir', 'elsewhere'],
    {},
    /^error: unknown option '--report-dir' for this command\n\(--help lists/,
  ],
  [
    'a selector that selects nothing',
    ['--only', 'creat/answers'],
    TARGET,
    /^--only "creat\/answers" matches no requirement; .*Did you mean create\/answers\?$/m,
  ],
  [
    'a path that is none',
    ['--only', 'name/long', '--path', 'x'],
    TARGET,
    /^--path is expected to be numbers separated by colons, .*; given was "x"\.$/m,
  ],
  [
    'a path to several requirements',
    ['--only', 'name', '--path', '3'],
    TARGET,
    /^--path needs exactly one requirement, but \d+ are selected; give its id with --only\.$/m,
  ],
  [
    'a path to a requirement without cases',
    ['--only', 'create/answers', '--path', '3'],
    TARGET,
    /^--path needs a requirement with generated cases, but create\/answers has none; /m,
  ],
  ['an option that is none', ['--onyl', 'create'], TARGET, /^error: unknown option '--onyl'\n.*--only\?/],
  ['a password as an option', [`--password=${PASSWORD}`], TARGET, /^error: unknown option '--password/],
  ['a command that is none', ['certfiy'], TARGET, /certfiy/],
  [
    'options before the command',
    ['--report-dir', 'elsewhere', 'doctor'],
    TARGET,
    /^The name of a command comes first, before its options: account-mutation-conformance doctor \.\.\.\n$/,
  ],
  [
    'an argument that is none of its values',
    ['completion', 'powershell'],
    {},
    /^error: <shell> is expected to be one of bash, zsh, fish; given was 'powershell'\.\n/,
  ],
  ['an argument that is missing', ['explain'], {}, /^error: <id> is missing\n/],
  ['a port that is none', ['serve', '--port', '65536'], {}, /^--port .*"65536"/],
];

describe.concurrent('a mistake ends with 2, is told without a stack trace, and does nothing', () => {
  for (const [what, args, environment, message] of MISTAKES) {
    test(`where it is ${what}`, async ({ user }) => {
      const { code, stdout, stderr } = await user.run(args, environment);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
      expect(stderr).not.toMatch(/^ +at /m);
      expect(stderr).not.toContain(PASSWORD);
      expect(user.files).toEqual([]);
    });
  }

  test('where it is a certificate that is none', async ({ user }) => {
    user.write('ca.pem', '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n');
    const { code, stderr } = await user.run(['--ca-file', 'ca.pem'], TARGET);
    expect(stderr).toMatch(/^--ca-file .*"ca\.pem"/);
    expect(code).toBe(2);
  });

  test('where it is a file in place of the report folder', async ({ user }) => {
    user.write('reports', '');
    const { code, stdout, stderr } = await user.run([], TARGET);
    expect(stderr).not.toContain('A fault of the suite');
    expect(stderr).toContain('reports');
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });

  test('where it is a file in place of the folder that serve writes to', async ({ user }) => {
    user.write('reports', '');
    const { code, stdout, stderr } = await user.run(['serve']);
    const printed = stdout + stderr;
    expect(printed).not.toContain('A fault of the suite');
    expect(printed).toContain('reports');
    expect(code).toBe(2);
  });
});

describe.concurrent('where the settings come from', () => {
  test('a .env file gives what the environment does not', async ({ user }) => {
    const target = await user.serve();
    const lines = Object.entries(target.environment).map(([name, value]) => `${name}='${value}'`);
    user.write('.env', `CONFORMANCE_SEED=file\nCONFORMANCE_REPORT_DIR=file\n${lines.join('\n')}\n`);
    const { code } = await user.run(['--only', 'list/answers', '--report-dir', 'flag'], {
      CONFORMANCE_SEED: 'environment',
      CONFORMANCE_REPORT_DIR: 'environment',
    });
    expect(code).toBe(0);
    expect(user.report('flag')).toMatchObject({ seed: 'environment', target: target.url });
    expect(user.files).toEqual(['.env', ...reportsIn('flag')]);
  });

  test('a folder named .env is no fault of the suite', async ({ user }) => {
    user.write('.env/bin/activate', '');
    const { code, stderr } = await user.run([]);
    expect(stderr).not.toContain('A fault of the suite');
    expect(code).toBe(2);
  });

  test('a misspelt name of a setting is reported first', async ({ user }) => {
    const { code, stderr } = await user.run([], { CONFORMANCE_BASEURL: 'https://target.invalid' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^CONFORMANCE_BASEURL is set, but is not a setting of this suite\. Did you mean CONFORMANCE_BASE_URL\?\nThere is no target/,
    );
  });
});

describe.concurrent('--help', () => {
  test('tells where the password comes from, and ends with 0', async ({ user }) => {
    const { code, stdout } = await user.run(['certify', '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('CONFORMANCE_PASSWORD');
  });
});
