import { afterAll, beforeAll, describe, inject, test, type RunnerTestSuite } from 'vitest';
import { certification, type Certification } from './certify.ts';
import type { Report, ReportedRequirement } from './reports/report.ts';
import { writeReports } from './reports/write.ts';
import type { Suite } from './requirement.ts';
import { Secret } from './secret.ts';
import { readSettings } from './settings.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded reference, served for this run because no target was given. */
    readonly reference:
      | {
          readonly url: string;
          readonly ca: string;
          readonly accounts: readonly [string, string][];
          readonly panelToken: string;
        }
      | undefined;
  }
}

/**
 * Hands the requirements to vitest, one test each. All selected checks are started at once, as on the command line;
 * each test awaits its own.
 */
export function conform(suites: readonly Suite[]): void {
  const requirements = suites.flatMap((suite) => suite.requirements);
  let running: Certification | undefined;
  let report: Promise<Report> | undefined;

  // vitest reads from this pattern which fixtures the hook wants: none.
  beforeAll(({}, suite) => {
    const wanted = wantedIn(suite);
    const selected = requirements.filter(({ id }) => wanted.has(id));
    const leftOut = requirements.filter(({ id }) => !wanted.has(id));
    running = certification({ settings: targeted(), selected, leftOut });
    report = running.report();
  });

  afterAll(async () => {
    if (report === undefined) return;
    writeReports(await report, targeted().reportDir);
  });

  for (const { topic, requirements: members } of suites) {
    describe(topic, () => {
      for (const { id, text, level } of members) {
        test(`${id}: ${text}`, { tags: [level] }, async (context) => {
          await running?.run.result(id);
          const judged = (await report)?.requirements.find((one) => one.id === id);
          if (judged === undefined) throw new Error(`${id} is not in the report`);
          await speak(judged, context);
        });
      }
    });
  }
}

interface Voice {
  skip(note?: string): never;
  annotate(message: string, type?: string): Promise<unknown>;
}

/** Tells vitest the verdict: it knows passing, failing and skipping. */
async function speak({ verdict, reason, exchanges }: ReportedRequirement, context: Voice): Promise<void> {
  switch (verdict) {
    case 'fail':
    case 'error':
      throw new Error([`${verdict}: ${reason}`, ...exchanges.slice(0, 1).map(({ curl }) => curl)].join('\n'));
    case 'warn':
    case 'observed':
      await context.annotate(reason, verdict === 'warn' ? 'warning' : 'notice');
      return;
    case 'skipped':
    case 'inapplicable':
      return context.skip(reason);
    case 'pass':
  }
}

/** The ids of the tests that vitest's filters have left to be run. */
function wantedIn(suite: Readonly<RunnerTestSuite>): Set<string> {
  return new Set(
    suite.tasks.flatMap((task) => {
      if (task.type === 'suite') return [...wantedIn(task)];
      return task.mode === 'run' ? [task.name.slice(0, task.name.indexOf(':'))] : [];
    }),
  );
}

function targeted(): ReturnType<typeof readSettings> & { readonly base: URL } {
  const settings = readSettings({ flags: {}, environment: process.env, envFile: '.env' });
  if (settings.base !== undefined) return { ...settings, base: settings.base };
  const reference = inject('reference');
  const [first, second] = reference?.accounts ?? [];
  if (reference === undefined || first === undefined || second === undefined) {
    throw new Error('there is no target: neither CONFORMANCE_BASE_URL nor the reference');
  }
  return {
    ...settings,
    base: new URL(reference.url),
    ca: reference.ca,
    username: first[0],
    password: new Secret(first[1], '$PASSWORD'),
    panelToken: new Secret(reference.panelToken, '$PANEL_TOKEN'),
    second: { username: second[0], password: new Secret(second[1], '$SECOND_PASSWORD') },
  };
}
