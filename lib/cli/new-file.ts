import { lstatSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileProblem, proveWritable } from '../folder.ts';
import { SettingsError } from '../settings-error.ts';
import { SUITE } from '../suite.ts';

/**
 * Makes the folder of a file that a flag names.
 *
 * @throws SettingsError if the file cannot be written, or exists: somebody may have reviewed and changed it.
 */
export function refuseToOverwrite(flag: string, file: string | undefined): void {
  if (file === undefined) return;
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return proveWritable(dirname(file));
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    throw new SettingsError(`${flag} cannot write ${file} (${problem}); give another name.`, {
      cause: error,
    });
  }
  throw new SettingsError(
    `${flag} does not overwrite ${file}, which exists; give another name, or remove the file first.`,
  );
}

/** The `$schema` member of a file, by which editors find the schema, if it is below the working directory. */
export function schemaFor(file: string, schema: string): { readonly $schema?: string } {
  const path = relative(process.cwd(), join(SUITE.folder, schema));
  if (path.startsWith('..')) return {};
  const fromFile = relative(dirname(resolve(file)), resolve(path))
    .split(sep)
    .join('/');
  return { $schema: fromFile.startsWith('.') ? fromFile : `./${fromFile}` };
}
