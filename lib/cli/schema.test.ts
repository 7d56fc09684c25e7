import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JSON_SCHEMAS } from './schema.ts';

test.each(['report', 'declaration', 'known-failures'] as const)(
  'the JSON Schema that is kept: %s is the one in use',
  (file) => {
    const kept = readFileSync(new URL(`../../${file}.schema.json`, import.meta.url), 'utf8');
    // If this fails: npm run --silent schema -- report > report.schema.json, or the same for another one
    expect(kept).toBe(JSON_SCHEMAS[file]());
  },
);
