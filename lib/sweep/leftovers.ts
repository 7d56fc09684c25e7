import { z } from 'zod';
import { jsonIn } from '../given-file.ts';
import { entrySchema, type AccountLabel } from '../account/ledger.ts';

/** A tag that a run made or may have made, and that its ledger does not record as removed. */
export interface Leftover {
  readonly account: AccountLabel;
  /** Undefined if the run ended before it learned the tag_id. */
  readonly tagId: string | undefined;
  /** Every name that the run gave the tag or was about to give it. */
  readonly names: ReadonlySet<string>;
  /** The tag_ids of strangers' tags that had one of the run's names before. */
  readonly strange?: ReadonlySet<string>;
}

/** The content of a ledger. */
export interface KeptLedger {
  /** The origin on which the run made its tags. */
  readonly target: string;
  readonly leftovers: readonly Leftover[];
}

/** Why a text is not a usable ledger. `headless`: it has entries, but its first line is missing or cut off. */
type Unusable = 'no ledger' | 'headless';

const headSchema = z.object({ event: z.literal('run'), target: z.string() });
const accountSchema = z.object({ account: z.enum(['first', 'second']).default('first') });
const lineSchema = z.intersection(entrySchema, accountSchema);

/** Reads a ledger. Its first line names the target. Ignores lines that were cut off when the run ended. */
export function readLedger(text: string): KeptLedger | Unusable {
  const [first, ...others] = text.split('\n').map(jsonIn);
  const head = headSchema.safeParse(first);
  const entries = (head.success ? others : [first, ...others]).flatMap((line) => {
    const entry = lineSchema.safeParse(line);
    return entry.success ? entry.data : [];
  });
  if (!head.success) return entries.length > 0 || isStartOfHead(text) ? 'headless' : 'no ledger';
  return { target: head.data.target, leftovers: leftoversIn(entries) };
}

const HEAD = JSON.stringify({ event: 'run' }).slice(0, -1);

/** Whether the text is the first line of a ledger, or the start of it. */
const isStartOfHead = (text: string): boolean =>
  text.startsWith(HEAD) || (text.trimEnd() !== '' && HEAD.startsWith(text.trimEnd()));

function leftoversIn(entries: readonly z.infer<typeof lineSchema>[]): Leftover[] {
  const tags = new Map<
    string,
    { account: AccountLabel; names: Set<string>; tagId?: string; isGone: boolean }
  >();
  const byId = new Map<string, string>();
  const strange = { first: new Set<string>(), second: new Set<string>() };
  for (const entry of entries) {
    const { account } = entry;
    const place =
      'key' in entry && entry.key !== undefined
        ? `${account} ${entry.key}`
        : byId.get('tag_id' in entry ? `${account} ${entry.tag_id}` : '');
    const tag = place === undefined ? undefined : tags.get(place);
    switch (entry.event) {
      case 'intent':
        if (tag === undefined)
          tags.set(`${account} ${entry.key}`, { account, names: new Set([entry.name]), isGone: false });
        else tag.names.add(entry.name);
        break;
      case 'made':
        if (tag === undefined || place === undefined) break;
        tag.tagId = entry.tag_id;
        tag.isGone = false;
        byId.set(`${account} ${entry.tag_id}`, place);
        break;
      case 'renaming':
        tag?.names.add(entry.name);
        break;
      case 'strange':
        strange[account].add(entry.tag_id);
        break;
      case 'removed':
      case 'refused':
        if (tag !== undefined) tag.isGone = true;
    }
  }
  return [...tags.values()]
    .filter(({ isGone }) => !isGone)
    .map(({ account, tagId, names }) => ({ account, tagId, names, strange: strange[account] }));
}
