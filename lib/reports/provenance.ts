import { release } from 'node:os';
import { z } from 'zod';
import { catalogueDigest } from '../catalogue-digest.ts';
import type { Connection } from '../http/connection.ts';
import type { TargetFacts } from './target-facts.ts';
import type { Masker } from '../judging/masker.ts';
import type { Requirement } from '../requirement.ts';
import { ORIGINS, type GivenSetting } from '../settings.ts';
import { suiteCommit } from '../suite-commit.ts';
import { SUITE } from '../suite.ts';

const sha256 = z.string().regex(/^[\da-f]{64}$/);

/** What was tested, with what, over what connection, by whom: what a dispute about a report needs to know. */
export const provenanceSchema = {
  specification: z
    .object({ title: z.string(), sha256: sha256.describe('Digest of its text.') })
    .optional()
    .describe('The specification that the requirements were taken from.'),
  catalogue: z
    .object({
      requirements: z.int(),
      sha256: sha256.describe(
        'Digest of the JSON array of `[id, level, text]` of all requirements, sorted by id, without blanks.',
      ),
    })
    .describe('All requirements of the suite, including those that were not checked.'),
  suite: z.object({
    name: z.string(),
    version: z.string(),
    commit: z.string().optional().describe('Left out if neither a checkout nor the package states it.'),
    changed: z.boolean().optional().describe('Whether files of the suite differ from that commit.'),
  }),
  runtime: z.object({ node: z.string(), system: z.string() }),
  product: z
    .object({ name: z.string(), version: z.string().optional() })
    .optional()
    .describe('What was tested, as the tester calls it.'),
  operator: z.string().optional().describe('Who made the run, as they say.'),
  settings: z
    .array(
      z.object({
        name: z.string(),
        value: z.string().optional().describe('Left out if it is secret.'),
        from: z.enum(ORIGINS),
      }),
    )
    .describe('Every setting that had a value, and where it came from.'),
  server: z.array(z.string()).describe('Every value of the header field Server, as the target sent it.'),
  clock: z
    .object({
      aheadMs: z.int().describe('By how many milliseconds the clock of the target is ahead of ours.'),
      withinMs: z.int().describe('By how many milliseconds that may be wrong.'),
    })
    .optional()
    .describe('Left out if no answer had a Date.'),
  connection: z
    .object({
      family: z.string().describe("The family of the target's address."),
      tls: z
        .object({
          version: z.string(),
          cipher: z.string(),
          certificate: sha256.describe("Digest of the target's certificate (DER)."),
          issuer: z.string(),
          validTo: z.iso.datetime(),
        })
        .optional(),
    })
    .optional()
    .describe('The first connection to the target. Left out if there was none over a network.'),
  notAsked: z
    .array(z.object({ section: z.string(), says: z.string(), why: z.string() }))
    .describe('Sentences of the specification that no requirement checks, and why.'),
};

const provenance = z.object(provenanceSchema);
export type Provenance = z.infer<typeof provenance>;

/** What the tester and the command line know about a run. */
export interface Said {
  readonly specification?: Provenance['specification'];
  readonly product?: Provenance['product'];
  readonly operator?: string | undefined;
  readonly notAsked?: Provenance['notAsked'];
}

/** Collects the origin of a report: the suite, the settings and the target. */
export function provenanceOf(parts: {
  readonly said: Said;
  readonly catalogue: readonly Requirement[];
  readonly settings: readonly GivenSetting[];
  readonly facts: TargetFacts;
  readonly connection: Connection | undefined;
  readonly masker: Masker;
}): Provenance {
  const { said, catalogue, facts, connection, masker } = parts;
  const { clock, servers } = facts;
  const { specification, product, operator, notAsked = [] } = said;
  return {
    ...(specification === undefined ? {} : { specification }),
    catalogue: { requirements: catalogue.length, sha256: catalogueDigest(catalogue) },
    suite: { name: SUITE.name, version: SUITE.version, ...suiteCommit() },
    runtime: { node: process.version, system: `${process.platform} ${process.arch} ${release()}` },
    ...(product === undefined ? {} : { product: masker.deep(product) }),
    ...(operator === undefined ? {} : { operator: masker.text(operator) }),
    settings: parts.settings.map(({ name, value, from }) => ({
      name,
      ...(value === undefined ? {} : { value: masker.text(value) }),
      from,
    })),
    server: servers.map((server) => masker.text(server)),
    ...(clock === undefined ? {} : { clock }),
    ...(connection === undefined ? {} : { connection }),
    notAsked: [...notAsked],
  };
}
