import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LEVELS } from '../requirement.ts';
import { SUITE } from '../suite.ts';
import { catalogueDigest } from '../catalogue-digest.ts';
import { changesBetween, withChanges, type Change, type Entry } from './entries.ts';

/** The record has the same place in the sources and in the package. */
const RECORD_FILE = join(SUITE.folder, 'suites', 'changes.json');

const entry = { id: z.string(), level: z.enum(LEVELS), text: z.string() };

const versionSchema = z.strictObject({
  version: z.string(),
  catalogue: z.string().regex(/^[\da-f]{64}$/),
  /** Changed checks of requirements whose text did not change, one sentence each, by id. Written by hand. */
  checks: z.record(z.string(), z.string()).optional(),
  changes: z.array(
    z.discriminatedUnion('change', [
      z.strictObject({ change: z.literal('new'), ...entry }),
      z.strictObject({
        change: z.literal('changed'),
        ...entry,
        was: z.strictObject({ level: entry.level, text: entry.text }),
      }),
      z.strictObject({ change: z.literal('removed'), ...entry }),
    ]),
  ),
});

const recordSchema = z.strictObject({ versions: z.array(versionSchema) });

/** The changes of the catalogue from version to version. Applied in order, they make up the catalogue. */
export type CatalogueRecord = z.infer<typeof recordSchema>;

/** The record of this suite. */
export const readRecord = (): CatalogueRecord =>
  recordSchema.parse(JSON.parse(readFileSync(RECORD_FILE, 'utf8')));

/** The catalogue of a version; undefined if the record lacks the version. */
export function catalogueOf({ versions }: CatalogueRecord, version: string): readonly Entry[] | undefined {
  const at = versions.findIndex((one) => one.version === version);
  if (at < 0) return undefined;
  return versions.slice(0, at + 1).reduce<Entry[]>((before, { changes }) => withChanges(before, changes), []);
}

/**
 * The record that this catalogue requires. Only the entry of this version changes, because earlier versions are published.
 */
export function recordFor(
  { versions }: CatalogueRecord,
  catalogue: readonly Entry[],
  version: string,
): CatalogueRecord {
  const at = versions.findIndex((one) => one.version === version);
  const earlier = at < 0 ? versions : versions.slice(0, at);
  const before = earlier.reduce<Entry[]>((entries, { changes }) => withChanges(entries, changes), []);
  const checks = versions[at]?.checks;
  const entries = catalogue.map(({ id, level, text }) => ({ id, level, text }));
  return {
    versions: [
      ...earlier,
      {
        version,
        catalogue: catalogueDigest(entries),
        ...(checks === undefined ? {} : { checks }),
        changes: changesBetween(before, entries),
      },
    ],
  };
}

/** The record as JSON text, with one change per line. */
export function recordText({ versions }: CatalogueRecord): string {
  const lines = (changes: readonly Change[]): string =>
    changes.map((change) => `\n        ${JSON.stringify(change)}`).join(',');
  const texts = versions.map(({ version, catalogue, checks, changes }) =>
    [
      '    {',
      `      "version": ${JSON.stringify(version)},`,
      `      "catalogue": ${JSON.stringify(catalogue)},`,
      ...(checks === undefined ? [] : [`      "checks": ${JSON.stringify(checks)},`]),
      `      "changes": [${changes.length === 0 ? ']' : `${lines(changes)}\n      ]`}`,
      '    }',
    ].join('\n'),
  );
  return `{\n  "versions": [\n${texts.join(',\n')}\n  ]\n}\n`;
}
