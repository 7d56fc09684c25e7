import { generateKeyPairSync } from 'node:crypto';
import { describe, expect } from 'vitest';
import { draft, sealed } from '../certificate/certificate.test.double.ts';
import { readSigningKey } from '../certificate/keys.ts';
import { test, type User } from './user.test.double.ts';

/** Writes a certificate that is valid today, with its files and its keys. */
async function certify(user: User, folder: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = user.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  user.write('key.pub.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
  user.write('keys.json', JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] }));
  const made = draft(new Date());
  made.key = await readSigningKey(`${user.folder}/${key}`);
  const { certificate, files } = sealed(made);
  user.write(`${folder}/certificate.json`, certificate);
  for (const [name, bytes] of files) user.write(`${folder}/${name}`, bytes.toString());
}

describe('verify', () => {
  test('says why a certificate is refused, and ends with 1', async ({ user }) => {
    await certify(user, 'c');
    user.write('c/report.json', user.read('c/report.json').replace('"pass"', '"warn"'));
    const { code, stdout } = await user.run(['verify', 'c', '--key', 'key.pub.pem']);
    expect(code).toBe(1);
    expect(stdout).toBe(
      'refused: c/certificate.json\n  report.json is not the file that was certified: it was changed after that.\n',
    );
  });

  for (const [what, args, sentence] of [
    [
      'no certificate',
      ['none.json', '--key', 'key.pub.pem'],
      /^The certificate none\.json cannot be read \(ENOENT/,
    ],
    ['no key', ['c'], /^Give either --key with a public key as PEM, or --keys with a JWK Set/],
    ['a private key', ['c', '--key', 'key.pem'], /^--key is expected to name an Ed25519 public key/],
    [
      'a key that is not there',
      ['c', '--key', 'none.pem'],
      /^The key file none\.pem cannot be read \(ENOENT/,
    ],
  ] as const) {
    test(`is refused in one sentence, and ends with 2, with ${what}`, async ({ user }) => {
      await certify(user, 'c');
      const { code, stderr, stdout } = await user.run(['verify', ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stdout).toBe('');
    });
  }
});
