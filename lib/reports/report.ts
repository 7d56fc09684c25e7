import { z } from 'zod';
import type { Result } from '../run/results.ts';
import type { Conclusion } from '../run/run.ts';
import type { Session } from '../run/session.ts';
import { evidence, evidenceSchema } from '../judging/evidence.ts';
import { contradiction } from '../judging/claim.ts';
import { exitCode, standing, VERDICTS } from '../judging/judge.ts';
import { EFFORTS, type Budget, type Effort } from '../effort.ts';
import { withShortQuotes } from '../http/wording.ts';
import type { Masker } from '../judging/masker.ts';
import { LEVELS, type Requirement } from '../requirement.ts';
import { fingerprint, fingerprintSchema } from './fingerprint.ts';

const requirementSchema = z.object({
  id: z.string(),
  section: z.string().describe('Section of the specification.'),
  level: z.enum(LEVELS),
  text: z.string(),
  derivation: z.string().optional(),
  cause: z.string().optional().describe('What usually causes the fault.'),
  verdict: z.enum(VERDICTS),
  reason: z.string().describe('Empty where the requirement holds.'),
  exchanges: z.array(evidenceSchema).describe('The exchanges that show the reason.'),
  durationMs: z.number(),
  example: z
    .object({
      told: z.string().describe('The case, for people.'),
      path: z.string().describe('Leads to the case again, with the seed of the run.'),
      repeat: z.string().describe('The command that asks just this case.'),
      script: z.string().optional().describe('A shell script that sends the case.'),
    })
    .optional()
    .describe('The smallest case found for which a property does not hold.'),
  steadiness: z
    .object({ asked: z.int(), failed: z.int() })
    .optional()
    .describe('How often a broken requirement was asked in all, and how often it was broken.'),
  key: z.string().optional().describe('By which the fingerprint and declarations know an open question.'),
  answer: z
    .unknown()
    .optional()
    .describe('What was observed, where the specification leaves the answer open.'),
  said: z.string().optional().describe('The answer as a sentence.'),
  declared: z.unknown().optional().describe('What the implementer declared the answer to be.'),
});

/** What a run sends, counted. */
const counts = { requests: z.int(), writes: z.int(), logins: z.int(), failedLogins: z.int() };

/** Everything that a run came to. The other reports are views of it. */
export const reportSchema = z.object({
  verdict: z.enum(['conforming', 'non-conforming', 'inconclusive']),
  partial: z
    .boolean()
    .describe('Something was left out by the choice of the tester, or for lack of something.'),
  untested: z.int().describe('Required and derived requirements that were not tested for that reason.'),
  exitCode: z.int(),
  ended: z.enum(['whole', 'cut short', 'interrupted']),
  suite: z.object({ name: z.string(), version: z.string() }),
  target: z.string().describe('Origin and path of the base URL.'),
  seed: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  effort: z.enum(EFFORTS),
  traffic: z.object({
    ...counts,
    retries: z.int(),
    waitedMs: z.number(),
  }),
  planned: z.object(counts).describe('The most of each that the effort allows.'),
  obstacle: z
    .object({ step: z.string(), why: z.string(), exchanges: z.array(evidenceSchema) })
    .optional()
    .describe('The first step of the preflight that did not work.'),
  fault: z
    .string()
    .optional()
    .describe('A fault of the suite itself: then no verdict of the run is to be trusted.'),
  requirements: z.array(requirementSchema),
  fingerprint: fingerprintSchema,
  inventory: z
    .object({
      before: z.int(),
      after: z.int(),
      gone: z.int().describe('Of those before. Other people may have removed them.'),
      changed: z.int().describe('Of those before. Other people may have renamed them.'),
      addressed: z.int().describe('Of those before: named in the path of an update or a delete of this run.'),
    })
    .optional()
    .describe("Other people's tags in the list before and after the run."),
  residue: z.array(
    z.object({
      name: z.string(),
      tag_id: z.string().optional(),
      why: z.string(),
      curl: z.string().optional(),
    }),
  ),
});

export type Report = z.infer<typeof reportSchema>;
export type ReportedRequirement = Report['requirements'][number];

/** Turns what a run came to into data that may leave the process: masked, and complete. */
export function report(parts: {
  readonly conclusion: Conclusion;
  readonly session: Session;
  readonly masker: Masker;
  /** Requirements that the tester left out. */
  readonly leftOut: readonly { readonly requirement: Requirement; readonly why: string }[];
  /** The most that the run was allowed to send. */
  readonly budget: Budget;
  readonly suite: Report['suite'];
  readonly startedAt: Date;
  readonly requireWhole: boolean;
}): Report {
  const { conclusion, session, masker } = parts;
  const shown = (exchange: Parameters<typeof evidence>[0]): ReturnType<typeof evidence> =>
    evidence(exchange, session.settings.base, masker, (name) => session.names.isOwn(name));
  const reported = (result: Result): ReportedRequirement => {
    const { requirement, outcome, verdict } = result;
    const said = outcome.kind === 'holds' ? outcome.warning : outcome;
    return {
      ...sentence(requirement),
      verdict,
      reason: reasonOf(result, masker),
      exchanges: (said?.exchanges ?? []).map(shown),
      durationMs: Math.round(result.durationMs),
      ...exampleOf(result, session.settings, masker),
      ...(result.steadiness === undefined ? {} : { steadiness: result.steadiness }),
      // Answers come from lists of our own, so that there is nothing in them to mask.
      ...(requirement.level === 'open' && outcome.kind === 'observed'
        ? { answer: outcome.answer, said: requirement.question.tell(outcome.answer) }
        : {}),
      ...(result.claim === undefined ? {} : { declared: result.claim.declared }),
    };
  };
  const requirements = [
    ...conclusion.results.map(reported),
    ...parts.leftOut.map(({ requirement, why }) => ({
      ...sentence(requirement),
      verdict: 'skipped' as const,
      reason: why,
      exchanges: [],
      durationMs: 0,
    })),
  ];
  const stands = standing(requirements, conclusion.ended === 'whole');
  const faulty = conclusion.fault !== undefined;
  // Free text is masked part by part: a secret that is also a word of the report's own must not change its form.
  return {
    verdict: stands.verdict,
    partial: stands.partial,
    untested: stands.untested,
    exitCode: exitCode({
      standing: stands,
      ended: conclusion.ended,
      faulty,
      requireWhole: parts.requireWhole,
    }),
    ended: conclusion.ended,
    suite: parts.suite,
    target: masker.text(session.settings.base.href.replace(/\/+$/, '')),
    seed: masker.text(session.settings.seed),
    startedAt: parts.startedAt.toISOString(),
    durationMs: Math.round(conclusion.durationMs),
    effort: session.settings.effort,
    traffic: session.client.budget.traffic,
    planned: parts.budget,
    ...(conclusion.obstacle === undefined
      ? {}
      : {
          obstacle: {
            step: conclusion.obstacle.step,
            why: withShortQuotes(masker.text(conclusion.obstacle.why)),
            exchanges: conclusion.obstacle.exchanges.map(shown),
          },
        }),
    ...(conclusion.fault === undefined
      ? {}
      : { fault: masker.text(conclusion.fault.stack ?? conclusion.fault.message) }),
    requirements,
    fingerprint: fingerprint(requirements),
    ...(conclusion.inventory === undefined ? {} : { inventory: conclusion.inventory }),
    residue: [...conclusion.residue],
  };
}

function sentence(
  requirement: Requirement,
): Pick<ReportedRequirement, 'id' | 'section' | 'level' | 'text' | 'derivation' | 'cause' | 'key'> {
  const { id, section, level, text, cause } = requirement;
  return {
    id,
    section,
    level,
    text,
    ...(level === 'derived' ? { derivation: requirement.derivation } : {}),
    ...(cause === undefined ? {} : { cause }),
    ...(level === 'open' ? { key: requirement.question.key } : {}),
  };
}

function exampleOf(
  { requirement, outcome }: Result,
  { seed, effort }: { readonly seed: string; readonly effort: Effort },
  masker: Masker,
): Pick<ReportedRequirement, 'example'> {
  if (outcome.kind !== 'broken' || outcome.example === undefined) return {};
  const { told, path, script } = outcome.example;
  return {
    example: {
      told: masker.text(told),
      path,
      // What is asked first depends on the effort, and so does where a path leads.
      repeat: [
        `npm start -- --only ${requirement.id}`,
        ...(effort === 'standard' ? [] : [`--effort ${effort}`]),
        `--seed ${quoted(masker.text(seed))} --path ${path}`,
      ].join(' '),
      ...(script === undefined ? {} : { script: masker.text(script) }),
    },
  };
}

/** As one word of a shell. */
const quoted = (word: string): string =>
  /^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Empty where a requirement holds, or an answer is what it is. */
function reasonOf({ requirement, outcome, claim, verdict }: Result, masker: Masker): string {
  switch (outcome.kind) {
    case 'holds':
      return outcome.warning === undefined ? '' : withShortQuotes(masker.text(outcome.warning.why));
    case 'observed':
      return claim !== undefined && verdict === 'fail' && requirement.level === 'open'
        ? contradiction(requirement.question.key, claim.declared, outcome.answer)
        : '';
    case 'broken':
    case 'undecided':
      return withShortQuotes(masker.text(outcome.why));
  }
}
