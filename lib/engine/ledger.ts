import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { slim, type Exchange } from '../http/exchange.ts';

/**
 * One line of the ledger. `intent`: a create with this name, one of them perhaps, is about to be sent. `made`: the target shows or said this
 * id for it. `renaming`: the tag is about to get this name too, or is kept under it. `removed`: it is gone. `refused`: nothing was made.
 */
export type Entry =
  | { readonly event: 'intent'; readonly key: number; readonly name: string }
  | { readonly event: 'made'; readonly key: number; readonly tag_id: string }
  | { readonly event: 'renaming'; readonly tag_id: string; readonly name: string }
  | { readonly event: 'removed'; readonly tag_id: string }
  | { readonly event: 'refused'; readonly key: number };

/** Where the lines of a ledger go. */
export interface Page {
  write(line: string): void;
  /** Called when nothing of the run is left on the target. */
  discard(): void;
}

/** The name of a ledger's file, which tells whose run it belongs to. */
export const ledgerName = (startedAt: Date, process: number): string =>
  `ledger-${startedAt.toISOString().replace(/\W/g, '')}-${process}.jsonl`;

/** The process of the run that a ledger's file belongs to, or undefined where it is no ledger by its name. */
export function processOf(fileName: string): number | undefined {
  const [, process] = /^ledger-\w+-(\d+)\.jsonl$/.exec(fileName) ?? [];
  return process === undefined ? undefined : Number(process);
}

/** A page in a file. Every line is with the operating system before the call returns, and so survives `kill -9`. */
export function filePage(path: string, origin: string): Page {
  mkdirSync(dirname(path), { recursive: true });
  const write = (line: string): void => appendFileSync(path, `${line}\n`, { mode: 0o600 });
  write(JSON.stringify({ event: 'run', target: origin, startedAt: new Date().toISOString() }));
  return { write, discard: () => rmSync(path, { force: true }) };
}

/** A page for runs in memory, where nothing outlives the process anyway. */
export const noPage: Page = { write: () => undefined, discard: () => undefined };

/** A tag that the run made, or may have made. */
export interface Record {
  readonly key: number;
  /** Every name that the run gave it or tried to. */
  readonly names: Set<string>;
  tagId?: string;
  /** Further tags that its create made. */
  readonly copies: Record[];
  /** A list has shown that id under one of these names: proof that the tag is the run's. */
  seen: boolean;
  /** It may have been deleted by a request that should not have been able to. */
  doubtful: boolean;
  /** A list shows the id that its create answered under this name, which is not the run's but holds it. */
  disguise?: string;
  /** Nothing told whether its create made it, and no list showed it since: it counts as not made until one does. */
  unfound?: boolean;
  /** When it was taken for removed, and what acknowledged that. */
  removedAt?: number;
  removal?: Exchange;
  /** Updates and deletes of it that are under way. */
  writes?: number;
  /** Two of them were under way at once, or one came after its removal: then none tells what became of it. */
  contended?: boolean;
  /** A list that was asked long after its acknowledged delete showed it still. */
  undead?: boolean;
  /** `removing`: a delete is under way, so that the target may give the id to another tag at any moment. */
  state: 'pending' | 'refused' | 'alive' | 'removing' | 'removed';
}

/** The record of every tag of one run, in memory and, line by line, on its page. */
export class Ledger {
  readonly records: Record[] = [];
  /** Tags that did not go though their deletes were acknowledged. */
  readonly surviving: Record[] = [];
  readonly #page: Page;
  readonly #account: 'first' | 'second';
  readonly #byName = new Map<string, Record>();
  readonly #byId = new Map<string, Record>();

  constructor(page: Page, account: 'first' | 'second' = 'first') {
    this.#page = page;
    this.#account = account;
  }

  /** To be called before a create goes out, with every name that its tag may come to have. */
  intend(...names: readonly string[]): Record {
    const record: Record = {
      key: this.records.length,
      names: new Set(names),
      copies: [],
      seen: false,
      doubtful: false,
      state: 'pending',
    };
    this.records.push(record);
    for (const name of names) {
      this.#write({ event: 'intent', key: record.key, name });
      this.#byName.set(name, record);
    }
    return record;
  }

  made(record: Record, tagId: string): void {
    if (record.tagId === tagId && record.state === 'alive') return;
    this.#write({ event: 'made', key: record.key, tag_id: tagId });
    record.tagId = tagId;
    record.state = 'alive';
    this.#byId.set(tagId, record);
  }

  /**
   * The id that a create answered turned out to be somebody else's.
   *
   * @param shownAs the name under which a list shows it.
   */
  disowned(record: Record, shownAs: string): void {
    if (record.tagId !== undefined) this.#byId.delete(record.tagId);
    delete record.tagId;
    record.state = 'pending';
    if ([...record.names].some((own) => own !== '' && shownAs.includes(own))) record.disguise = shownAs;
  }

  refused(record: Record): void {
    if (record.state !== 'pending') return;
    this.#write({ event: 'refused', key: record.key });
    record.state = 'refused';
  }

  /** To be called before a rename goes out. */
  renaming(tagId: string, name: string): void {
    this.#write({ event: 'renaming', tag_id: tagId, name });
    const record = this.#byId.get(tagId);
    record?.names.add(name);
    if (record !== undefined) this.#byName.set(name, record);
  }

  removed(record: Record, removal?: Exchange): void {
    if (record.tagId !== undefined) this.#write({ event: 'removed', tag_id: record.tagId });
    record.removedAt ??= performance.now();
    if (removal !== undefined) record.removal = slim(removal);
    record.state = 'removed';
  }

  /** The tag of this run that bears, bore or was to bear that name. */
  named(name: string): Record | undefined {
    return this.#byName.get(name);
  }

  /** A tag of this run of which no answer told that it was made, and that was to bear a name which begins so. */
  unanswered(letters: string): Record | undefined {
    return this.records.find(
      ({ state, names }) =>
        (state === 'pending' || state === 'refused') && [...names].some((name) => name.startsWith(letters)),
    );
  }

  /** The living tag of this run that has that id. */
  living(tagId: string): Record | undefined {
    const record = this.#byId.get(tagId);
    return record?.state === 'alive' ? record : undefined;
  }

  /** The tag of this run that has, or had, that id. */
  holder(tagId: string): Record | undefined {
    return this.#byId.get(tagId);
  }

  /** Whether that id under that name was a tag of this run that it has deleted since, or is just deleting. */
  wasDeleted(tagId: string, name: string): boolean {
    const record = this.#byId.get(tagId);
    return (record?.state === 'removed' || record?.state === 'removing') && record.names.has(name);
  }

  /** How many tags of the run a list has shown that are not gone, as far as is known. */
  get standing(): number {
    return this.records.filter(
      ({ state, seen, undead }) => (seen && (state === 'alive' || state === 'removing')) || undead === true,
    ).length;
  }

  /** Marks a deleted tag that a list asked at that time shows, although its delete had long had its time to settle. */
  showsDeleted(tagId: string, askedAt: number, settleMs: number): void {
    const { removedAt, contended } = this.#byId.get(tagId) ?? {};
    if (contended !== true && removedAt !== undefined && askedAt > removedAt + settleMs) this.survives(tagId);
  }

  /** Runs an update or a delete of a tag, and marks the tag where another one is under way. */
  async writing<T>(tagId: string, write: () => Promise<T>): Promise<T> {
    const record = this.#byId.get(tagId);
    if (record === undefined) return write();
    record.writes = (record.writes ?? 0) + 1;
    if (record.writes > 1 || record.state === 'removed') record.contended = true;
    try {
      return await write();
    } finally {
      record.writes--;
    }
  }

  /** Marks a deleted tag that did not go within the time that it had. */
  survives(tagId: string): void {
    const record = this.#byId.get(tagId);
    if (record?.state !== 'removed' || record.undead === true) return;
    record.undead = true;
    this.surviving.push(record);
  }

  /** Living tags that a list has shown, each with the last name that it was given. */
  listedAlive(): { tagId: string; name: string }[] {
    return this.records
      .filter(({ state, seen, doubtful }) => state === 'alive' && seen && !doubtful)
      .flatMap(({ tagId, names }) => (tagId === undefined ? [] : [{ tagId, name: [...names].at(-1) ?? '' }]));
  }

  discard(): void {
    this.#page.discard();
  }

  #write(entry: Entry): void {
    this.#page.write(JSON.stringify({ ...entry, account: this.#account }));
  }
}
