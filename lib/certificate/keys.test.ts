import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { SettingsError } from '../settings-error.ts';
import { exposureOf, readSigningKey, readVerificationKeys } from './keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (content: string | Buffer): string => {
  const file = join(folder, 'key');
  writeFileSync(file, content, { mode: 0o600 });
  return file;
};

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const spki = { type: 'spki', format: 'pem' } as const;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PRIVATE = privateKey.export(pkcs8).toString();
const PUBLIC = publicKey.export(spki).toString();

describe('a private key', () => {
  test('is read from PKCS#8, and named by the thumbprint of its public key', async () => {
    const { keyid } = await readSigningKey(written(PRIVATE));
    expect(keyid).toBe(await calculateJwkThumbprint(await exportJWK(publicKey)));
  });

  test.each<[string, string | Buffer, RegExp]>([
    [
      'is encrypted',
      privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 'x' }),
      /is encrypted \(openssl pkey/,
    ],
    ['is public', PUBLIC, /holds a public key \(openssl genpkey/],
    ['is of another kind', ec.privateKey.export(pkcs8), /holds a key of the type ec/],
    [
      'is of OpenSSH',
      '-----BEGIN OPENSSH PRIVATE KEY-----\nx\n-----END OPENSSH PRIVATE KEY-----\n',
      /in the form of OpenSSH/,
    ],
    ['is of SEC 1', ec.privateKey.export({ type: 'sec1', format: 'pem' }), /holds no such key/],
    ['is cut short', PRIVATE.replace(/.{12}\n-----END/, '\n-----END'), /is damaged/],
    ['is none', '{}', /holds no such key/],
  ])('is refused in one sentence, which does not show it, where it %s', async (_what, content, sentence) => {
    const error: unknown = await readSigningKey(written(content)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SettingsError);
    const { message } = error as SettingsError;
    expect(message).toMatch(/^--key is expected to name an Ed25519 private key in PKCS#8, as PEM; .*\.$/s);
    expect(message).toMatch(sentence);
    for (const line of content
      .toString()
      .split('\n')
      .filter((one) => one.length > 20 && !one.startsWith('-')))
      expect(message).not.toContain(line);
  });

  test('given in place of its file name is refused without showing it', async () => {
    const error: unknown = await readSigningKey(PRIVATE).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(
      /^SettingsError: --key and --keys are expected to name files; a key itself never/,
    );
    expect(String(error)).not.toContain(PRIVATE.split('\n')[1]);
  });

  test('that cannot be read is refused in one sentence', async () => {
    await expect(readSigningKey(join(folder, 'none'))).rejects.toThrow(
      /^The key file .*none cannot be read \(ENOENT.*\)\.$/,
    );
    await expect(readSigningKey(folder)).rejects.toThrow(/cannot be read \(EISDIR.*\)\.$/);
    const file = written(PRIVATE);
    chmodSync(file, 0);
    // Root reads everything.
    if (process.getuid?.() !== 0) await expect(readSigningKey(file)).rejects.toThrow(/\(EACCES: permission/);
  });

  test.skipIf(process.platform === 'win32')('that others can read is worth a warning', () => {
    const file = written(PRIVATE);
    chmodSync(file, 0o600);
    expect(exposureOf(file)).toBeUndefined();
    chmodSync(file, 0o644);
    expect(exposureOf(file)).toMatch(/^Other users .* \(mode 644\); chmod 600 .* keeps it to you\.$/);
  });
});

describe('a public key', () => {
  test('is read from PEM', async () => {
    const [key] = await readVerificationKeys({ key: written(PUBLIC) });
    expect(key?.ids).toEqual([await calculateJwkThumbprint(await exportJWK(publicKey))]);
  });

  test.each<[string, string | Buffer, RegExp]>([
    ['is private', PRIVATE, /holds a private key, which its maker alone should have/],
    ['is of another kind', ec.publicKey.export(spki), /holds a key of the type ec/],
    ['is none', 'x', /holds no public key/],
  ])('is refused in one sentence where it %s', async (_what, content, sentence) => {
    await expect(readVerificationKeys({ key: written(content) })).rejects.toThrow(sentence);
  });

  test('is required, exactly once', async () => {
    await expect(readVerificationKeys({})).rejects.toThrow(/^Give either --key .* or --keys/);
    await expect(readVerificationKeys({ key: 'a', keys: 'b' })).rejects.toThrow(/^Give either --key/);
  });
});

describe('a JWK Set', () => {
  const read = (value: unknown) => readVerificationKeys({ keys: written(JSON.stringify(value)) });

  test('gives its Ed25519 keys, and ignores others', async () => {
    const jwk = await exportJWK(publicKey);
    const keys = await read({
      keys: [await exportJWK(ec.publicKey), { ...jwk, kid: 'mine' }, { ...jwk, use: 'enc' }],
    });
    expect(keys.map(({ ids }) => ids)).toEqual([[await calculateJwkThumbprint(jwk), 'mine']]);
  });

  test.each<[string, unknown, RegExp]>([
    ['is none', [], /^--keys is expected to name a JWK Set/],
    ['is empty', { keys: [] }, /holds no Ed25519 key/],
    [
      'has a damaged key',
      { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AAAA', kid: 'k' }] },
      /holds a damaged key \(k\)\.$/,
    ],
    [
      'has a private key',
      { keys: [privateKey.export({ format: 'jwk' })] },
      /holds a private key; remove its member d/,
    ],
  ])('is refused in one sentence where it %s', async (_what, value, sentence) => {
    await expect(read(value)).rejects.toThrow(sentence);
  });

  test('that is a private key in PEM is refused without showing it', async () => {
    await expect(readVerificationKeys({ keys: written(PRIVATE) })).rejects.toThrow(
      /^The JWK Set .* is not JSON\.$/,
    );
  });
});
