import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reportJsonSchema } from './schema.ts';

test('the JSON Schema that is kept is the one of the report', () => {
  const kept = readFileSync(new URL('../../report.schema.json', import.meta.url), 'utf8');
  // If this fails: npm run --silent schema > report.schema.json
  expect(kept).toBe(reportJsonSchema());
});
