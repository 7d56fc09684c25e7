import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

const PASSPHRASE = 'open sesame';
let folder: string;
/** The files, by what they hold. */
const files: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'client-certificate-'));
  const pair = (): ReturnType<typeof generate> =>
    generate([{ name: 'commonName', value: 'client.test' }], { keyType: 'ec' });
  const [one, other] = await Promise.all([pair(), pair()]);
  const encrypted = createPrivateKey(one.private).export({
    format: 'pem',
    type: 'pkcs8',
    cipher: 'aes-256-cbc',
    passphrase: PASSPHRASE,
  });
  const contents = {
    certificate: one.cert,
    key: one.private,
    both: `${one.cert}\n${one.private}`,
    encrypted: String(encrypted),
    otherKey: other.private,
    noKey: 'hello',
    brokenKey: '-----BEGIN PRIVATE KEY-----\nhello\n-----END PRIVATE KEY-----\n',
  };
  for (const [name, content] of Object.entries(contents)) {
    files[name] = join(folder, `${name}.pem`);
    writeFileSync(files[name], content);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads settings; the files are given by what they hold. */
function read(given: { readonly cert?: string; readonly key?: string; readonly passphrase?: string }) {
  const { cert, key, passphrase } = given;
  const environment = {
    ...(cert === undefined ? {} : { CONFORMANCE_CLIENT_CERT_FILE: files[cert] }),
    ...(key === undefined ? {} : { CONFORMANCE_CLIENT_KEY_FILE: files[key] ?? key }),
    ...(passphrase === undefined ? {} : { CONFORMANCE_CLIENT_KEY_PASSPHRASE: passphrase }),
  };
  return readSettings({ flags: {}, environment, envFile: '' }).clientCertificate;
}

describe('a client certificate', () => {
  test('is none by default', () => {
    expect(read({})).toBeUndefined();
  });

  test.each([
    ['with a key of its own', { cert: 'certificate', key: 'key' }],
    ['with the key in the same file', { cert: 'both' }],
    ['with an encrypted key', { cert: 'certificate', key: 'encrypted', passphrase: PASSPHRASE }],
  ])('is read %s', (_how, given) => {
    expect(read(given)).toMatchObject({ certificate: expect.stringMatching(/^-----BEGIN CERT/) as string });
  });

  test.each([
    ['without its key', { cert: 'certificate' }, /is given without CONFORMANCE_CLIENT_KEY_FILE/],
    [
      'as a key alone',
      { key: 'key' },
      /^CONFORMANCE_CLIENT_KEY_FILE is given without CONFORMANCE_CLIENT_CERT_FILE/,
    ],
    ['as a passphrase alone', { passphrase: 'x' }, /^CONFORMANCE_CLIENT_KEY_PASSPHRASE is given without/],
    [
      'with the key of another one',
      { cert: 'certificate', key: 'otherKey' },
      /belongs to another certificate/,
    ],
    [
      'with a key that is not there',
      { cert: 'certificate', key: 'missing.pem' },
      /a file that can be read; given was "missing.pem"/,
    ],
    ['with a key file that holds none', { cert: 'certificate', key: 'noKey' }, /holds a PEM private key/],
    ['with a broken key', { cert: 'certificate', key: 'brokenKey' }, /cannot be read; check the file\.$/],
    [
      'with an encrypted key alone',
      { cert: 'certificate', key: 'encrypted' },
      /is encrypted; give its passphrase as CONFORMANCE_CLIENT_KEY_PASSPHRASE/,
    ],
    [
      'with a wrong passphrase',
      { cert: 'certificate', key: 'encrypted', passphrase: 'hush' },
      /check the file and the passphrase\.$/,
    ],
  ])('is a mistake %s', (_how, given, message) => {
    expect(() => read(given)).toThrow(SettingsError);
    expect(() => read(given)).toThrow(message);
    expect(() => read(given)).not.toThrow(/hush/);
  });

  test('does not show its passphrase', () => {
    const shown = JSON.stringify(read({ cert: 'certificate', key: 'encrypted', passphrase: PASSPHRASE }));
    expect(shown).not.toContain(PASSPHRASE);
  });
});
