import type { ChildProcess } from 'node:child_process';
import { main } from './main.ts';

export interface Ended {
  /** null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Stream = 'stdout' | 'stderr';
const STREAMS: readonly Stream[] = ['stdout', 'stderr'];

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** A command that was started, and its output so far. */
abstract class Running {
  abstract readonly ended: Promise<Ended>;
  protected readonly output = { stdout: '', stderr: '' };
  #look: () => void = () => undefined;

  protected print(stream: Stream, text: string): void {
    this.output[stream] += text;
    this.#look();
  }

  /** Resolves with the whole output so far, as soon as it contains the text. One wait at a time. */
  async printed(text: string, times = 1): Promise<string> {
    const isPrinted = (): boolean => this.#all.split(text).length > times;
    const seen = new Promise<void>((resolve) => {
      this.#look = () => {
        if (isPrinted()) resolve();
      };
      this.#look();
    });
    await Promise.race([seen, this.ended]);
    if (!isPrinted()) throw new Error(`it ended without printing ${JSON.stringify(text)}:\n${this.#all}`);
    return this.#all;
  }

  /** Waits for something that happens elsewhere while it runs. */
  async until(event: Promise<void>): Promise<void> {
    const early = this.ended.then(({ code }) => {
      throw new Error(`it ended before that with ${code}:\n${this.#all}`);
    });
    await Promise.race([event, early]);
  }

  get #all(): string {
    return this.output.stdout + this.output.stderr;
  }
}

/** A command that runs in a process of its own. */
export class RunningProcess extends Running {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #open = true;

  constructor(child: ChildProcess) {
    super();
    this.#child = child;
    for (const stream of STREAMS)
      child[stream]?.setEncoding('utf8').on('data', (chunk: string) => this.print(stream, chunk));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.#open = false;
        resolve({ code, ...this.output });
      });
    });
  }

  /** Stops reading its standard output, as `| head` does. */
  stopReading(): void {
    this.#child.stdout?.destroy();
  }

  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Does what a terminal does on Ctrl-C: the signal goes to every process of the group. */
  pressCtrlC(): void {
    this.#sendGroup('SIGINT');
  }

  kill(): void {
    this.#sendGroup('SIGKILL');
  }

  /** Signals the group only while its output is open: then some process of it lives, and its id is not reused. */
  #sendGroup(signal: NodeJS.Signals): void {
    if (!this.#open || this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // The group has just ended.
    }
  }
}

export interface Circumstances {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether a missing target means the reference, as in a checkout. */
  readonly fallBack: boolean;
}

/** The last command of this process. Its folder, its environment and its output are those of the whole process. */
let last: Promise<unknown> = Promise.resolve();

/** A command that runs in this process, after those that were started before it. */
export class RunningHere extends Running {
  readonly ended: Promise<Ended>;
  /** The listeners for signals that were there before the command. */
  readonly #others = new Map<NodeJS.Signals, readonly unknown[]>();

  constructor(args: readonly string[], circumstances: Circumstances) {
    super();
    this.ended = last.then(() => this.#run(args, circumstances));
    last = this.ended.catch(() => undefined);
  }

  /** Has the command's own listeners handle a signal. */
  send(signal: NodeJS.Signals): void {
    const own = process.listeners(signal).filter((one) => !this.#others.get(signal)?.includes(one));
    for (const listener of own) listener(signal);
  }

  async #run(args: readonly string[], { folder, environment, fallBack }: Circumstances): Promise<Ended> {
    const before = { folder: process.cwd(), environment: process.env };
    const restore = STREAMS.map((stream) => {
      const write = process[stream].write.bind(process[stream]);
      process[stream].write = (chunk: string | Uint8Array): boolean => {
        this.print(stream, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
        return true;
      };
      return () => (process[stream].write = write);
    });
    for (const signal of SIGNALS) this.#others.set(signal, process.listeners(signal));
    process.chdir(folder);
    process.env = { ...environment };
    try {
      const code = await main(args, fallBack);
      return { code, ...this.output };
    } finally {
      process.env = before.environment;
      process.chdir(before.folder);
      for (const undo of restore) undo();
    }
  }
}
