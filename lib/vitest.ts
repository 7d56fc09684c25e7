import { afterAll, beforeAll, describe, test, vi, type RunnerTestSuite } from 'vitest';
import { writeReports } from './reports/write.ts';
import type { Suite } from './requirement.ts';
import { certification, type Certification, type Plan } from './certify.ts';
import type { Report } from './reports/schema.ts';
import { targetOfProcess } from './vitest/running.ts';
import { tellVitest } from './vitest/telling.ts';

/** What a run under vitest knows before vitest's filters select its requirements. */
export type Prepared = Omit<Plan, 'selected' | 'leftOut' | 'whyLeftOut'>;

/** A run has limits of its own, which end it with a report. */
const NO_LIMIT = 0;

/**
 * Hands the requirements to vitest, one test each. All selected checks start at once, as on the command line, and each
 * test ends as soon as its own result is known.
 *
 * @param prepare is called once, when the first test starts. The default is the target of the settings, or the reference.
 * @param hasTags whether each test has its level as a tag, which the configuration of vitest must define.
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

  // A test that waits must not keep another one from telling its result.
  vi.setConfig({ maxConcurrency: requirements.length });

  // vitest reads from the pattern `{}` that the hook uses no fixture.
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

/** The ids of the requirements whose tests are left to run after vitest's filters. */
function wantedIn(suite: Readonly<RunnerTestSuite>): Set<string> {
  return new Set(
    suite.tasks.flatMap((task) => {
      if (task.type === 'suite') return [...wantedIn(task)];
      return task.mode === 'run' ? (task.meta.requirement?.id ?? []) : [];
    }),
  );
}
