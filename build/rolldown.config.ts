import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { thirdParty } from './third-party.ts';

/** What starts here, by the path that it has in `dist/`. */
const ENTRIES = [
  'lib/cli/bin',
  'lib/cli/start',
  'lib/library/index',
  'lib/library/reference',
  'lib/library/vitest',
];

/**
 * Bundles the command line and what the package exports, with their dependencies: an installed package is small, starts
 * fast, and runs with the versions that were tested. Only what users of the library import themselves stays outside.
 */
export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((path) => [path, `${path}.ts`])),
  platform: 'node',
  external: [/^zod(\/|$)/, /^vitest(\/|$)/],
  resolve: { alias: { undici$: fileURLToPath(new URL('undici.mjs', import.meta.url)) } },
  output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
  plugins: [thirdParty()],
});
