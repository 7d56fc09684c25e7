import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileProblem, makeFolder } from '../folder.ts';
import { SettingsError } from '../settings-error.ts';

/**
 * Writes the page for `--html`.
 *
 * @throws SettingsError if the file cannot be written.
 */
export function writePage(file: string, page: string): void {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, page);
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    throw new SettingsError(`--html cannot write ${file} (${problem}); give another name.`, { cause: error });
  }
}
