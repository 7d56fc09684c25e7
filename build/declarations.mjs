// Writes the types of what the package exports to dist/types/: those of the entries, and what they need.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { files } = JSON.parse(readFileSync(join(root, 'build', 'tsconfig.json'), 'utf8'));
const all = join(root, 'dist', '.types');
const kept = join(root, 'dist', 'types');

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(
  process.execPath,
  [compiler, '--project', join(root, 'build'), '--outDir', all],
  {
    stdio: 'inherit',
  },
);
if (status !== 0) process.exit(1);

// The compiler writes the types of every file of the program.
const found = new Map();
const left = files.map((file) => join(all, relative(root, join(root, 'build', file))));
for (let source = left.pop(); source !== undefined; source = left.pop()) {
  const file = source.replace(/\.[jt]s$/, '.d.ts');
  if (found.has(file)) continue;
  // The declarations import the `.ts` sources, which the package does not contain.
  const types = readFileSync(file, 'utf8').replaceAll(/(\bfrom '\.[^']+)\.ts'/g, "$1.js'");
  found.set(file, types);
  for (const [, path] of types.matchAll(/\bfrom '(\.[^']+)'/g)) left.push(join(dirname(file), path));
}
for (const [file, types] of found) {
  const copy = join(kept, relative(all, file));
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, types);
}
rmSync(all, { recursive: true });
