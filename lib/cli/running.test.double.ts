import type { ChildProcess } from 'node:child_process';

export interface Ended {
  /** null where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that was started, and what it has printed so far. */
export class Running {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #print = { stdout: '', stderr: '' };
  #look: () => void = () => undefined;
  #open = true;

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#print[stream] += chunk;
        this.#look();
      });
    }
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => {
        this.#open = false;
        resolve({ code, ...this.#print });
      });
    });
  }

  /** Resolves with all that was printed, as soon as that is among it. One wait at a time. */
  async printed(text: string): Promise<string> {
    const seen = new Promise<void>((resolve) => {
      this.#look = () => {
        if (this.#all.includes(text)) resolve();
      };
      this.#look();
    });
    await Promise.race([seen, this.ended]);
    if (!this.#all.includes(text))
      throw new Error(`it ended without printing ${JSON.stringify(text)}:\n${this.#all}`);
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
    return this.#print.stdout + this.#print.stderr;
  }

  /** Nobody reads its standard output any more, as after `| head`. */
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

  /** As long as its output is open, some process of the group lives, and the number is nobody else's. */
  #sendGroup(signal: NodeJS.Signals): void {
    if (!this.#open || this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, signal);
    } catch {
      // It has ended just now.
    }
  }
}
