import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '../settings.ts';
import { EVIDENCE_FILE, harSchema, type Har } from './har.ts';

/**
 * Reads the evidence of a run.
 *
 * @param path a file of evidence, or a folder that holds one.
 * @throws SettingsError where it cannot be read, or is none of this version of the suite.
 */
export function readEvidence(path: string): Har {
  let text: string;
  try {
    text = readFileSync(statSync(path).isDirectory() ? join(path, EVIDENCE_FILE) : path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new SettingsError(
      `${path} cannot be read${code}; give ${EVIDENCE_FILE} or a folder with it, which every run writes.`,
      { cause: error },
    );
  }
  const read = harSchema.safeParse(parsed(text));
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  throw new SettingsError(
    `${path} is no evidence of this version of the suite${place === '' ? '' : `: ${place} is missing or wrong`}; give ${EVIDENCE_FILE} of one of its runs.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
