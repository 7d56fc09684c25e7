import { defineConfig } from 'vitest/config';
import { LEVELS } from './lib/requirement.ts';

// One worker and one module graph for all files: start-up is most of what small test files cost.
const shared = { pool: 'threads', isolate: false, maxWorkers: 1 } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'own',
          include: ['{lib,suites,fixtures}/**/*.test.ts'],
          testTimeout: 30_000,
          // The gate's complaints are the message.
          chaiConfig: { truncateThreshold: 0 },
        },
      },
      {
        test: {
          ...shared,
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
