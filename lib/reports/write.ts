import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintText } from './fingerprint.ts';
import { junit } from './junit.ts';
import type { Report } from './schema.ts';

/**
 * Writes `report.json`, `junit.xml` and `fingerprint.json`. Each is replaced as a whole.
 *
 * @returns their paths.
 */
export function writeReports(report: Report, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return [
    whole(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`),
    whole(join(folder, 'junit.xml'), `${junit(report)}\n`),
    whole(join(folder, 'fingerprint.json'), fingerprintText(report.fingerprint)),
  ];
}

/** Writes a draft and renames it, so that a reader never sees half a file. */
function whole(path: string, content: string): string {
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, path);
  return path;
}
