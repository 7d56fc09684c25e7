import { afterAll, beforeAll, describe, test, vi, type RunnerTestSuite } from 'vitest';
import { writeReports } from './reports/write.ts';
import type { Suite } from './requirement.ts';
import { certification, type Certification, type Plan } from './certify.ts';
import type { Report } from './reports/schema.ts';
import { targetOfProcess } from './vitest/running.ts';
import { tellVitest } from './vitest/telling.ts';

/** The plan of a run before vitest's filters select its requirements. */
export type Prepared = Omit<Plan, 'selected' | 'leftOut' | 'whyLeftOut'>;

/** vitest has to set no time limit: the run has limits of its own, and ends with a report. */
const NO_LIMIT = 0;

/**
 * Registers one vitest test for each requirement. The run checks all selected requirements as it does on the command line,
 * and each test ends as soon as its own result is known.
 *
 * @param prepare called once, when the first test starts. By default it is the target of the settings, or the reference.
 * @param hasTags whether each test has its level as a tag. The configuration of vitest must define these tags.
 */
export function conform(
  suites: readonly Suite[],
  prepare: () => Prepared | Promise<Prepared> = () => ({ settings: targetOfProcess() }),
  hasTags = true,
): void {
  const requirements = suites.flatMap((suite) => suite.requirements);
  let running: Certification | undefined;
  let report: Promise<Report> | undefined;
  let reportDir: string | undefined;

  // A test that waits for its result must not keep another test from reporting.
  vi.setConfig({ maxConcurrency: requirements.length });

  // The empty pattern `{}` tells vitest that the hook uses no fixture.
  beforeAll(async ({}, suite) => {
    const wanted = wantedIn(suite);
    const prepared = await prepare();
    reportDir = prepared.settings.reportDir;
    running = certification({
      ...prepared,
      selected: requirements.filter(({ id }) => wanted.has(id)),
      leftOut: requirements.filter(({ id }) => !wanted.has(id)),
      whyLeftOut: 'left out by the filters of vitest',
      onNotice: (sentence) => void process.stderr.write(`${sentence}\n`),
    });
    report = running.report();
  }, NO_LIMIT);

  afterAll(async () => {
    if (report !== undefined && reportDir !== undefined) writeReports(await report, reportDir);
  }, NO_LIMIT);

  for (const { topic, requirements: members } of suites) {
    describe(topic, { concurrent: true }, () => {
      for (const { id, section, level, text } of members) {
        const meta = { requirement: { id, section, level } };
        const options = { meta, timeout: NO_LIMIT, ...(hasTags ? { tags: [level] } : {}) };
        test(`${id}: ${text}`, options, (context) => {
          if (running === undefined) throw new Error('a test has started before the run');
          context.signal.addEventListener('abort', running.interrupt);
          return tellVitest(running.result(id), context);
        });
      }
    });
  }
}

/** The ids of the requirements whose tests vitest's filters leave to run. */
function wantedIn(suite: Readonly<RunnerTestSuite>): Set<string> {
  return new Set(
    suite.tasks.flatMap((task) => {
      if (task.type === 'suite') return [...wantedIn(task)];
      return task.mode === 'run' ? (task.meta.requirement?.id ?? []) : [];
    }),
  );
}
