import { lstatSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileProblem, makeFolder, proveWritable } from '../folder.ts';
import { questionsOf } from '../declaration.ts';
import { nested } from '../reports/fingerprint.ts';
import type { Report } from '../reports/report.ts';
import { SettingsError } from '../settings.ts';
import { SUITE } from '../suite.ts';
import { catalogue } from '../../suites/index.ts';

/**
 * Makes the folder of the file.
 *
 * @throws SettingsError where the file cannot be written, or exists: somebody may have reviewed and changed it.
 */
export function refuseToOverwrite(file: string | undefined): void {
  if (file === undefined) return;
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return proveWritable(dirname(file));
  } catch (error) {
    const problem = fileProblem(error);
    if (problem === undefined) throw error;
    throw new SettingsError(`--write-declaration cannot write ${file} (${problem}); give another name.`, {
      cause: error,
    });
  }
  throw new SettingsError(
    `--write-declaration does not overwrite ${file}, which exists; give another name, or remove the file first.`,
  );
}

/**
 * Writes the observed answers as a declaration, for the implementer to review. Answers that do not gate are left out.
 *
 * @returns the path of the file.
 */
export function writeDeclaration(file: string, { requirements }: Report): string {
  const gating = new Set(questionsOf(catalogue).flatMap(({ key, gates }) => (gates ? key : [])));
  const answers = requirements.flatMap(({ key, answer }): [string, unknown][] =>
    key === undefined || answer === undefined || !gating.has(key) ? [] : [[key, answer]],
  );
  makeFolder(dirname(file));
  writeFileSync(file, `${JSON.stringify({ ...schemaFor(file), ...nested(answers) }, null, 2)}\n`);
  return file;
}

/** Tells editors where the schema is, if it lies below the working directory. */
function schemaFor(file: string): { readonly $schema?: string } {
  const path = relative(process.cwd(), join(SUITE.folder, 'declaration.schema.json'));
  if (path.startsWith('..')) return {};
  const fromFile = relative(dirname(resolve(file)), resolve(path))
    .split(sep)
    .join('/');
  return { $schema: fromFile.startsWith('.') ? fromFile : `./${fromFile}` };
}
