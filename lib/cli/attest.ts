import { exposureOf, readSigningKey } from '../certificate/keys.ts';
import { MOST_DAYS } from '../certificate/validity.ts';
import { harmless } from '../http/wording.ts';
import { readSettings, type Variable } from '../settings.ts';
import { SettingsError } from '../settings-error.ts';
import { certify, type CertifyFlags } from './certify.ts';
import { issued } from './issuing.ts';

export interface AttestFlags extends Pick<
  CertifyFlags,
  'declare' | 'operator' | 'product' | 'productVersion' | 'reference' | 'verbose' | 'waitReady'
> {
  readonly key?: string;
  /** How many days the certificate is valid. */
  readonly days?: string;
}

/** The default validity of a certificate, in days. */
const DAYS = 90;

/**
 * Makes a whole run, and writes a certificate if the run and its target qualify for one.
 *
 * @param fallBack whether the suite runs from its repository.
 * @returns the exit code: 0 only if a certificate is written.
 * @throws SettingsError if an argument or a setting rules out a certificate. Nothing is sent then.
 */
export async function attest(
  { key: keyFile, days: given, ...options }: AttestFlags,
  flags: Partial<Record<Variable, string>>,
  fallBack: boolean,
): Promise<number> {
  refuseName('--product', options.product);
  refuseName('--product-version', options.productVersion);
  const days = daysIn(given);
  if (keyFile === undefined)
    throw new SettingsError('attest is expected to be given --key with the file of an Ed25519 private key.');
  const key = await readSigningKey(keyFile);
  const thorough = { ...flags, CONFORMANCE_EFFORT: 'thorough' };
  refuseTarget(flags, options.reference === true);
  const exposure = exposureOf(keyFile);
  if (exposure !== undefined) process.stderr.write(`${exposure}\n`);
  return certify({ ...options, requireWhole: true }, thorough, fallBack, (report, folder) =>
    issued(report, folder, { key, days, declared: options.declare }),
  );
}

const MOST_NAME = 100;

function refuseName(option: string, name: string | undefined): void {
  if (name === undefined || name.trim() === '')
    throw new SettingsError(
      `attest is expected to be given ${option}: a certificate is of one version of a product.`,
    );
  if (name.length > MOST_NAME || harmless(name) !== name)
    throw new SettingsError(
      `${option} is expected to have at most ${MOST_NAME} characters, none of them a control character; given was ${JSON.stringify(name.slice(0, MOST_NAME))}.`,
    );
}

function daysIn(given: string | undefined): number {
  if (given === undefined) return DAYS;
  const days = Number(given);
  if (/^\d+$/.test(given) && days >= 1 && days <= MOST_DAYS) return days;
  throw new SettingsError(
    `--days is expected to be a whole number from 1 to ${MOST_DAYS}; given was ${JSON.stringify(given)}.`,
  );
}

/** @throws SettingsError if the settings rule out a certificate. */
function refuseTarget(flags: Partial<Record<Variable, string>>, reference: boolean): void {
  if (flags.CONFORMANCE_EFFORT !== undefined && flags.CONFORMANCE_EFFORT !== 'thorough')
    throw new SettingsError('attest always runs with the effort thorough; leave --effort out.');
  const { base, username, second, panelToken } = readSettings({
    flags,
    environment: process.env,
    envFile: '.env',
  });
  if (reference) return;
  if (base === undefined)
    throw new SettingsError(
      'There is no target to certify: give CONFORMANCE_BASE_URL and two accounts, or --reference for the reference server of the suite.',
    );
  if (base.protocol !== 'https:')
    throw new SettingsError(
      `A certificate needs https, on this machine too; CONFORMANCE_BASE_URL is plain http (${base.origin}).`,
    );
  if (username === undefined)
    throw new SettingsError(
      'A certificate needs an account that logs in; give CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD.',
    );
  if (second === undefined)
    throw new SettingsError(
      'A certificate needs two accounts; give CONFORMANCE_SECOND_USERNAME and CONFORMANCE_SECOND_PASSWORD, too.',
    );
  if (panelToken === undefined)
    throw new SettingsError(
      'A certificate needs a token of the account from the control panel; give CONFORMANCE_ACCESS_TOKEN, too.',
    );
}
