import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { fileProblem, makeFolder } from '../folder.ts';
import { Undecided } from '../outcome.ts';

export type AccountLabel = 'first' | 'second';

/**
 * One line of the ledger. `intent`: a create that may give this name is about to be sent. `made`: the target answered or
 * listed this tag_id for it. `renaming`: the tag is about to get this name too, or is listed under it. `removed`: the
 * tag is gone, whose tag_id may be another's by now. `refused`: the create made no tag. `strange`: somebody else's tag has a
 * name that the run is about to give.
 */
export const entrySchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('intent'), key: z.int(), name: z.string() }),
  z.object({ event: z.literal('made'), key: z.int(), tag_id: z.string() }),
  z.object({ event: z.literal('renaming'), tag_id: z.string(), name: z.string() }),
  z.object({ event: z.literal('removed'), key: z.int().optional(), tag_id: z.string() }),
  z.object({ event: z.literal('refused'), key: z.int() }),
  z.object({ event: z.literal('strange'), tag_id: z.string() }),
]);

export type Entry = Readonly<z.infer<typeof entrySchema>>;

/** Where the entries of a run are kept. */
export interface Ledger {
  /** @throws Undecided if an intent cannot be kept: then its request must not be sent. */
  write(entry: Entry, account: AccountLabel): void;
  /** Called when nothing of the run is left on the target. */
  discard(): void;
}

/** The name of a ledger's file: when its run started, and in which process. */
export const ledgerName = (startedAt: Date, process: number): string =>
  `ledger-${startedAt.toISOString().replace(/\W/g, '')}-${process}.jsonl`;

/** The process whose run a ledger's file belongs to, or undefined if the file is not named like a ledger. */
export function processOf(fileName: string): number | undefined {
  const [, process] = /^ledger-\w+-(\d+)\.jsonl$/.exec(fileName) ?? [];
  return process === undefined ? undefined : Number(process);
}

/**
 * A ledger in a file. Each line is handed to the operating system before the call returns, so it survives `kill -9`. If
 * somebody removes the file, the next line brings all earlier ones back.
 *
 * @throws Error with a code if the file cannot be written at first.
 */
export function fileLedger(path: string, origin: string): Ledger {
  const lines: string[] = [];
  let isOpen = true;
  /** Whether the file held all lines when the last one was written. */
  let isWhole = false;
  const append = (content: object): void => {
    const line = `${JSON.stringify(content)}\n`;
    lines.push(line);
    if (isWhole && existsSync(path)) {
      isWhole = false;
      appendFileSync(path, line, { mode: 0o600 });
    } else {
      isWhole = false;
      writeWhole(path, lines.join(''));
    }
    isWhole = true;
  };
  append({ event: 'run', target: origin, startedAt: new Date().toISOString() });
  return {
    write: (entry, account) => {
      // A discarded ledger stays away.
      if (!isOpen) return;
      try {
        append({ ...entry, account });
      } catch (error) {
        const problem = fileProblem(error);
        if (problem === undefined) throw error;
        // The other entries tell what has happened: the run goes on by what it remembers, and removes its tags.
        if (entry.event === 'intent')
          throw new Undecided(
            'failure',
            `the ledger cannot be written (${problem}), and no tag is made without it`,
          );
      }
    },
    discard: () => {
      isOpen = false;
      try {
        rmSync(path, { force: true });
      } catch (error) {
        if (fileProblem(error) === undefined) throw error;
      }
    },
  };
}

/** Writes a draft and renames it: if there is no space for all, what the file held stays. */
function writeWhole(path: string, content: string): void {
  const draft = `${path}.draft`;
  makeFolder(dirname(path));
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** For runs against a target in memory, which ends with the process. */
export const noLedger: Ledger = { write: () => undefined, discard: () => undefined };
