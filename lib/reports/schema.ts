import { z } from 'zod';
import { EFFORTS } from '../effort.ts';
import { evidenceSchema } from '../judging/evidence.ts';
import { PROBLEMS } from '../known-failures/gate.ts';
import { SKIP_REASONS, VERDICTS } from '../judging/judge.ts';
import { LEVELS } from '../requirement.ts';
import { fingerprintSchema } from './fingerprint.ts';
import { provenanceSchema } from './provenance.ts';

const requirementSchema = z.object({
  id: z.string(),
  section: z.string().describe('Section of the specification.'),
  level: z.enum(LEVELS),
  text: z.string(),
  derivation: z.string().optional(),
  specification: z
    .object({ section: z.string(), says: z.string() })
    .optional()
    .describe('The first sentence of the specification that it checks, in words of this suite.'),
  cause: z.string().optional().describe('What usually causes the fault.'),
  verdict: z.enum(VERDICTS),
  reason: z.string().describe('Empty if the requirement holds.'),
  skippedFor: z
    .enum(SKIP_REASONS)
    .optional()
    .describe(
      'Why it was skipped: the tester left it out or did not give what it needs, or the budget was used up.',
    ),
  exchanges: z.array(evidenceSchema).describe('The exchanges that show the reason.'),
  restsOn: z
    .string()
    .regex(/^(every|\d+(-\d+)?( \d+(-\d+)?)*)?$/)
    .optional()
    .describe(
      'The numbers of the exchanges that the verdict rests on, such as `3 7-9`, or `every`. Left out if no evidence was kept.',
    ),
  setUp: z
    .array(
      z.object({
        tag_id: z.string(),
        name: z.string().describe('The name that it was made under.'),
        updates: z.array(z.string()).optional().describe('The names that it was updated to, in this order.'),
        gone: z.literal(true).optional().describe('It had been deleted before these exchanges.'),
        second: z.literal(true).optional().describe('It is a tag of the second account.'),
      }),
    )
    .optional()
    .describe('Tags that the run had made before these exchanges, which name them.'),
  expected: z.string().optional().describe('The status, body or header that was expected, if there was one.'),
  waitsFor: z
    .string()
    .optional()
    .describe('The failed requirement because of which this one could not be decided.'),
  durationMs: z.number(),
  example: z
    .object({
      told: z.string().describe('The case, for people.'),
      path: z.string().describe('Selects the case again, together with the seed of the run.'),
      repeat: z.string().describe('The command that runs only this case.'),
      script: z.string().optional().describe('A shell script that sends the case.'),
      isCutShort: z
        .literal(true)
        .optional()
        .describe('A limit of the run ended the search for a smaller case.'),
    })
    .optional()
    .describe('The smallest case found for which a property does not hold.'),
  steadiness: z
    .object({ asked: z.int(), failed: z.int() })
    .optional()
    .describe('How often a broken requirement was checked in all, and how often it was broken.'),
  key: z.string().optional().describe('The name of an open question in the fingerprint and in declarations.'),
  answer: z.unknown().optional().describe('What was observed, if the specification leaves the answer open.'),
  said: z.string().optional().describe('The answer as a sentence.'),
  declared: z.unknown().optional().describe('What the implementer declared the answer to be.'),
  known: z
    .object({
      finding: z.string().optional(),
      reason: z.string().optional(),
      // Pages show it as a link.
      link: z.url({ protocol: /^https?$/ }).optional(),
      until: z.string().optional(),
    })
    .optional()
    .describe(
      'It fails or could not be decided, and the list of known failures accepts that: the entry of the list.',
    ),
});

const causeSchema = z.object({
  id: z.string().describe('The finding that shows the cause.'),
  explains: z.array(z.string()).describe('Other findings that follow from it.'),
  waiting: z.array(z.string()).describe('Requirements that could not be decided because of it.'),
});

const operation = z.enum(['login', 'create', 'rename', 'list', 'delete']);

/** When the requests were sent and how long they took. Times are milliseconds from the first request. */
const courseSchema = z.object({
  sliceMs: z.number().describe('The length of each slice.'),
  slices: z.array(
    z.object({
      sent: z
        .partialRecord(operation, z.int())
        .describe('How many requests were sent within the slice, by operation.'),
      slowestMs: z.number().describe('The longest time until an answer.'),
      troubled: z.int().describe('How many were answered 5xx or not at all.'),
    }),
  ),
  pauses: z
    .array(z.object({ fromMs: z.number(), ms: z.number(), status: z.int() }))
    .describe('From an answer that asks to come back later (429, 503) until the next request.'),
  slowest: z.array(
    z.object({
      number: z.int(),
      operation: operation,
      status: z.int().describe('0 if no answer came.'),
      fromMs: z.number(),
      ms: z.number(),
    }),
  ),
});

/** Counts of what a run sends. */
const counts = { requests: z.int(), writes: z.int(), logins: z.int(), failedLogins: z.int() };

/** Everything that a run found. The other reports are views of it. */
export const reportSchema = z.object({
  verdict: z.enum(['conforming', 'non-conforming', 'inconclusive']),
  partial: z
    .boolean()
    .describe(
      'A required or derived requirement was skipped: the tester left it out, something was not given, or the budget was used up.',
    ),
  untested: z.int().describe('How many required and derived requirements were skipped.'),
  overBudget: z
    .array(z.string())
    .describe(
      'The ids of those among them that were skipped because the budget was used up. More than three make the run inconclusive.',
    ),
  exitCode: z.int(),
  knownFailures: z
    .object({
      file: z.string(),
      known: z.array(z.string()).describe('The ids of the failures that the list accepts.'),
      problems: z
        .array(z.object({ id: z.string(), kind: z.enum(PROBLEMS), sentence: z.string() }))
        .describe('What is wrong with entries of the list. Each makes the exit code 1.'),
    })
    .optional()
    .describe(
      'What a list of known failures did to the exit code, if one was given. It does not change the verdict on the target.',
    ),
  ended: z.enum(['whole', 'cut short', 'interrupted']),
  ...provenanceSchema,
  evidence: z
    .object({
      file: z.string().describe('Lies beside the report.'),
      entries: z.int(),
      bytes: z.int(),
      sha256: z.string(),
    })
    .optional()
    .describe('The file with every exchange of the run. Left out if none was kept.'),
  target: z.string().describe('Origin and path of the base URL.'),
  seed: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  durationMs: z.number(),
  effort: z.enum(EFFORTS),
  traffic: z
    .object({
      ...counts,
      retries: z.int(),
      waitedMs: z.number(),
      counted: z
        .object(counts)
        .describe(
          'What of it counts against the limits: not what the target deferred, nor what was sent again because a token had ended, an answer was lost or an outage was over, nor what went beyond a limit to remove tags.',
        ),
    })
    .describe('All that was sent.'),
  course: courseSchema.optional().describe('When it was sent. Left out if nothing was.'),
  planned: z.object(counts).describe('The limits that the effort sets.'),
  obstacle: z
    .object({
      step: z.string(),
      why: z.string(),
      slip: z
        .string()
        .optional()
        .describe('If it looks like a mistake of the tester: which one, and what to check.'),
      exchanges: z.array(evidenceSchema),
    })
    .optional()
    .describe('The first step of the preflight that failed.'),
  fault: z
    .string()
    .optional()
    .describe('A fault of the suite itself. If there is one, no verdict of the run can be trusted.'),
  requirements: z.array(requirementSchema),
  causes: z
    .array(causeSchema)
    .describe('The causes of the failures, the most basic one first. Each failure stands in one of them.'),
  fingerprint: fingerprintSchema,
  inventory: z
    .object({
      before: z.int(),
      after: z.int(),
      gone: z.int().describe('Tags listed before and not afterwards. Other people may have removed them.'),
      changed: z
        .int()
        .describe('Tags listed under another name afterwards. Other people may have renamed them.'),
      addressed: z
        .int()
        .describe('Tags listed before whose tag_id stands in the path of an update or delete of this run.'),
      appeared: z
        .int()
        .optional()
        .describe(
          'Further tags listed afterwards that the report names nowhere. Other people may have made them.',
        ),
      copies: z
        .int()
        .optional()
        .describe(
          'Tags with names of this run that no create had answered. They were removed: a create may make two tags, and other people may copy a name.',
        ),
    })
    .optional()
    .describe("Other people's tags in the list before and after the run."),
  residue: z
    .array(
      z.object({
        name: z.string(),
        tag_id: z.string().optional(),
        state: z
          .enum(['left', 'may be left'])
          .describe(
            '`left` if the last readable list shows the tag; `may be left` if nothing shows whether it exists.',
          ),
        why: z.string(),
        curl: z.string().optional(),
      }),
    )
    .describe('Tags of this run that are left, or may be.'),
});

export type Report = z.infer<typeof reportSchema>;
export type Cause = Report['causes'][number];
export type ReportedRequirement = Report['requirements'][number];
