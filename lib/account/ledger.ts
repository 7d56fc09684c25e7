import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

export type AccountLabel = 'first' | 'second';

/**
 * One line of the ledger. `intent`: a create that may give this name is about to be sent. `made`: the target answered or
 * listed this tag_id for it. `renaming`: the tag is about to get this name too, or is listed under it. `removed`: the
 * tag is gone. `refused`: the create made no tag.
 */
export type Entry =
  | { readonly event: 'intent'; readonly key: number; readonly name: string }
  | { readonly event: 'made'; readonly key: number; readonly tag_id: string }
  | { readonly event: 'renaming'; readonly tag_id: string; readonly name: string }
  | { readonly event: 'removed'; readonly tag_id: string }
  | { readonly event: 'refused'; readonly key: number };

/** Where the entries of a run are kept. */
export interface Ledger {
  write(entry: Entry, account: AccountLabel): void;
  /** Called when nothing of the run is left on the target. */
  discard(): void;
}

/** The name of a ledger's file: when its run started, and in which process. */
export const ledgerName = (startedAt: Date, process: number): string =>
  `ledger-${startedAt.toISOString().replace(/\W/g, '')}-${process}.jsonl`;

/** The process whose run a ledger's file belongs to, or undefined where the file is not named like a ledger. */
export function processOf(fileName: string): number | undefined {
  const [, process] = /^ledger-\w+-(\d+)\.jsonl$/.exec(fileName) ?? [];
  return process === undefined ? undefined : Number(process);
}

/** A ledger in a file. Each line is handed to the operating system before the call returns, so it survives `kill -9`. */
export function fileLedger(path: string, origin: string): Ledger {
  mkdirSync(dirname(path), { recursive: true });
  let isOpen = true;
  const append = (line: object): void => appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  append({ event: 'run', target: origin, startedAt: new Date().toISOString() });
  return {
    write: (entry, account) => {
      // A ledger without its first line would be of no use to anybody.
      if (isOpen) append({ ...entry, account });
    },
    discard: () => {
      isOpen = false;
      rmSync(path, { force: true });
    },
  };
}

/** For runs against a target in memory, which ends with the process. */
export const noLedger: Ledger = { write: () => undefined, discard: () => undefined };
