// Starts the suite from a checkout: installs the locked dependencies if they are missing, builds if the build is older
// than the sources, then runs the command line. It is plain JavaScript because it runs before TypeScript is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FAULT = 70;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
const timeOf = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

function run(what, command, args, output = 2) {
  // Standard output is for the command that the user runs.
  // On Windows npm is a script, which Node.js starts in a shell only. No argument needs quotes there.
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', output, 2], shell });
  if (status === 0) return;
  process.stderr.write(`${what} failed (${error?.message ?? `exit code ${status}`}).\n`);
  process.exit(FAULT);
}

function newest(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .reduce((latest, entry) => Math.max(latest, timeOf(join(entry.parentPath ?? entry.path, entry.name))), 0);
}

function installDependencies() {
  if (timeOf(at('node_modules', '.package-lock.json')) < timeOf(at('package-lock.json'))) {
    process.stderr.write('Installing the locked dependencies…\n');
    run('npm ci', 'npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  }
}

function build() {
  const stamp = at('dist', '.built');
  const sources = ['build', 'lib', 'suites', 'fixtures'].map((folder) => newest(at(folder)));
  if (timeOf(stamp) >= Math.max(...sources, timeOf(at('package-lock.json')))) return;
  const bundler = at('node_modules', 'rolldown', 'bin', 'cli.mjs');
  run('The build', process.execPath, [bundler, '--config', at('build', 'rolldown.config.ts')], 'ignore');
  mkdirSync(at('dist'), { recursive: true });
  writeFileSync(stamp, '');
}

installDependencies();
if (process.argv[2] !== '--ready') {
  build();
  const { start } = await import('../dist/lib/cli/start.js');
  await start(true);
}
