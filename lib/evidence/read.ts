import { join } from 'node:path';
import { isFolder } from '../folder.ts';
import { jsonIn, textIn } from '../given-file.ts';
import { SettingsError } from '../settings-error.ts';
import { EVIDENCE_FILE, harSchema, type Har } from './har.ts';

/**
 * Reads the evidence of a run.
 *
 * @param path a file of evidence, or a folder that holds one.
 * @throws SettingsError if it cannot be read, or was not written by this version of the suite.
 */
export function readEvidence(path: string): Har {
  const file = isFolder(path) ? join(path, EVIDENCE_FILE) : path;
  const todo = `give ${EVIDENCE_FILE} or a folder with it, which every run writes`;
  const read = harSchema.safeParse(jsonIn(textIn(file, path, todo)));
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  throw new SettingsError(
    `${path} is no evidence of this version of the suite${place === '' ? '' : `: ${place} is missing or wrong`}; give ${EVIDENCE_FILE} of one of its runs.`,
  );
}
