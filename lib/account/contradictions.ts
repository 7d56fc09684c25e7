import type { Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import type { Listed } from '../spec/reading.ts';
import { Shown, type LeftOut, type Look } from './shown.ts';
import type { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';
import { isUnlike } from './unlike.ts';

/** If no effect of the run shows late, a tag has to be in every list once it is so old, as a share of the settle time. */
const YOUNG_SHARE = 1 / 10;

/** Lists that leave out this many young tags do not do so by chance. */
const YOUNG_MANY = 3;

/** A target that ignores filters shows all tags in each of many lists: a few of them are enough. */
const UNLIKE_MOST = 3;

/** Lists of one account that contradict each other about tags of the run, though the run did not change these meanwhile. */
export class Contradictions {
  readonly #signs: Signs;
  readonly #shown = new Map<TagRecord, Shown>();
  readonly #leftOut: (LeftOut & { readonly why: string; readonly shownBy: Exchange })[] = [];

  constructor(signs: Signs) {
    this.#signs = signs;
  }

  /**
   * Notes living tags that a list without a filter leaves out, though it is no page.
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
    const again = this.#of(record).again(look);
    if (again !== undefined) {
      const why = `the list ${whatCame(again.exchange)} and leaves out ${what}, which lists before and after it show`;
      this.#leftOut.push({ ...again, why, shownBy: look.exchange });
    }
    const changed =
      ageAt(look, record) > look.settleMs ? this.#of(record).as(name, record.writtenAt, look) : undefined;
    if (changed !== undefined)
      this.#signs.record(
        'list-changing',
        `the list ${whatCame(changed.exchange)} and shows ${what} as ${quote(changed.name)}, but lists before and after it show it as ${quote(name)}`,
        look.exchange,
        changed.exchange,
      );
  }

  /**
   * A list shows a tag with the name of a create that was refused. It is a sign if an earlier list did not.
   *
   * @param records all tags of the account.
   * @param before when the last list without a filter before this one was requested, by `performance.now()`.
   */
  showsRefused(
    { refusal, refusedAt, names }: TagRecord,
    name: string,
    list: Exchange,
    { records, before }: { readonly records: readonly TagRecord[]; readonly before: number },
  ): void {
    // A pause that the target asked for may have hidden an earlier answer to the same request.
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

  /** A list with a filter shows a tag. An index may lag, so that the filter may also be like a name that the tag had. */
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
   * Records the tags that lists left out. To be called when nothing more is asked: whether effects show late is known only
   * then.
   *
   * @param isPaged whether lists show a page of the tags, which may be short although there are more.
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
 * How long a tag had been as it is when a list was requested, in milliseconds; below 0 if something may have changed it
 * since.
 */
function ageAt({ askedAt }: Look, record: TagRecord): number {
  const { state, mayBeGone, isContended, writes, writtenAt, madeAt = Infinity } = record;
  const isClear = state === 'alive' && !mayBeGone && !isContended && writes === 0;
  return isClear ? askedAt - Math.max(madeAt, writtenAt) : -1;
}
