import { z } from 'zod';
import { reportSchema } from '../reports/report.ts';

/** The JSON Schema of report.json, as it is kept in report.schema.json. */
export const reportJsonSchema = (): string =>
  `${JSON.stringify({ title: 'The report of a run', ...z.toJSONSchema(reportSchema) }, null, 2)}\n`;

/** Prints the JSON Schema of report.json. */
export function schema(): number {
  process.stdout.write(reportJsonSchema());
  return 0;
}
