import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClientCertificate } from './http/route.ts';
import type { Secret } from './secret.ts';
import { SettingsError } from './settings-error.ts';

const CERT = 'CONFORMANCE_CLIENT_CERT_FILE';
const KEY = 'CONFORMANCE_CLIENT_KEY_FILE';
const PASSPHRASE = 'CONFORMANCE_CLIENT_KEY_PASSPHRASE';

/**
 * The client certificate, with its key.
 *
 * @param given `certificate` is PEM; `keyFile` is a path. Without it, the file of the certificate has to hold the key, too.
 * @throws SettingsError if the key is missing, cannot be read, or belongs to another certificate.
 */
export function clientCertificateOf(given: {
  readonly certificate: string | undefined;
  readonly keyFile: string | undefined;
  readonly passphrase: Secret | undefined;
}): ClientCertificate | undefined {
  const { certificate, keyFile, passphrase } = given;
  if (certificate === undefined) {
    const alone = keyFile === undefined ? passphrase && PASSPHRASE : KEY;
    if (alone === undefined) return undefined;
    throw new SettingsError(`${alone} is given without ${CERT}; give both or neither.`);
  }
  const key = keyFile === undefined ? certificate : contentOf(keyFile);
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key))
    throw new SettingsError(
      keyFile === undefined
        ? `${CERT} is given without ${KEY}, and its file holds no private key; give the key's file as ${KEY}.`
        : `${KEY} is expected to name a file that holds a PEM private key; given was ${JSON.stringify(keyFile)}.`,
    );
  if (!new X509Certificate(certificate).checkPrivateKey(privateKey(key, passphrase)))
    throw new SettingsError(
      `The key in ${keyFile === undefined ? CERT : KEY} belongs to another certificate than the one in ${CERT}; give the two files that belong together.`,
    );
  return { certificate, key, passphrase };
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SettingsError(
      `${KEY} is expected to name a file that can be read; given was ${JSON.stringify(file)}.`,
    );
  }
}

function privateKey(key: string, passphrase: Secret | undefined): KeyObject {
  try {
    return createPrivateKey({
      key,
      ...(passphrase === undefined ? {} : { passphrase: passphrase.reveal() }),
    });
  } catch (error) {
    const isLocked = passphrase === undefined && key.includes('ENCRYPTED');
    throw new SettingsError(
      isLocked
        ? `The key of ${CERT} is encrypted; give its passphrase as ${PASSPHRASE}.`
        : `The key of ${CERT} cannot be read${passphrase === undefined ? '' : ` with ${PASSPHRASE}`}; check the file${passphrase === undefined ? '' : ' and the passphrase'}.`,
      { cause: error },
    );
  }
}
