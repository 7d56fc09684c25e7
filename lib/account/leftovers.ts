import type { Entry } from './ledger.ts';

/** A tag that a run made, or was about to make, and that its ledger does not say is gone. */
export interface Leftover {
  readonly account: 'first' | 'second';
  /** Undefined where the run ended before it learnt the id. */
  readonly tagId: string | undefined;
  /** Every name that the run gave it or was about to. */
  readonly names: ReadonlySet<string>;
}

/** What the ledger of an ended run tells. */
export interface KeptLedger {
  /** The origin on which the run made its tags. */
  readonly target: string;
  readonly leftovers: readonly Leftover[];
}

type Line = Entry & { readonly account?: 'first' | 'second' };

/**
 * Reads a ledger. A line that was cut off by the end of its run is passed over: what it was to tell had not happened.
 *
 * @returns undefined where the text is no ledger.
 */
export function readLedger(text: string): KeptLedger | undefined {
  const lines = text.split('\n').flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  const [head, ...entries] = lines;
  const target = targetIn(head);
  if (target === undefined) return undefined;
  const tags = new Map<
    string,
    { account: 'first' | 'second'; names: Set<string>; tagId?: string; isGone: boolean }
  >();
  const byId = new Map<string, string>();
  for (const entry of entries as Line[]) {
    const account = entry.account ?? 'first';
    const place = 'key' in entry ? `${account} ${entry.key}` : byId.get(`${account} ${entry.tag_id}`);
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
      case 'removed':
      case 'refused':
        if (tag !== undefined) tag.isGone = true;
    }
  }
  const leftovers = [...tags.values()].filter(({ isGone }) => !isGone);
  return { target, leftovers: leftovers.map(({ account, tagId, names }) => ({ account, tagId, names })) };
}

function targetIn(head: unknown): string | undefined {
  if (typeof head !== 'object' || head === null || !('event' in head) || !('target' in head))
    return undefined;
  return head.event === 'run' && typeof head.target === 'string' ? head.target : undefined;
}
