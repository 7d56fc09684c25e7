import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../folder.ts';
import { questionsOf } from '../declaration.ts';
import { nested } from '../reports/fingerprint.ts';
import type { Report } from '../reports/report.ts';
import { catalogue } from '../../suites/index.ts';
import { schemaFor } from './new-file.ts';

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
  const content = { ...schemaFor(file, 'declaration.schema.json'), ...nested(answers) };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  return file;
}
