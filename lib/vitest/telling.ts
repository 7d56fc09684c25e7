import type { TaskMeta, TestContext } from 'vitest';
import { harmless } from '../http/wording.ts';
import { inBrief, repeatLines } from '../reports/brief.ts';
import type { ReportedRequirement } from '../reports/schema.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The requirement of a test, for reporters. */
    requirement?: RequirementMeta;
  }
}

/** The members after `level` are set once the test has ended. */
export interface RequirementMeta extends Pick<ReportedRequirement, 'id' | 'section' | 'level'> {
  readonly verdict?: ReportedRequirement['verdict'];
  /** Why the verdict is not a plain pass; empty if it is. */
  readonly reason?: string;
  /** The answer to an open question, as a sentence. */
  readonly said?: string;
  /** For each exchange that shows the reason, a command that repeats its request. */
  readonly curl?: readonly string[];
}

/** Ends a test with the verdict on its requirement. vitest knows passing, failing and skipping. */
export async function tellVitest(
  result: Promise<ReportedRequirement>,
  { task, annotate, skip }: Pick<TestContext, 'annotate' | 'skip'> & { readonly task: { meta: TaskMeta } },
): Promise<void> {
  const found = await result;
  const { id, section, level, verdict, reason, said, exchanges } = found;
  task.meta.requirement = {
    id,
    section,
    level,
    verdict,
    reason,
    ...(said === undefined ? {} : { said }),
    curl: exchanges.map(({ curl }) => curl),
  };
  switch (verdict) {
    case 'fail':
    case 'error':
      throw new Finding(found);
    case 'warn':
      await annotate(harmless(reason), 'warning');
      return;
    case 'observed':
      await annotate(harmless(said ?? ''), 'notice');
      return;
    case 'skipped':
    case 'inapplicable':
      return skip(harmless(reason));
    case 'pass':
  }
}

/** The most exchanges that a failed test prints. The report holds all of them. */
const MOST_EXCHANGES = 3;

/** What a failed test prints: the finding, and no place in the code of this suite. */
class Finding extends Error {
  constructor({ verdict, reason, derivation, cause, example, exchanges }: ReportedRequirement) {
    const [first] = exchanges;
    const lines = [
      harmless(reason),
      ...(example === undefined ? [] : [...example.told.split('\n').map(harmless), harmless(example.repeat)]),
      ...(verdict === 'fail' && derivation !== undefined ? [`Why: ${derivation}`] : []),
      ...(verdict === 'fail' && cause !== undefined ? [`Often: ${cause}`] : []),
      ...exchanges.slice(0, MOST_EXCHANGES).flatMap((exchange) => {
        const [sent, came] = inBrief(exchange);
        return [`> ${sent}`, `< ${came}`];
      }),
      ...(first === undefined ? [] : repeatLines(first)),
    ];
    super(lines.join('\n'));
    this.name = verdict;
    // vitest would print the line of this file beside each finding.
    this.stack = '';
  }
}
