import { z } from 'zod';
import { declarationSchema, questionsOf } from '../declaration.ts';
import { knownFailuresSchema } from '../known-failures/list.ts';
import { reportSchema } from '../reports/report.ts';
import { catalogue } from '../../suites/index.ts';

/** The JSON Schemas that the package contains: of report.json, of a declaration and of a list of known failures. */
export const JSON_SCHEMAS = {
  report: (): string => written('The report of a run', reportSchema),
  declaration: (): string => {
    const texts = new Map(
      catalogue.flatMap((one) => (one.level === 'open' ? [[one.question.key, one.text] as const] : [])),
    );
    return written('Answers to open questions', declarationSchema(questionsOf(catalogue), texts));
  },
  'known-failures': (): string => written('Failures that do not fail the gate', knownFailuresSchema),
} as const;

const written = (title: string, schema: z.ZodType): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema) }, null, 2)}\n`;

/** Prints a JSON Schema. */
export function schema(file: keyof typeof JSON_SCHEMAS): number {
  process.stdout.write(JSON_SCHEMAS[file]());
  return 0;
}
