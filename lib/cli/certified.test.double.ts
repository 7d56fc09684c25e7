import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seal } from '../certificate/envelope.ts';
import { factsOf } from '../certificate/facts.ts';
import { beside } from '../certificate/folder.ts';
import { statementOf } from '../certificate/issue.ts';
import type { SigningKey } from '../certificate/keys.ts';
import { SUBJECTS } from '../certificate/statement.ts';
import { DAY_MS } from '../certificate/validity.ts';
import { writeReports } from '../reports/write.ts';
import type { Report } from '../reports/report.ts';
import { SPECIFICATION_DIGEST, SPECIFICATION_TITLE } from '../../suites/sentences.ts';
import { certifyChanged } from '../../fixtures/certifying.ts';
import type { Change } from '../../fixtures/fixture.ts';

/**
 * Certifies a changed reference over https and keeps the evidence, as `attest` does. The run has the effort standard,
 * because a thorough one takes minutes, but its report says thorough.
 */
export async function recorded(change: Change, name: string, folder: string): Promise<Report> {
  mkdirSync(folder, { recursive: true });
  const certificate = { trusted: true };
  const { report } = await certifyChanged(change, { certificate, evidenceIn: folder });
  return {
    ...report,
    effort: 'thorough',
    product: { name, version: '1.0' },
    specification: { title: SPECIFICATION_TITLE, sha256: SPECIFICATION_DIGEST },
  };
}

/** Writes the certificate of a run, and the files beside it except the evidence, which is there. */
export function certified(report: Report, key: SigningKey, folder: string): void {
  writeReports(report, folder);
  writeFileSync(join(folder, SUBJECTS.declaration), '{}\n');
  const facts = factsOf(report);
  if (typeof facts === 'string') throw new Error(`the report lacks ${facts}`);
  const now = Date.now();
  const statement = statementOf(
    report,
    facts,
    {
      power: { mutants: 1, variants: 1 },
      issuedAt: new Date(now).toISOString(),
      notAfter: new Date(now + 90 * DAY_MS).toISOString(),
      declaration: 'observed',
    },
    beside(folder),
  );
  writeFileSync(
    join(folder, 'certificate.json'),
    JSON.stringify(seal(JSON.stringify(statement), key), null, 2),
  );
}
