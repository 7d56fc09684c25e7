import { defineConfig } from 'rolldown';

/** Bundles the measured scripts, so that their start-up is that of the command line, which is bundled too. */
export default defineConfig({
  input: ['bench/bench.ts', 'bench/work.ts', 'bench/bare.ts'],
  platform: 'node',
  external: [/^zod(\/|$)/],
  output: { dir: 'dist/bench' },
});
