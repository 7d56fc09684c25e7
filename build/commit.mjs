// Writes to dist/commit.txt the commit that the package is made from, which reports of an installed suite name. Writes
// none outside a checkout, or if files differ from the commit.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'dist', 'commit.txt');

const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout?.trim();

// A copy of the project without a repository of its own may lie in another repository.
const isCheckout = existsSync(join(root, '.git'));
if (isCheckout && git('status', '--porcelain', '--untracked-files=no') === '')
  writeFileSync(file, `${git('rev-parse', 'HEAD')}\n`);
else rmSync(file, { force: true });
