import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beside, CERTIFICATE_FILE } from '../certificate/folder.ts';
import { factsOf } from '../certificate/facts.ts';
import { seal } from '../certificate/envelope.ts';
import { statementOf } from '../certificate/issue.ts';
import { exposureOf, readSigningKey, type SigningKey } from '../certificate/keys.ts';
import { SUBJECTS } from '../certificate/statement.ts';
import { DAY_MS, MOST_DAYS } from '../certificate/validity.ts';
import { lacksOf } from '../certificate/whole.ts';
import { harmless } from '../http/wording.ts';
import { EXIT } from '../judging/judge.ts';
import { badge } from '../pages/certificate/badge.tsx';
import { certificatePage } from '../pages/certificate/certificate-page.tsx';
import type { Report } from '../reports/schema.ts';
import { readSettings, SettingsError, type Variable } from '../settings.ts';
import { certify, type Afterwards, type CertifyFlags } from './certify.ts';
import { powerOfSuite } from './power.ts';
import { writeDeclaration } from './writing-declaration.ts';

export interface AttestFlags extends Pick<
  CertifyFlags,
  'declare' | 'operator' | 'product' | 'productVersion' | 'reference' | 'verbose' | 'waitReady'
> {
  readonly key?: string;
  /** How many days the certificate is valid. */
  readonly days?: string;
}

const FILES = { certificate: CERTIFICATE_FILE, page: 'certificate.html', badge: 'certificate.svg' } as const;

const DAYS = 90;

/**
 * Makes a whole run, and writes a certificate of it where the run and its target bear one.
 *
 * @param fallBack whether the suite runs from its repository.
 * @returns the exit code: 0 only where a certificate is written.
 * @throws SettingsError where an argument or a setting stands against a certificate. Nothing is sent then.
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
  const issue: Afterwards = (report, folder) =>
    issued(report, folder, { key, days, declared: options.declare });
  return certify({ ...options, requireWhole: true }, thorough, fallBack, issue);
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

/** @throws SettingsError where the settings stand against a certificate. */
function refuseTarget(flags: Partial<Record<Variable, string>>, reference: boolean): void {
  if (flags.CONFORMANCE_EFFORT !== undefined && flags.CONFORMANCE_EFFORT !== 'thorough')
    throw new SettingsError('attest always runs with the effort thorough; leave --effort out.');
  const { base, username, second } = readSettings({ flags, environment: process.env, envFile: '.env' });
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
}

/** Writes the certificate of a run whose reports are written, or says why there is none. */
async function issued(
  report: Report,
  folder: string,
  {
    key,
    days,
    declared,
  }: { readonly key: SigningKey; readonly days: number; readonly declared: string | undefined },
): ReturnType<Afterwards> {
  const facts = factsOf(report);
  const lacks = [
    ...lacksOf(report),
    ...(typeof facts === 'string' ? [`The report lacks ${facts}, which a certificate needs.`] : []),
  ];
  if (lacks.length > 0 || typeof facts === 'string') {
    // One of an earlier run would not fit the reports beside it any more.
    for (const file of Object.values(FILES)) rmSync(join(folder, file), { force: true });
    const lines = ['No certificate is written:', ...lacks.map((lack) => `  ${harmless(lack)}`)];
    return { text: lines.join('\n'), code: report.exitCode === 0 ? EXIT.inconclusive : report.exitCode };
  }
  const declaration = join(folder, SUBJECTS.declaration);
  if (declared === undefined) writeDeclaration(declaration, report);
  else if (declared !== declaration) copyFileSync(declared, declaration);
  const now = new Date();
  const statement = statementOf(
    report,
    facts,
    {
      power: await powerOfSuite(),
      issuedAt: now.toISOString(),
      notAfter: new Date(now.getTime() + days * DAY_MS).toISOString(),
      declaration: declared === undefined ? 'observed' : 'given',
    },
    beside(folder),
  );
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const files = [
    write(FILES.certificate, `${JSON.stringify(seal(JSON.stringify(statement), key), null, 2)}\n`),
    write(FILES.page, certificatePage(statement, key.keyid)),
    write(FILES.badge, badge(statement.predicate)),
  ];
  const { product, notAfter } = statement.predicate;
  return {
    text: `${harmless(`${product.name} ${product.version}`)} is certified until ${notAfter}, with the key ${key.keyid}: ${files.join(', ')}`,
    code: EXIT.conforming,
  };
}
