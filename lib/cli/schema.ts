import { z } from 'zod';
import { declarationSchema, questionsOf } from '../declaration.ts';
import { reportSchema } from '../reports/report.ts';
import { catalogue } from '../../suites/index.ts';

/** The JSON Schemas that the package contains: of report.json and of a declaration. */
export const JSON_SCHEMAS = {
  report: (): string => written('The report of a run', reportSchema),
  declaration: (): string => {
    const texts = new Map(
      catalogue.flatMap((one) => (one.level === 'open' ? [[one.question.key, one.text] as const] : [])),
    );
    return written('Answers to open questions', declarationSchema(questionsOf(catalogue), texts));
  },
} as const;

const written = (title: string, schema: z.ZodType): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema) }, null, 2)}\n`;

/** Prints a JSON Schema. */
export function schema(file: keyof typeof JSON_SCHEMAS): number {
  process.stdout.write(JSON_SCHEMAS[file]());
  return 0;
}
