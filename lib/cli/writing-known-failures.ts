import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../folder.ts';
import type { KnownFailures } from '../known-failures/list.ts';
import { knownFailuresIn } from '../known-failures/writing.ts';
import type { Report } from '../reports/report.ts';
import { schemaFor } from './new-file.ts';

/**
 * Writes the failures of a run as a list of known ones, for the team to add reasons, links and dates.
 *
 * @param before the list that the run was given. Its entries are kept if they still hold.
 * @returns the path of the file.
 */
export function writeKnownFailures(
  file: string,
  { requirements }: Report,
  before: KnownFailures | undefined,
): string {
  const failures = knownFailuresIn(requirements, before);
  makeFolder(dirname(file));
  const content = { ...schemaFor(file, 'known-failures.schema.json'), failures };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  return file;
}
