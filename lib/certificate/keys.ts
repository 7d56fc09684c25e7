import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { statSync } from 'node:fs';
import { calculateJwkThumbprint } from 'jose';
import { z } from 'zod';
import { textIn } from '../given-file.ts';
import { SettingsError } from '../settings-error.ts';

/** An Ed25519 key that signs, and its id: the thumbprint of the public key (RFC 7638). */
export interface SigningKey {
  readonly key: KeyObject;
  readonly keyid: string;
}

/** An Ed25519 key that verifies. */
export interface VerificationKey {
  readonly key: KeyObject;
  /** The thumbprint of the key (RFC 7638), and the `kid` of its JWK if it has one. */
  readonly ids: readonly string[];
}

const HOW = 'openssl genpkey -algorithm ed25519 -out FILE makes one';

/**
 * Reads the private key that signs certificates: Ed25519 in PKCS#8, as PEM. The key itself stands in no message.
 *
 * @throws SettingsError if the file cannot be read or holds anything else.
 */
export async function readSigningKey(file: string): Promise<SigningKey> {
  const pem = contentOf(file);
  const refusal = (what: string, how = HOW): SettingsError =>
    new SettingsError(
      `--key is expected to name an Ed25519 private key in PKCS#8, as PEM; ${file} ${what} (${how}).`,
    );
  if (pem.includes('BEGIN ENCRYPTED PRIVATE KEY'))
    throw refusal('is encrypted', 'openssl pkey -in FILE -out OTHER decrypts it');
  if (pem.includes('BEGIN OPENSSH PRIVATE KEY')) throw refusal('is in the form of OpenSSH');
  if (pem.includes('BEGIN PUBLIC KEY')) throw refusal('holds a public key');
  if (!pem.includes('BEGIN PRIVATE KEY')) throw refusal('holds no such key');
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw refusal('is damaged');
  }
  if (key.asymmetricKeyType !== 'ed25519') throw refusal(`holds a key of the type ${key.asymmetricKeyType}`);
  return { key, keyid: await thumbprint(createPublicKey(key)) };
}

/** A sentence if other users can read the file of a private key; undefined if they cannot. */
export function exposureOf(file: string): string | undefined {
  const mode = statSync(file).mode & 0o777;
  // Windows has no such modes.
  if (process.platform === 'win32' || (mode & 0o077) === 0) return undefined;
  return `Other users of this machine can use the private key ${file} (mode ${mode.toString(8)}); chmod 600 ${file} keeps it to you.`;
}

const jwkSchema = z.looseObject({
  kty: z.string(),
  crv: z.string().optional(),
  x: z.string().optional(),
  kid: z.string().optional(),
  use: z.string().optional(),
});

const keySetSchema = z.looseObject({ keys: z.array(jwkSchema) });

/**
 * Reads the keys that verify certificates: one public key as PEM (`key`), or a JWK Set (`keys`; RFC 7517). Keys of a set that
 * are of another kind are passed over.
 *
 * @throws SettingsError if not exactly one of the two is given, the file cannot be read, or it holds no such key.
 */
export async function readVerificationKeys({
  key,
  keys,
}: {
  readonly key?: string | undefined;
  readonly keys?: string | undefined;
}): Promise<VerificationKey[]> {
  if (key !== undefined && keys === undefined) return [await publicKeyIn(key)];
  if (keys !== undefined && key === undefined) return keySetIn(keys);
  throw new SettingsError(
    'Give either --key with a public key as PEM, or --keys with a JWK Set: a certificate proves nothing without the key of its maker.',
  );
}

async function publicKeyIn(file: string): Promise<VerificationKey> {
  const pem = contentOf(file);
  const refusal = (what: string): SettingsError =>
    new SettingsError(
      `--key is expected to name an Ed25519 public key, as PEM; ${file} ${what} (openssl pkey -in KEY -pubout -out FILE writes it).`,
    );
  if (pem.includes('PRIVATE KEY')) throw refusal('holds a private key, which its maker alone should have');
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw refusal('holds no public key');
  }
  if (key.asymmetricKeyType !== 'ed25519') throw refusal(`holds a key of the type ${key.asymmetricKeyType}`);
  return { key, ids: [await thumbprint(key)] };
}

async function keySetIn(file: string): Promise<VerificationKey[]> {
  let value: unknown;
  try {
    value = JSON.parse(contentOf(file));
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    // The message of the parser quotes the file, which may be a private key.
    throw new SettingsError(`The JWK Set ${file} is not JSON.`);
  }
  const { success, data } = keySetSchema.safeParse(value);
  if (!success)
    throw new SettingsError(
      `--keys is expected to name a JWK Set, which is {"keys": [...]} (RFC 7517); ${file} is none.`,
    );
  if (data.keys.some((jwk) => 'd' in jwk))
    throw new SettingsError(
      `The JWK Set ${file} holds a private key; remove its member d before you give it to anybody.`,
    );
  const usable = data.keys.filter(
    ({ kty, crv, use }) => kty === 'OKP' && crv === 'Ed25519' && (use ?? 'sig') === 'sig',
  );
  const found = usable.map(async (jwk): Promise<VerificationKey> => {
    const { x = '', kid } = jwk;
    let key: KeyObject;
    try {
      key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    } catch {
      throw new SettingsError(
        `The JWK Set ${file} holds a damaged key${kid === undefined ? '' : ` (${kid})`}.`,
      );
    }
    return { key, ids: [await thumbprint(key), ...(kid === undefined ? [] : [kid])] };
  });
  if (found.length === 0)
    throw new SettingsError(`The JWK Set ${file} holds no Ed25519 key ("kty": "OKP", "crv": "Ed25519").`);
  return Promise.all(found);
}

const thumbprint = (key: KeyObject): Promise<string> => {
  const { kty = '', crv = '', x = '' } = key.export({ format: 'jwk' });
  return calculateJwkThumbprint({ kty, crv, x });
};

/** @throws SettingsError if the file cannot be read. */
function contentOf(file: string): string {
  if (file.includes('-----BEGIN') || /^\s*\{/.test(file))
    throw new SettingsError(
      '--key and --keys are expected to name files; a key itself never stands on a command line, which other users can read.',
    );
  return textIn(file, `The key file ${file}`);
}
