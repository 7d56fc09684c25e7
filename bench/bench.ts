// Prints the cost of the suite as ratios within one run: on a shared machine, seconds cannot be compared.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Change } from '../fixtures/fixture.ts';
import { mutants } from '../fixtures/mutants/index.ts';
import { collection, newmanEnvironment, sentAgain, wholeCollection } from './collection.ts';
import { measured, median, type Measured } from './measured.ts';
import { ROUNDS } from './rounds.ts';
import { REPLAY, served } from './server.ts';

const REPEATS = 5;
const LATENCY_MS = 50;

/** Servers for which a run looks for effects that no list shows. */
const DEFECTS = [
  'A list has its tags in the member data in place of tagging.',
  'A list with a filter leaves out the names.',
  'A delete is confirmed, but the tag stays.',
  'The filter is decoded as Latin-1.',
];

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
  await quickTime();
  await brokenTime();
  await thirty();
  await whole();
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
    `  processor time  ${ratio(one.cpuMs, other.cpuMs)}  (${ms(one.cpuMs)} to ${ms(other.cpuMs)}; goal 1.8)`,
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

/** Measures how long a run of the least effort takes. */
async function quickTime(): Promise<void> {
  const all: Measured[] = [];
  const afterStart: number[] = [];
  let count = 0;
  for (let time = 0; time < REPEATS; time++) {
    const { server, environment, close } = await served();
    const run = await measured([SUITE], { ...environment, CONFORMANCE_EFFORT: 'quick' });
    await close();
    all.push(run);
    afterStart.push(run.startedAt + run.wallMs - (server.firstAt ?? run.startedAt));
    count = server.requests.length;
  }
  const { cpuMs, wallMs } = mediansOf(all);
  say(`A quick run on loopback, ${count} requests; median of ${REPEATS}:`);
  say(
    `  wall time       ${ms(wallMs)}, of which ${ms(median(afterStart))} from the first request to the end (goal 1000 ms); processor time ${ms(cpuMs)}`,
  );
  say();
}

/** Compares how long servers with a defect take with the reference. */
async function brokenTime(): Promise<void> {
  const wall = async (change: Change | undefined): Promise<number> => {
    const { environment, close } = await served(0, change);
    const { wallMs } = await measured([SUITE], environment, { expected: change === undefined ? 0 : 1 });
    await close();
    return wallMs;
  };
  const good = await wall(undefined);
  say(`A standard run of a server with a defect, compared with the reference (${ms(good)}; goal 2):`);
  for (const { defect, change } of mutants.filter((one) => DEFECTS.includes(one.defect))) {
    const wallMs = await wall(change);
    say(`  ${ratio(wallMs, good).padStart(5)}  ${defect} (${ms(wallMs)})`);
  }
  say();
}

/** The folder of the other tools, which are installed there once. */
function installed(): string {
  if (existsSync(join(OTHERS, 'node_modules'))) return OTHERS;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: OTHERS,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error(`npm ci in ${OTHERS} ended with ${status}`);
  return OTHERS;
}

function file(name: string, content: unknown): string {
  writeFileSync(join(folder, name), JSON.stringify(content), { mode: 0o600 });
  return join(folder, name);
}

function newman(work: unknown, environment: Readonly<Record<string, string>>): string[] {
  const variables = newmanEnvironment({
    base: environment['CONFORMANCE_BASE_URL'] ?? '',
    username: environment['CONFORMANCE_USERNAME'] ?? '',
    password: environment['CONFORMANCE_PASSWORD'] ?? '',
  });
  return [
    join(installed(), 'node_modules', 'newman', 'bin', 'newman.js'),
    'run',
    file('collection.json', work),
    '--ignore-redirects',
    '--environment',
    file('environment.json', variables),
  ];
}

/** Compares this suite with other tools that send the same thirty requests. */
async function thirty(): Promise<void> {
  const tools = {
    'this suite': () => [built('work.js')],
    newman: (environment: Readonly<Record<string, string>>) => newman(collection, environment),
    pactum: () => [join(installed(), 'pactum.js')],
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
  const suite = mediansOf(results.get('this suite')?.all ?? []);
  for (const [tool, { all, requests }] of results)
    sayBeside(tool, mediansOf(all), suite, `${requests} requests in all`);
  say();
}

/** Compares a standard run with other tools that send its requests again, and check no more than that an answer comes. */
async function whole(): Promise<void> {
  const { server, environment, close } = await served();
  const suite = await measured([SUITE], environment);
  const requests = [...server.requests];
  const kept = requests.map((one) => ({ ...one, headers: sentAgain(one.headers) }));
  const again = { ...environment, BENCH_REQUESTS: file('requests.json', kept), BENCH_REPLAY: REPLAY };
  say(
    `All ${requests.length} requests of a standard run, sent again by other tools, compared with this suite; once each:`,
  );
  sayBeside('this suite', suite, suite);
  sayBeside('newman', await measured(newman(wholeCollection(requests), environment), again), suite);
  sayBeside('pactum', await measured([join(installed(), 'pactum-whole.js')], again), suite);
  await close();
}

type Cost = Pick<Measured, 'cpuMs' | 'wallMs'>;

function sayBeside(tool: string, one: Cost, other: Cost, more = ''): void {
  const parts = [
    `processor time ${ratio(one.cpuMs, other.cpuMs)} (${ms(one.cpuMs)})`,
    `wall time ${ratio(one.wallMs, other.wallMs)} (${ms(one.wallMs)})`,
    ...(more === '' ? [] : [more]),
  ];
  say(`  ${tool.padEnd(14)}  ${parts.join(', ')}`);
}
