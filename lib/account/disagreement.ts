import { slim, type Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import type { Finding } from '../outcome.ts';
import type { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';

/** Something unknown to the run may have renamed a single tag between the two lists. */
const FEWEST_TAGS = 2;

interface Shown {
  readonly name: unknown;
  readonly list: Exchange;
}

/** What lists have shown of a tag since its last write. */
interface Since {
  readonly record: TagRecord;
  readonly writtenAt: number;
  readonly whole?: Shown;
  readonly filtered?: Shown;
  /** The names that lists showed before under the tag_id, also of another tag: a list that lags may show them again. */
  readonly earlier: ReadonlySet<unknown>;
}

/** Finds tags that a filtered list shows with the name they were given, and a list without a filter with another name. */
export class Disagreements {
  /** By the tag_id. */
  readonly #since = new Map<string | undefined, Since>();
  readonly #findings = new Map<TagRecord, Finding>();

  /**
   * A list shows a living tag that the run did not change meanwhile.
   *
   * @param isFormers whether a deleted tag with this tag_id had the name: a list that lags may show that tag, even if no list
   * showed it before.
   */
  shows(
    record: TagRecord,
    name: unknown,
    look: { exchange: Exchange; filter?: string | undefined },
    isFormers: (name: unknown) => boolean,
  ): void {
    const { writtenAt, tagId } = record;
    const last = this.#since.get(tagId) ?? { record, writtenAt, earlier: new Set() };
    const now: Since =
      last.record === record && last.writtenAt === writtenAt
        ? last
        : { record, writtenAt, earlier: new Set([...last.earlier, last.whole?.name, last.filtered?.name]) };
    const kind = look.filter === undefined ? 'whole' : 'filtered';
    const since = { ...now, [kind]: { name, list: slim(look.exchange) } };
    this.#since.set(tagId, since);
    const { whole, filtered, earlier } = since;
    if (whole === undefined || filtered === undefined || whole.name === filtered.name) return;
    const [made] = record.names;
    const given: readonly unknown[] = [made, ...record.updates.map((update) => update.name)];
    if (filtered.name !== given.at(-1) || given.includes(whole.name) || earlier.has(whole.name)) return;
    if (isFormers(whole.name)) return;
    this.#findings.set(record, {
      // The name may be a stranger's, which no report shows.
      why: `the list without a filter ${whatCame(whole.list)} and shows the tag_id ${quote(record.tagId)} under another name, but the filtered list shows it as ${quote(filtered.name)}, the name that it was given`,
      exchanges: [filtered.list, whole.list],
    });
  }

  /** Records the findings. Call it at the end of the run. */
  conclude(signs: Signs): void {
    if (this.#findings.size < FEWEST_TAGS) return;
    for (const { why, exchanges } of this.#findings.values()) signs.record('lists-differ', why, ...exchanges);
  }
}
