import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test, type User } from './user.test.double.ts';

/** Writes a certificate, the keys, and a folder without certificates. */
function gather(user: User): void {
  const { publicKey } = generateKeyPairSync('ed25519');
  user.write('keys.json', JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }));
  user.write('certificates/one/certificate.json', '{}');
  user.write('empty/report.json', '{}');
}

describe('collect', () => {
  test('says why certificates are not in the table, and ends with 0', async ({ user }) => {
    gather(user);
    const { code, stdout } = await user.run(['collect', 'certificates', '--keys', 'keys.json']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      'Valid certificates: 0\n\nNot in the table: 1\n  one/certificate.json\n    The certificate is not a DSSE envelope, which has the members payloadType, payload and signatures.\n',
    );
  });

  for (const [what, args, sentence] of [
    [
      'a folder without certificates',
      ['empty', '--keys', 'keys.json'],
      /^There is no certificate\.json in empty/,
    ],
    ['no folder', ['none', '--keys', 'keys.json'], /^The folder none cannot be read \(ENOENT/],
    [
      'a file',
      ['keys.json', '--keys', 'keys.json'],
      /^collect is expected to be given a folder; keys\.json is a/,
    ],
    ['no keys', ['certificates'], /^Give either --key .* or --keys/],
    [
      'a page that cannot be written',
      ['certificates', '--keys', 'keys.json', '--html', 'keys.json/x'],
      /^--html cannot write keys\.json\/x \(.+\); give another name\.$/m,
    ],
  ] as const) {
    test(`is refused in one sentence with ${what}`, async ({ user }) => {
      gather(user);
      const { code, stderr } = await user.run(['collect', ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  }
});
