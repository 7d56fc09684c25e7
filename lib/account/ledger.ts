import { appendFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { fileProblem, makeFolder } from '../folder.ts';
import { Undecided } from '../outcome.ts';

export type AccountLabel = 'first' | 'second';

/**
 * One line of the ledger. `intent`: a create that may give a tag this name is about to be sent. `made`: an answer or a list
 * showed its tag_id. `renaming`: the tag is about to get this name, or is listed under it. `removed`: the tag is gone, and
 * another may have its tag_id. `refused`: the create made no tag. `strange`: a stranger's tag has a name that the run is
 * about to use.
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

/** Stores the entries of a run. */
export interface Ledger {
  /** @throws Undecided if an intent cannot be stored: then its request must not be sent. */
  write(entry: Entry, account: AccountLabel): void;
  /** Called when no tag of the run is left on the target. */
  discard(): void;
}

/** The name of a ledger file: the start of the run and the id of its process. */
export const ledgerName = (startedAt: Date, process: number): string =>
  `ledger-${startedAt.toISOString().replace(/\W/g, '')}-${process}.jsonl`;

/** The id of the process in the name of a ledger file; undefined if the file is not named like a ledger. */
export function processOf(fileName: string): number | undefined {
  const [, process] = /^ledger-\w+-(\d+)\.jsonl$/.exec(fileName) ?? [];
  return process === undefined ? undefined : Number(process);
}

/**
 * A ledger in a file. Each line is passed to the operating system before the call returns, so it survives `kill -9`. If
 * somebody deletes the file, the next entry writes all earlier ones again.
 *
 * @throws Error with a code if the first line cannot be written.
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
      // A discarded ledger is not written again.
      if (!isOpen) return;
      try {
        append({ ...entry, account });
      } catch (error) {
        const problem = fileProblem(error);
        if (problem === undefined) throw error;
        // Other entries record what has happened. The run knows that from memory, and can still remove its tags.
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

/** Writes a draft and renames it, so that the old content survives if there is no space for the new one. */
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

/** For runs against a target in memory, whose tags end with the process. */
export const noLedger: Ledger = { write: () => undefined, discard: () => undefined };
