import type { KnownFailure } from '../known-failures/list.ts';
import { z } from 'zod';
import type { Result } from '../run/results.ts';
import type { Conclusion } from '../run/run.ts';
import { BUDGETS } from '../effort.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { judge, type Claim } from '../judging/judge.ts';
import type { KnownFailures } from '../known-failures/list.ts';
import { broken, holdsWithWarning, holds, observed, undecided, type Outcome } from '../outcome.ts';
import { open, type Level, type Requirement } from '../requirement.ts';
import { Secret } from '../secret.ts';
import type { Provenance } from './provenance.ts';
import { report, type Report } from './report.ts';

export function requirementOf(id: string, level: Level): Requirement {
  const [topic = ''] = id.split('/');
  const section = { list: '4.4', tokens: '5' }[topic] ?? '4.2';
  const common = {
    id,
    section,
    sentences: ['4.2/path'] as const,
    text: `It is so (${id}).`,
    check: () => Promise.resolve(holds()),
  };
  if (level === 'open') {
    return open<unknown>({
      ...common,
      key: id.replace('/', '.'),
      answers: z.unknown(),
      tell: (answer) => `The answer is ${JSON.stringify(answer)}.`,
      ask: () => Promise.reject(new Error('nobody asks')),
    });
  }
  return level === 'derived' ? { ...common, level, derivation: 'It follows.' } : { ...common, level };
}

export function resultOf(id: string, level: Level, outcome: Outcome, claim?: Claim): Result {
  const verdict = judge(level, outcome, claim);
  return { requirement: requirementOf(id, level), outcome, verdict, claim, durationMs: 12.3 };
}

/** A create with a wrong answer. */
export const wrong = exchangeOf(
  answerOf(201, { message: 'made' }, [['content-type', 'application/json']]),
  { operation: 'create', method: 'POST', body: '{"name":"a"}' },
  4,
);

/** One result of each verdict. */
export const EACH: readonly Result[] = [
  resultOf('create/passes', 'required', holds()),
  resultOf('create/fails', 'derived', broken('answered 201, not 200', wrong)),
  resultOf('create/warns', 'advisory', broken('answered late', wrong)),
  resultOf('list/doubtful', 'required', holdsWithWarning('answered oddly', wrong)),
  resultOf('list/observed', 'open', observed({ answer: { order: 'oldest' }, exchanges: [wrong] })),
  resultOf('list/inapplicable', 'required', undecided('choice', 'there is nothing to ask')),
  resultOf('tokens/skipped', 'required', undecided('tester', 'there is no second account')),
  resultOf('tokens/error', 'required', undecided('failure', 'the login was refused', wrong)),
];

const PROVENANCE: Provenance = {
  catalogue: { requirements: 8, sha256: '0'.repeat(64) },
  suite: { name: 'suite', version: '1.2.3' },
  runtime: { node: 'v20.19.0', system: 'linux x64' },
  settings: [{ name: 'CONFORMANCE_EFFORT', value: 'standard', from: 'default' }],
  server: [],
  notAsked: [],
};

/** The report of a run with these results. */
export function reportOf(
  results: readonly Result[],
  parts: Partial<Conclusion> & {
    readonly leftOut?: readonly Requirement[];
    readonly requireWhole?: boolean;
    readonly secret?: string;
    readonly knownFailures?: KnownFailures;
  } = {},
): Report {
  const { session } = sessionWith(new FakeTarget());
  if (parts.secret !== undefined) session.masker.add(new Secret(parts.secret, '$SECRET'));
  const { leftOut = [], requireWhole = false, knownFailures, ...conclusion } = parts;
  return report({
    conclusion: { results, ended: 'whole', residue: [], durationMs: 1234.5, ...conclusion },
    session,
    leftOut: leftOut.map((requirement) => ({ requirement, why: 'left out by --only' })),
    budget: BUDGETS.standard,
    provenance: PROVENANCE,
    startedAt: new Date(0),
    endedAt: new Date(1_235),
    requireWhole,
    knownFailures,
  });
}

/** A report in which a list accepts the only failure, and an entry of the list is out of date. */
export function knownReport(known: Omit<KnownFailure, 'id'>): Report {
  const report = reportOf(EACH);
  return {
    ...report,
    knownFailures: {
      file: 'known.json',
      known: ['create/fails'],
      problems: [{ id: 'list/old', kind: 'passes now', sentence: 'list/old passes now.' }],
    },
    requirements: report.requirements.map((one) => (one.id === 'create/fails' ? { ...one, known } : one)),
  };
}
