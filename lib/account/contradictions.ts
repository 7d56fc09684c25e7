import type { Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import type { Listed } from '../spec/reading.ts';
import { Shown, type LeftOut, type Look } from './shown.ts';
import type { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';
import { isUnlike } from './unlike.ts';

/** If no effect shows late, every list has to show a tag that is older than this share of the settle time. */
const YOUNG_SHARE = 1 / 10;

/** Fewer young tags that lists leave out may be due to chance. */
const YOUNG_MANY = 3;

/** The most tags that are recorded as wrongly found by a filter: a target that ignores filters shows many. */
const UNLIKE_MOST = 3;

/** Finds lists of one account that contradict each other about a tag that the run did not change meanwhile. */
export class Contradictions {
  readonly #signs: Signs;
  readonly #shown = new Map<TagRecord, Shown>();
  readonly #leftOut: (LeftOut & { readonly why: string; readonly shownBy: Exchange })[] = [];

  constructor(signs: Signs) {
    this.#signs = signs;
  }

  /**
   * Notes living tags that an unfiltered list leaves out although it is no page.
   *
   * @param ids the tag_ids in the list.
   */
  leavesOut(records: readonly TagRecord[], look: Look, ids: ReadonlySet<string>): void {
    for (const record of records) {
      const { tagId, isSeen } = record;
      const age = ageAt(look, record);
      if (isSeen && tagId !== undefined && !ids.has(tagId) && age > look.settleMs * YOUNG_SHARE)
        this.#of(record).leftOut(look, age <= look.settleMs);
    }
  }

  /** A list shows a living tag. */
  shows(record: TagRecord, { name }: Listed, look: Look): void {
    const what = `the tag_id ${quote(record.tagId)}`;
    const again = this.#of(record).reappears(look);
    if (again !== undefined) {
      const why = `the list ${whatCame(again.exchange)} and leaves out ${what}, which lists before and after it show`;
      this.#leftOut.push({ ...again, why, shownBy: look.exchange });
    }
    const changed =
      ageAt(look, record) > look.settleMs
        ? this.#of(record).showsAs(name, record.writtenAt, look)
        : undefined;
    if (changed !== undefined)
      this.#signs.record(
        'list-changing',
        `the list ${whatCame(changed.exchange)} and shows ${what} as ${quote(changed.name)}, but lists before and after it show it as ${quote(name)}`,
        look.exchange,
        changed.exchange,
      );
  }

  /**
   * A list shows a tag with the name of a refused create. That is a sign if the list before did not show it.
   *
   * @param records all tags of the account.
   * @param before when the last unfiltered list before this one was requested, by `performance.now()`.
   */
  showsRefused(
    { refusal, refusedAt, names }: TagRecord,
    name: string,
    list: Exchange,
    { records, before }: { readonly records: readonly TagRecord[]; readonly before: number },
  ): void {
    // A deferred create may have been carried out before it was sent again.
    if (refusal === undefined || before < refusedAt || this.#signs.of('throttled').length > 0) return;
    const isOthers = records.some((other) => other.names.has(name) && other.state !== 'refused');
    if (isOthers || !names.has(name)) return;
    this.#signs.record(
      'refused-made-later',
      `the create ${whatCame(refusal)}, and a later list shows a tag with its name ${quote(name)}, which the lists before did not`,
      refusal,
      list,
    );
  }

  /** A filtered list shows a tag. All names that the tag has had count, because an index may lag. */
  finds({ names }: TagRecord, { name }: Listed, list: Exchange, filter: string): void {
    if (typeof name !== 'string' || !names.has(name) || this.#signs.of('filter-unlike').length >= UNLIKE_MOST)
      return;
    if ([...names].every((one) => isUnlike(filter, one)))
      this.#signs.record(
        'filter-unlike',
        `the filter by ${quote(filter)} finds the tag named ${quote(name)}`,
        list,
      );
  }

  /**
   * Records the tags that lists left out. Call it at the end of the run: only then is it known whether effects show late.
   *
   * @param isPaged whether lists are pages, which may leave out tags although they are short.
   */
  conclude(isPaged: boolean): void {
    const young = this.#leftOut.filter(({ isYoung }) => isYoung);
    const isYoungLate = young.length < YOUNG_MANY || this.#signs.of('late-effect').length > 0;
    for (const { why, exchange, shownBy, isYoung } of this.#leftOut)
      // The list that decides comes last.
      if (!isPaged && !(isYoung && isYoungLate))
        this.#signs.record('list-incomplete', why, shownBy, exchange);
  }

  #of(record: TagRecord): Shown {
    const shown = this.#shown.get(record) ?? new Shown();
    this.#shown.set(record, shown);
    return shown;
  }
}

/**
 * How long a tag had been unchanged when a list was requested, in milliseconds; negative if it may have changed since.
 */
function ageAt({ askedAt }: Look, record: TagRecord): number {
  const { state, mayBeGone, isContended, writes, writtenAt, madeAt = Infinity } = record;
  const isClear = state === 'alive' && !mayBeGone && !isContended && writes === 0;
  return isClear ? askedAt - Math.max(madeAt, writtenAt) : -1;
}
