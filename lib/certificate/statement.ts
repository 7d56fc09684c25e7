import { z } from 'zod';
import { EFFORTS } from '../effort.ts';
import { VERDICTS } from '../judging/judge.ts';
import { LEVELS } from '../requirement.ts';
import { factsSchema } from './facts.ts';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

/**
 * The type of the predicate. The number at its end is the major version: it rises with a change by which an older certificate
 * would mean something else or be refused (docs/certificates.md).
 */
export const PREDICATE_TYPE = 'urn:x-account-mutation-conformance:certificate:v1';

/** The files that a certificate vouches for. They lie in its folder. */
export const SUBJECTS = {
  report: 'report.json',
  evidence: 'evidence.har',
  fingerprint: 'fingerprint.json',
  declaration: 'declaration.json',
} as const;

const sha256 = z.string().regex(/^[\da-f]{64}$/);
const counts = { requests: z.int(), writes: z.int(), logins: z.int(), failedLogins: z.int() };

/**
 * The certified statement. Except for the certificate's own times and the suite's figures, all of it follows from the
 * report.
 */
const predicateSchema = z.object({
  product: factsSchema.shape.product.extend({
    server: factsSchema.shape.server.describe('Every value of the header Server, as the target sent it.'),
  }),
  operator: factsSchema.shape.operator.describe('Who ran the suite, as they say.'),
  target: factsSchema.shape.connection.extend({
    origin: z.string(),
    isReference: z
      .boolean()
      .describe('Whether it is the reference server of the suite, which is no product of anybody.'),
  }),
  verdict: z.enum(['conforming', 'non-conforming', 'inconclusive']),
  levels: z
    .record(z.enum(LEVELS), z.partialRecord(z.enum(VERDICTS), z.int()))
    .describe('How many requirements of each level have each verdict.'),
  suite: factsSchema.shape.suite,
  specification: factsSchema.shape.specification,
  catalogue: factsSchema.shape.catalogue,
  power: z
    .object({
      mutants: z.int().describe('Servers with one defect each. The suite finds every one of them.'),
      variants: z
        .int()
        .describe('Conforming servers that differ in what is left open. The suite passes every one.'),
      generated: z
        .object({
          effort: z.enum(EFFORTS),
          required: z.object({ drawn: z.int(), caught: z.int() }),
          derived: z.object({ drawn: z.int(), caught: z.int() }),
        })
        .optional()
        .describe(
          'How many generated faults, which nobody had listed, the suite found in a measurement at an effort.',
        ),
    })
    .describe('What the tests of this version of the suite prove about it, and what was measured of it.'),
  seed: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  issuedAt: z.iso.datetime(),
  notAfter: z.iso.datetime().describe('The certificate has ended after this moment.'),
  limits: z
    .object({
      effort: z.enum(EFFORTS),
      allowed: z.object(counts).describe('The most that the run could send.'),
      sent: z.object(counts),
      warned: z
        .array(z.string())
        .describe('Requirements that hold with a warning, or are good practice and do not hold.'),
      inapplicable: z
        .array(z.string())
        .describe('Requirements that a choice of the target leaves nothing to check of.'),
      undecided: z
        .array(z.string())
        .describe('Advisory and open requirements that were not checked or not decided.'),
      notAsked: factsSchema.shape.notAsked.describe(
        'Sentences of the specification that no requirement checks.',
      ),
    })
    .describe('The limits of what was tested.'),
  declaration: z
    .enum(['given', 'observed'])
    .describe(
      'Whether the implementer declared the answers to open questions, or they are those that were observed.',
    ),
  reproduce: z.string().describe('The command that reproduces the certificate.'),
});

/** A statement of the in-toto Attestation Framework, version 1, with the certificate as its predicate. */
export const statementSchema = z.object({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256 }) })),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: predicateSchema,
});

export type Predicate = z.infer<typeof predicateSchema>;
export type Statement = z.infer<typeof statementSchema>;
