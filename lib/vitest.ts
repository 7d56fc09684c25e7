import { afterAll, beforeAll, describe, test, vi, type RunnerTestSuite } from 'vitest';
import { writeReports } from './reports/write.ts';
import type { Suite } from './requirement.ts';
import type { Certification } from './certify.ts';
import type { Report } from './reports/schema.ts';
import { prepareRun, reportDir } from './vitest/running.ts';
import { tellVitest } from './vitest/telling.ts';

/**
 * Hands the requirements to vitest, one test each. All selected checks start at once, as on the command line, and each
 * test ends as soon as its own result is known.
 */
export function conform(suites: readonly Suite[]): void {
  const requirements = suites.flatMap((suite) => suite.requirements);
  let running: Certification | undefined;
  let report: Promise<Report> | undefined;

  // A test that waits must not keep another one from telling its result.
  vi.setConfig({ maxConcurrency: requirements.length });

  // vitest reads from the pattern `{}` that the hook uses no fixture.
  beforeAll(({}, suite) => {
    const wanted = wantedIn(suite);
    running = prepareRun(
      requirements.filter(({ id }) => wanted.has(id)),
      requirements.filter(({ id }) => !wanted.has(id)),
    );
    report = running.report();
  });

  afterAll(async () => {
    if (report !== undefined) writeReports(await report, reportDir());
  });

  for (const { topic, requirements: members } of suites) {
    describe(topic, { concurrent: true }, () => {
      for (const { id, section, level, text } of members) {
        const meta = { requirement: { id, section, level } };
        test(`${id}: ${text}`, { tags: [level], meta }, (context) => {
          if (running === undefined) throw new Error('a test has started before the run');
          context.signal.addEventListener('abort', running.interrupt);
          return tellVitest(running.result(id), context);
        });
      }
    });
  }
}

/** The ids of the requirements whose tests are left to run after vitest's filters. */
function wantedIn(suite: Readonly<RunnerTestSuite>): Set<string> {
  return new Set(
    suite.tasks.flatMap((task) => {
      if (task.type === 'suite') return [...wantedIn(task)];
      return task.mode === 'run' ? (task.meta.requirement?.id ?? []) : [];
    }),
  );
}
