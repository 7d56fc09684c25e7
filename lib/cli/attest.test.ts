import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test, type Environment, type User } from './user.test.double.ts';

const TARGET = {
  CONFORMANCE_BASE_URL: 'https://target.invalid',
  CONFORMANCE_USERNAME: 'one',
  CONFORMANCE_PASSWORD: 'Kern4711geheim',
  CONFORMANCE_SECOND_USERNAME: 'two',
  CONFORMANCE_SECOND_PASSWORD: 'Kern4711geheim',
  CONFORMANCE_ACCESS_TOKEN: 'Kern4711token',
};

const { CONFORMANCE_SECOND_USERNAME: _two, CONFORMANCE_SECOND_PASSWORD: _three, ...ONE_ACCOUNT } = TARGET;
const { CONFORMANCE_ACCESS_TOKEN: _token, ...NO_TOKEN } = TARGET;

const PRODUCT = ['--product', 'Tag Server', '--product-version', '3.1'];
const KEY = ['--key', 'key.pem'];

/** What `attest` refuses before anything is sent. */
const REFUSALS: readonly (readonly [
  what: string,
  args: readonly string[],
  environment: Environment,
  sentence: RegExp,
])[] = [
  ['no product', ['--product-version', '1', ...KEY], TARGET, /^attest is expected to be given --product:/],
  ['no version', ['--product', 'x', ...KEY], TARGET, /^attest is expected to be given --product-version:/],
  ['an empty product', ['--product', ' ', ...KEY], TARGET, /^attest is expected to be given --product:/],
  [
    'a product with a line break',
    ['--product', 'a\nb', '--product-version', '1', ...KEY],
    TARGET,
    /^--product is expected to have at most 100 characters, none of them a control character/,
  ],
  [
    'no key',
    PRODUCT,
    TARGET,
    /^attest is expected to be given --key with the file of an Ed25519 private key\.\n$/,
  ],
  [
    'a public key',
    [...PRODUCT, '--key', 'key.pub.pem'],
    TARGET,
    /key\.pub\.pem holds a public key \(openssl/,
  ],
  ['a key that is not there', [...PRODUCT, '--key', 'x.pem'], TARGET, /^The key file x\.pem cannot be read/],
  [
    'plain http',
    [...PRODUCT, ...KEY, '--base-url', 'http://127.0.0.1:9'],
    TARGET,
    /^A certificate needs https, on/,
  ],
  ['one account', [...PRODUCT, ...KEY], ONE_ACCOUNT, /^A certificate needs two accounts; give/],
  [
    'a token only',
    [...PRODUCT, ...KEY],
    { CONFORMANCE_BASE_URL: TARGET.CONFORMANCE_BASE_URL, CONFORMANCE_ACCESS_TOKEN: 'x' },
    /^A certificate needs an account that logs in; give/,
  ],
  [
    'no token from the control panel',
    [...PRODUCT, ...KEY],
    NO_TOKEN,
    /^A certificate needs a token of the account from the control panel; give CONFORMANCE_ACCESS_TOKEN/,
  ],
  ['no target', [...PRODUCT, ...KEY], {}, /^There is no target to certify: give CONFORMANCE_BASE_URL/],
  [
    'less effort',
    [...PRODUCT, ...KEY, '--effort', 'quick'],
    TARGET,
    /^attest always runs with the effort thor/,
  ],
  [
    'a day that is none',
    [...PRODUCT, ...KEY, '--days', '0'],
    TARGET,
    /^--days is expected .* from 1 to 366; given/,
  ],
  [
    'the reference beside a target',
    [...PRODUCT, ...KEY, '--reference'],
    TARGET,
    /^--reference and CONFORMANCE_BASE_URL exclude each other/m,
  ],
  [
    'known failures',
    [...PRODUCT, ...KEY, '--known-failures', 'known.json'],
    TARGET,
    /^error: unknown option '--known-failures'/,
  ],
  [
    'a part of the catalogue',
    [...PRODUCT, ...KEY, '--only', 'list/'],
    TARGET,
    /^error: unknown option '--only'/,
  ],
];

function writeKeys(user: User): void {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  user.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  user.write('key.pub.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
}

describe('attest sends nothing, and says why, with', () => {
  for (const [what, args, environment, sentence] of REFUSALS) {
    test(what, async ({ user }) => {
      writeKeys(user);
      const { code, stdout, stderr } = await user.run(['attest', ...args], environment);
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
      expect(stdout).toBe('');
      expect(stderr).not.toContain('Kern4711');
      expect(user.files).toEqual(['key.pem', 'key.pub.pem']);
    });
  }
});

test('attest --help leaves out the effort, which is always thorough', async ({ user }) => {
  const { stdout } = await user.run(['attest', '--help']);
  expect(stdout).toContain('--product-version');
  expect(stdout).not.toContain('--effort');
});

test('no certificate is left if the target cannot be certified', async ({ user }) => {
  writeKeys(user);
  user.write('reports/certificate.json', 'of an earlier run');
  // Nobody listens there.
  const environment = { ...TARGET, CONFORMANCE_BASE_URL: 'https://127.0.0.1:1' };
  const { code, stdout } = await user.run(['attest', ...PRODUCT, ...KEY], environment);
  expect(code).toBe(3);
  expect(stdout).toContain('No certificate is written:\n  ');
  expect(stdout).toContain('  The preflight could not ');
  expect(user.files.filter((file) => file.includes('certificate'))).toEqual([]);
  expect(user.report()).toMatchObject({
    verdict: 'inconclusive',
    product: { name: 'Tag Server', version: '3.1' },
  });
});
