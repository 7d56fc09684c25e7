// Prints the cost of the suite as ratios within one run: on a shared machine, seconds cannot be compared.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collection, newmanEnvironment } from './collection.ts';
import { measured, median, type Measured } from './measured.ts';
import { ROUNDS } from './rounds.ts';
import { served } from './server.ts';

const REPEATS = 5;
const LATENCY_MS = 50;
const CONCURRENCY = 8;

const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SUITE = built('../lib/cli/bin.js');
/** This file is built to dist/bench/, but the other tools stay in the source folder. */
const OTHERS = built('../../bench/others');

const say = (line = ''): void => void process.stdout.write(`${line}\n`);
const ratio = (one: number, other: number): string => (one / other).toFixed(2);
const ms = (value: number): string => `${Math.round(value)} ms`;
const mediansOf = (all: readonly Measured[]): { cpuMs: number; wallMs: number } => ({
  cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  wallMs: median(all.map(({ wallMs }) => wallMs)),
});

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  await processorTime();
  await wallTime();
  await others();
} finally {
  rmSync(folder, { recursive: true });
}

/** Compares a standard run on loopback with a bare script that sends the same requests. */
async function processorTime(): Promise<void> {
  const suite: Measured[] = [];
  const bare: Measured[] = [];
  let count = 0;
  for (let time = 0; time < REPEATS; time++) {
    const { server, environment, close } = await served();
    suite.push(await measured([SUITE], environment));
    count = server.requests.length;
    const requests = join(folder, 'requests.json');
    writeFileSync(requests, JSON.stringify(server.requests), { mode: 0o600 });
    bare.push(await measured([built('bare.js')], { ...environment, BENCH_REQUESTS: requests }));
    await close();
  }
  const [one, other] = [mediansOf(suite), mediansOf(bare)];
  say(
    `A standard run on loopback, ${count} requests, compared with a bare undici script that sends the same; median of ${REPEATS}:`,
  );
  say(
    `  processor time  ${ratio(one.cpuMs, other.cpuMs)}  (${ms(one.cpuMs)} to ${ms(other.cpuMs)}; goal 2.5)`,
  );
  say(`  wall time       ${ratio(one.wallMs, other.wallMs)}  (${ms(one.wallMs)} to ${ms(other.wallMs)})`);
  say();
}

/** Compares a standard run with delayed answers to the least time that its requests could take. */
async function wallTime(): Promise<void> {
  const { server, environment, close } = await served(LATENCY_MS);
  const { wallMs, startedAt } = await measured([SUITE], environment);
  await close();
  const startUp = (server.firstAt ?? startedAt) - startedAt;
  const count = server.requests.length;
  const least = (count * LATENCY_MS) / CONCURRENCY + startUp;
  say(`A standard run with ${LATENCY_MS} ms to each answer, ${count} requests, ${CONCURRENCY} at once:`);
  say(
    `  wall time       ${ratio(wallMs, least)}  (${ms(wallMs)} to ${ms(least)}, of which ${ms(startUp)} start-up; goal 1.3)`,
  );
  say();
}

/** Compares this suite with other tools that send the same thirty requests. */
async function others(): Promise<void> {
  if (!existsSync(join(OTHERS, 'node_modules'))) {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: OTHERS,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error(`npm ci in ${OTHERS} ended with ${status}`);
  }
  const file = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 });
    return join(folder, name);
  };
  const tools = {
    'this suite': () => [built('work.js')],
    newman: (environment: Readonly<Record<string, string>>) => [
      join(OTHERS, 'node_modules', 'newman', 'bin', 'newman.js'),
      'run',
      file('collection.json', collection),
      '--environment',
      file(
        'environment.json',
        newmanEnvironment({
          base: environment['CONFORMANCE_BASE_URL'] ?? '',
          username: environment['CONFORMANCE_USERNAME'] ?? '',
          password: environment['CONFORMANCE_PASSWORD'] ?? '',
        }),
      ),
    ],
    pactum: () => [join(OTHERS, 'pactum.js')],
  };
  const results = new Map<string, { all: Measured[]; requests: number }>();
  for (let time = 0; time < REPEATS; time++) {
    for (const [tool, argsOf] of Object.entries(tools)) {
      const { server, environment, close } = await served();
      const result = results.get(tool) ?? { all: [], requests: 0 };
      result.all.push(await measured(argsOf(environment), { ...environment, BENCH_ROUNDS: String(ROUNDS) }));
      result.requests = server.requests.length;
      results.set(tool, result);
      await close();
    }
  }
  say(
    `The same ${2 + 4 * ROUNDS} requests with other tools, compared with this suite; median of ${REPEATS}:`,
  );
  const { cpuMs, wallMs } = mediansOf(results.get('this suite')?.all ?? []);
  for (const [tool, { all, requests }] of results) {
    const medians = mediansOf(all);
    say(
      `  ${tool.padEnd(14)}  processor time ${ratio(medians.cpuMs, cpuMs)} (${ms(medians.cpuMs)}), wall time ${ratio(medians.wallMs, wallMs)} (${ms(medians.wallMs)}), ${requests} requests in all`,
    );
  }
}
