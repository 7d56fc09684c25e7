import { defineConfig } from 'vitest/config';
import { LEVELS } from './lib/requirement.ts';

// One module graph for all files of a worker: start-up is most of what small test files cost. Processes in place of threads,
// because tests of the command line run in a folder of their own. Both cores are busy, so that threads for collecting
// garbage only cost time.
const shared = {
  pool: 'forks' as const,
  isolate: false,
  execArgv: ['--single-threaded-gc', '--max-semi-space-size=32'],
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          maxWorkers: 2,
          name: 'own',
          include: ['{lib,suites,fixtures}/**/*.test.ts'],
          exclude: ['**/*.{browser,process,runs}.test.ts'],
          // No test takes long, but on a busy machine each one takes many times as long.
          testTimeout: 300_000,
          env: { NO_COLOR: '1' },
          // The gate's complaints are the message.
          chaiConfig: { truncateThreshold: 0 },
        },
      },
      {
        // What takes too long for every change: before a release, and where it is in doubt.
        test: {
          ...shared,
          maxWorkers: 2,
          name: 'prove',
          include: ['{lib,fixtures}/**/*.prove.ts'],
          testTimeout: 900_000,
          chaiConfig: { truncateThreshold: 0 },
        },
      },
      {
        // Whole runs on servers that behave oddly, each of which takes seconds.
        test: {
          ...shared,
          maxWorkers: 2,
          name: 'runs',
          include: ['fixtures/*.runs.test.ts'],
          testTimeout: 300_000,
          env: { NO_COLOR: '1' },
        },
      },
      {
        // What starts commands and scripts in processes of their own, most of which cost a second of processor time each.
        test: {
          ...shared,
          maxWorkers: 2,
          name: 'process',
          include: ['{lib,suites,fixtures}/**/*.process.test.ts'],
          testTimeout: 300_000,
        },
      },
      {
        // What needs a browser, which `npm test` does not.
        test: {
          ...shared,
          maxWorkers: 1,
          name: 'browser',
          include: ['{lib,fixtures}/**/*.browser.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          ...shared,
          maxWorkers: 1,
          name: 'target',
          tags: LEVELS.map((name) => ({ name })),
          include: ['suites/conformance.ts'],
          globalSetup: ['fixtures/reference/vitest-target.ts'],
          // The run has its own limits, which end it with a report.
          testTimeout: 0,
          hookTimeout: 0,
        },
      },
    ],
  },
});
