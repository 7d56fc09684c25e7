import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { thirdParty } from './third-party.ts';

/** The entry points, by their paths in `dist/`. */
const ENTRIES = [
  'lib/cli/bin',
  'lib/cli/start',
  'lib/library/index',
  'lib/library/reference',
  'lib/library/vitest',
];

/**
 * Bundles the command line and what the package exports, with their dependencies: an installed package is small, starts
 * fast, and runs with the versions that were tested. Only packages that users of the library import themselves stay
 * outside.
 */
export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((path) => [path, `${path}.ts`])),
  platform: 'node',
  external: [/^zod(\/|$)/, /^vitest(\/|$)/],
  resolve: { alias: { undici$: fileURLToPath(new URL('undici.mjs', import.meta.url)) } },
  output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  plugins: [thirdParty()],
});
