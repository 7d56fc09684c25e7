import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Measured {
  /** User and system time of the process, in milliseconds. */
  readonly cpuMs: number;
  readonly wallMs: number;
  /** `performance.now()` before the process was started. */
  readonly startedAt: number;
}

/**
 * Is loaded first in the measured process. When the process exits, writes its processor time in milliseconds to a file.
 */
const METER = `data:text/javascript,${encodeURIComponent(`
  import { writeFileSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    writeFileSync(process.env.BENCH_METER, String((user + system) / 1000));
  });
`)}`;

/**
 * Runs a script with Node.js, in an empty folder, to its end.
 *
 * @param node the program; by default the one of this process.
 * @param expected the exit code that it has to end with.
 * @throws Error if it ends with another one, with the end of its output.
 */
export async function measured(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { node = process.execPath, expected = 0 }: { readonly node?: string; readonly expected?: number } = {},
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const meter = join(folder, 'meter');
  const startedAt = performance.now();
  try {
    const child = spawn(node, ['--import', METER, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, ...environment, BENCH_METER: meter },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-2_000)));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== expected) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`);
    return {
      cpuMs: Number(readFileSync(meter, 'utf8')),
      wallMs: performance.now() - startedAt,
      startedAt,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}
