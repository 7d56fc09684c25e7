import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUITE } from './suite.ts';

/** The commit of the suite that runs, and whether its files differ from it. */
interface SuiteCommit {
  readonly commit: string;
  readonly changed: boolean;
}

/** The file in the package that names the commit from which the package was built. */
const PACKED = 'dist/commit.txt';

let known: { readonly commit: SuiteCommit | undefined } | undefined;

/** The commit of this suite; undefined if it is neither in a checkout nor in a package that names its commit. */
export function suiteCommit(): SuiteCommit | undefined {
  known ??= { commit: commitOf(SUITE.folder) };
  return known.commit;
}

/** The commit of the suite in a folder. */
export function commitOf(folder: string): SuiteCommit | undefined {
  // An installed package may be inside somebody else's checkout, whose commit is not its own.
  if (!existsSync(join(folder, '.git'))) return packed(folder);
  try {
    const commit = git(folder, 'rev-parse', 'HEAD');
    return { commit, changed: git(folder, 'status', '--porcelain', '--untracked-files=no') !== '' };
  } catch {
    return undefined;
  }
}

function packed(folder: string): SuiteCommit | undefined {
  const file = join(folder, PACKED);
  const commit = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return /^[\da-f]{40,64}$/.test(commit) ? { commit, changed: false } : undefined;
}

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
