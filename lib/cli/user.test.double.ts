import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base } from 'vitest';
import type { Change } from '../../fixtures/fixture.ts';
import { environmentOf, freshAccounts } from '../../fixtures/reference/accounts.ts';
import { Reference, type AccountSeed, type Tag } from '../../fixtures/reference/reference.ts';
import { serve } from '../../fixtures/reference/serve.ts';
import { reportSchema, type Report } from '../reports/report.ts';
import { REPORTS } from '../reports/write.ts';
import { RunningHere, RunningProcess, type Ended } from './running.test.double.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What somebody with a checkout starts. */
export const CHECKOUT = join(ROOT, 'lib', 'launch.mjs');
/** What somebody who installed the package starts. */
export const INSTALLED = join(ROOT, 'dist', 'lib', 'cli', 'bin.js');

/** The paths of all reports in a folder, in order. */
export const reportsIn = (folder: string): string[] => REPORTS.map((name) => `${folder}/${name}`).toSorted();

// A command that runs in this process changes its environment meanwhile.
const PATH = process.env['PATH'];

export type Environment = Readonly<Record<string, string>>;

/** The reference, perhaps changed, on a free port of this machine. */
export interface Served {
  readonly url: string;
  readonly server: Reference;
  readonly accounts: readonly [AccountSeed, AccountSeed];
  /** The settings to certify it with every requirement. */
  readonly environment: Environment;
  /** Tags of the account that were not there before. */
  readonly left: () => readonly Tag[];
  readonly close: () => Promise<void>;
}

export interface Serving {
  readonly tls?: boolean;
  readonly password?: string;
}

/** Somebody who runs the command line in an empty folder, with no settings but those of the test. */
export class User {
  readonly folder = mkdtempSync(join(tmpdir(), 'command-line-'));
  readonly #leaving: (() => Promise<void> | void)[] = [];

  /** Runs the command line to its end, in this process. */
  run(args: readonly string[], environment: Environment = {}): Promise<Ended> {
    return this.start(args, environment).ended;
  }

  /** Runs the command line as from a checkout, if a missing target means the reference, in this process. */
  runCheckout(args: readonly string[], environment: Environment = {}): Promise<Ended> {
    return new RunningHere(args, { folder: this.folder, environment, fallBack: true }).ended;
  }

  /** Starts the command line in this process. The next one in this process waits until it has ended. */
  start(args: readonly string[], environment: Environment = {}): RunningHere {
    const running = new RunningHere(args, { folder: this.folder, environment, fallBack: false });
    // After its target has gone, so that a held request does not keep it from ending.
    this.#leaving.unshift(async () => void (await running.ended));
    return running;
  }

  /** Starts the installed command, or another program of Node.js, in a process of its own. */
  spawn(args: readonly string[], environment: Environment = {}, program = INSTALLED): RunningProcess {
    return this.spawnAny(process.execPath, [program, ...args], environment);
  }

  /** Starts any command in a process of its own. */
  spawnAny(
    command: string,
    args: readonly string[],
    environment: Environment,
    folder = this.folder,
  ): RunningProcess {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH, HOME: this.folder, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, as a shell gives it.
      detached: true,
    });
    const running = new RunningProcess(child);
    this.#leaving.push(async () => {
      running.kill();
      await running.ended;
    });
    return running;
  }

  async serve(change: Change = (Base) => Base, { tls = false, password }: Serving = {}): Promise<Served> {
    const [one, second] = freshAccounts();
    const first = { ...one, password: password ?? one.password };
    const Changed = change(Reference);
    const server = new Changed([first, second]).seeded();
    const before = new Set(server.of(first.username).map((tag) => tag.tag_id));
    const serving = await serve(server, { tls });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => (closing ??= serving.close());
    this.#leaving.push(close);
    return {
      url: serving.url,
      server,
      accounts: [first, second],
      environment: {
        ...environmentOf(
          serving.url,
          [first, second],
          await server.issueToken({ username: first.username, scopes: ['api'] }),
        ),
        CONFORMANCE_SETTLE_MS: '20',
        ...(serving.certificate === undefined
          ? {}
          : { CONFORMANCE_CA_FILE: this.write('ca.pem', serving.certificate) }),
      },
      left: () => server.of(first.username).filter((tag) => !before.has(tag.tag_id)),
      close,
    };
  }

  /** Has a server of any kind listen on a free port until the user leaves. */
  async listen(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#leaving.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  /** Writes a file of the folder; returns its path from there. */
  write(file: string, content: string): string {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), content);
    return file;
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** The files below the folder, in order. */
  get files(): string[] {
    return readdirSync(this.folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.folder.length + 1))
      .toSorted();
  }

  /** The content of all files. */
  get allFiles(): string {
    return this.files.map((file) => this.read(file)).join('\n');
  }

  /** The report of the last run. It must match the schema and hold nothing else. */
  report(folder = 'reports'): Report {
    return reportSchema.strict().parse(JSON.parse(this.read(join(folder, 'report.json'))));
  }

  /** The lines of the ledgers that are there. */
  get ledger(): Readonly<Record<string, unknown>>[] {
    return this.files
      .filter((file) => /^reports\/ledger-[\w-]+\.jsonl$/.test(file))
      .flatMap((file) => this.read(file).trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  async leave(): Promise<void> {
    for (const leave of this.#leaving.toReversed()) await leave();
    rmSync(this.folder, { recursive: true });
  }
}

let building: Promise<void> | undefined;

/** Builds once, as the first start in a checkout does. */
async function build(): Promise<void> {
  const user = new User();
  const { code, stderr } = await user.spawn(['--version'], {}, CHECKOUT).ended;
  await user.leave();
  if (code !== 0) throw new Error(`the build failed:\n${stderr}`);
}

/** A test of the command line, with a user of its own. What is spawned is the build. */
export const test = base.extend('user', async ({}, { onCleanup }) => {
  await (building ??= build());
  const user = new User();
  onCleanup(() => user.leave());
  return user;
});
