import { createPublicKey } from 'node:crypto';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { seal } from '../certificate/envelope.ts';
import { factsOf, type Facts } from '../certificate/facts.ts';
import { beside, CERTIFICATE_FILE } from '../certificate/folder.ts';
import { statementOf } from '../certificate/issue.ts';
import type { SigningKey } from '../certificate/keys.ts';
import { SUBJECTS, type Statement } from '../certificate/statement.ts';
import { DAY_MS } from '../certificate/validity.ts';
import { lacksOf } from '../certificate/whole.ts';
import { harmless } from '../http/wording.ts';
import { EXIT } from '../judging/judge.ts';
import { badge } from '../pages/certificate/badge.tsx';
import { certificatePage } from '../pages/certificate/certificate-page.tsx';
import type { Report } from '../reports/schema.ts';
import type { Afterwards } from './certify.ts';
import { powerOfSuite } from './power.ts';
import { verified } from './verify.ts';
import { writeDeclaration } from './writing-declaration.ts';

const FILES = { certificate: CERTIFICATE_FILE, page: 'certificate.html', badge: 'certificate.svg' } as const;

/** How a certificate is made. */
export interface Issuing {
  readonly key: SigningKey;
  /** How long it is valid. */
  readonly days: number;
  /** The declaration that the implementer gave. */
  readonly declared: string | undefined;
}

/**
 * Writes the certificate of a run whose reports are written, or says why there is none. It is verified first, so that no
 * certificate is written that `verify` would refuse.
 *
 * @throws Error with a code if a file cannot be written.
 */
export async function issued(report: Report, folder: string, issuing: Issuing): ReturnType<Afterwards> {
  const facts = factsOf(report);
  const lacks = lacksOf(report);
  if (typeof facts === 'string')
    return refused(report, folder, [
      ...lacks,
      ...(lacks.length > 0 ? [] : [`The report lacks ${facts}, which a certificate needs.`]),
    ]);
  if (lacks.length > 0) return refused(report, folder, lacks);
  const { key } = issuing;
  const statement = await statementAbout(report, facts, folder, issuing);
  const text = `${JSON.stringify(seal(JSON.stringify(statement), key), null, 2)}\n`;
  const onDisk = { path: join(folder, FILES.certificate), text, read: beside(folder) };
  const { refusals } = await verified(onDisk, [{ key: createPublicKey(key.key), ids: [key.keyid] }]);
  if (refusals.length > 0) return refused(report, folder, refusals);
  const files = [
    written(folder, FILES.certificate, text),
    written(folder, FILES.page, certificatePage(statement, key.keyid)),
    written(folder, FILES.badge, badge(statement.predicate)),
  ];
  const { product, notAfter } = statement.predicate;
  const what = harmless(`${product.name} ${product.version}`);
  return {
    text: `${what} is certified until ${notAfter}, with the key ${key.keyid}.\nCertificate: ${files.join(', ')}`,
    code: EXIT.conforming,
  };
}

/**
 * Says why there is no certificate. Removes the certificate of an earlier run, which no longer fits the reports beside
 * it.
 */
function refused(
  report: Report,
  folder: string,
  reasons: readonly string[],
): { readonly text: string; readonly code: number } {
  for (const file of Object.values(FILES)) rmSync(join(folder, file), { force: true });
  const lines = ['No certificate is written:', ...reasons.map((reason) => `  ${harmless(reason)}`)];
  return { text: lines.join('\n'), code: report.exitCode === 0 ? EXIT.inconclusive : report.exitCode };
}

/** Writes the declaration, and puts the statement together. */
async function statementAbout(
  report: Report,
  facts: Facts,
  folder: string,
  { days, declared }: Issuing,
): Promise<Statement> {
  const declaration = join(folder, SUBJECTS.declaration);
  if (declared === undefined) writeDeclaration(declaration, report);
  else if (resolve(declared) !== resolve(declaration)) copyFileSync(declared, declaration);
  const now = new Date();
  const besideReport = {
    power: await powerOfSuite(),
    issuedAt: now.toISOString(),
    notAfter: new Date(now.getTime() + days * DAY_MS).toISOString(),
    declaration: declared === undefined ? ('observed' as const) : ('given' as const),
  };
  return statementOf(report, facts, besideReport, beside(folder));
}

function written(folder: string, name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
