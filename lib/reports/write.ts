import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVIDENCE_FILE } from '../evidence/har.ts';
import { fileProblem, isFolder, makeFolder, proveWritable } from '../folder.ts';
import { SettingsError } from '../settings-error.ts';
import { reportPage } from '../pages/report/report-page.tsx';
import type { Side } from './comparing.ts';
import { fingerprintText } from './fingerprint.ts';
import { junit } from './junit.ts';
import type { Report } from './schema.ts';
import { summary } from './summary.ts';

const FILES = {
  report: 'report.json',
  page: 'index.html',
  junit: 'junit.xml',
  fingerprint: 'fingerprint.json',
  summary: 'summary.md',
  evidence: EVIDENCE_FILE,
} as const;

/** The names of all reports. */
export const REPORTS: readonly string[] = Object.values(FILES);

/**
 * Makes the report folder, and sees whether the reports can be written to it.
 *
 * @throws SettingsError if they cannot.
 */
export function refuseUnwritable(folder: string): void {
  const refusal = (problem: string, cause?: unknown): SettingsError =>
    new SettingsError(
      `CONFORMANCE_REPORT_DIR is expected to be a folder that can be written to (${problem}); given was ${JSON.stringify(folder)}.`,
      { cause },
    );
  try {
    proveWritable(folder);
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    throw refusal(problem, error);
  }
  const taken = REPORTS.find((name) => isFolder(join(folder, name)));
  if (taken !== undefined) throw refusal(`${taken} in it is a folder`);
}

/**
 * Writes `report.json`, `index.html`, `junit.xml`, `fingerprint.json` and `summary.md`. Each is replaced as a whole. Removes
 * the evidence of an earlier run if this run kept none.
 *
 * @param since an earlier run, which the summary compares with.
 * @returns their paths, and that of the evidence, which is there already.
 * @throws Error with a code if that is not possible.
 */
export function writeReports(report: Report, folder: string, since?: Side): string[] {
  makeFolder(folder);
  const file = join(folder, FILES.report);
  if (report.evidence === undefined) rmSync(join(folder, FILES.evidence), { force: true });
  return [
    whole(file, `${JSON.stringify(report, null, 2)}\n`),
    whole(join(folder, FILES.page), reportPage(report, file)),
    whole(join(folder, FILES.junit), `${junit(report)}\n`),
    whole(join(folder, FILES.fingerprint), fingerprintText(report.fingerprint)),
    whole(join(folder, FILES.summary), summary(report, file, since)),
    ...(report.evidence === undefined ? [] : [join(folder, report.evidence.file)]),
  ];
}

/** Writes a draft and renames it, so that a reader never sees half a file. */
function whole(path: string, content: string): string {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, path);
  return path;
}
