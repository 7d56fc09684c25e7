import { slim, type Exchange } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import type { Finding } from '../outcome.ts';
import type { Listed } from '../spec/reading.ts';
import { Confusions } from './confusions.ts';
import { Disagreements } from './disagreement.ts';
import type { Look } from './look.ts';
import { ownLettersIn } from './names.ts';
import type { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';
import { isUnlike } from './unlike.ts';

/** If no effect shows late, every list has to show a tag that is older than this share of the settle time. */
const YOUNG_SHARE = 1 / 10;

/** Fewer young tags that lists leave out, or young updates that they do not show, may be due to chance. */
const YOUNG_MANY = 3;

/** The most tags that are recorded as wrongly found by a filter: a target that ignores filters shows many. */
const UNLIKE_MOST = 3;

/** The fewest updates without effect that are a finding: a check that looks for its update's effect reports a single one. */
const FEWEST_LOST = 2;

/** A list that left out a tag. */
interface LeftOut {
  readonly list: Exchange;
  /** Whether the tag was younger than the settle time. */
  readonly isYoung: boolean;
  /** Whether an earlier list without a filter showed the tag. */
  readonly isListed: boolean;
}

/** What lists have shown of one living tag. */
interface Shown {
  /** Whether an unfiltered list has shown the tag. */
  isListed: boolean;
  /** A later list that left out the tag although it is no page. It is noted when the tag reappears. */
  leftOut?: LeftOut | undefined;
  /** The last such list that is noted. */
  noted?: LeftOut;
  /** The first name that a list showed after the last write, and when that write ended. */
  first?: { readonly writtenAt: number; readonly name: unknown };
  /** The first later list that showed another name. */
  changed?: { readonly list: Exchange; readonly askedAt: number; readonly name: unknown } | undefined;
  /** Whether such a list is recorded as a sign. */
  isChangeRecorded: boolean;
}

/** Finds lists of one account that contradict each other about a tag that the run did not change meanwhile. */
export class Contradictions {
  readonly #signs: Signs;
  readonly #settleMs: number;
  readonly #disagreements = new Disagreements();
  readonly confusions: Confusions;
  readonly #shown = new Map<TagRecord, Shown>();
  /** By the update, the first list that showed a former name, or the first one after the settle time. */
  readonly #lostUpdates = new Map<Exchange, Finding & { readonly isYoung: boolean }>();
  readonly #leftOut: (LeftOut & { readonly why: string; readonly shownBy: Exchange })[] = [];

  /** @param settleMs how long an effect may take to show in a list. */
  constructor(signs: Signs, settleMs: number) {
    this.#signs = signs;
    this.confusions = new Confusions(signs, settleMs);
    this.#settleMs = settleMs;
  }

  /**
   * Notes living tags that an unfiltered list leaves out although it is no page.
   *
   * @param ids the tag_ids in the list.
   */
  leavesOut(records: readonly TagRecord[], look: Look, ids: ReadonlySet<string>): void {
    for (const record of records) {
      const { tagId, isSeen, given } = record;
      // Noted only if the tag reappears, so a delete that was refused has not removed it.
      const age = ageAt(look, record, !record.isLikelyGone);
      if (tagId === undefined || ids.has(tagId) || age <= this.#settleMs * YOUNG_SHARE) continue;
      const shown = this.#of(record);
      const isYoung = age <= this.#settleMs;
      // A filtered list may be up to date before the others.
      const isAcknowledged = given?.tagId === tagId;
      const mayCount = (isSeen && shown.isListed) || (look.isWhole === true && isAcknowledged && !isYoung);
      // A list counts more if the tag is old.
      const known = shown.leftOut ?? shown.noted;
      if (mayCount && (known === undefined || (known.isYoung && !isYoung)))
        shown.leftOut = { list: slim(look.exchange), isYoung, isListed: shown.isListed };
    }
  }

  /**
   * A list shows a living tag.
   *
   * @param isFormers whether a deleted tag with this tag_id had the name.
   */
  shows(
    record: TagRecord,
    { name }: Listed,
    look: Look,
    isFormers: (name: unknown) => boolean = () => false,
  ): void {
    const shown = this.#of(record);
    const what = `the tag_id ${quote(record.tagId)}`;
    shown.isListed ||= look.filter === undefined;
    this.#reappears(shown, what, look);
    // If the list shows the tag with one of the tag's own names, a refused or unanswered delete did not remove it.
    const age = ageAt(look, record, record.names.has(String(name)));
    if (age > this.#settleMs) this.#showsAs(shown, record, name, look);
    if (age > 0) this.#showsUpdated(record, name, look, age <= this.#settleMs);
    if (age > 0) this.#disagreements.shows(record, name, look, isFormers);
  }

  /** If an earlier list left out the tag, notes that. */
  #reappears(shown: Shown, what: string, { exchange }: Look): void {
    const { leftOut } = shown;
    if (leftOut === undefined || leftOut.list.number >= exchange.number) return;
    shown.noted = leftOut;
    shown.leftOut = undefined;
    const which = leftOut.isListed ? 'lists before and after it show' : 'a later list shows';
    const why = `the list ${whatCame(leftOut.list)} and leaves out ${what}, which ${which}`;
    this.#leftOut.push({ ...leftOut, why, shownBy: exchange });
  }

  /**
   * A list shows the tag with this name. It is a sign if the first list since the last write showed the same name, and a list
   * in between another one.
   */
  #showsAs(
    shown: Shown,
    { tagId, writtenAt, names }: TagRecord,
    name: unknown,
    { exchange, askedAt }: Look,
  ): void {
    if (shown.first?.writtenAt !== writtenAt) {
      shown.first = { writtenAt, name };
      shown.changed = undefined;
    }
    if (name !== shown.first.name) {
      shown.changed ??= { list: slim(exchange), askedAt, name };
      return;
    }
    const { changed } = shown;
    // Within the settle time, replicas may differ: something unknown to the run may have renamed the tag.
    if (changed === undefined || shown.isChangeRecorded || askedAt - this.#settleMs < changed.askedAt) return;
    shown.isChangeRecorded = true;
    // Any other name may be a stranger's, which no report shows.
    const told = names.has(String(changed.name)) ? `as ${quote(changed.name)}` : 'under another name';
    this.#signs.record(
      'list-changing',
      `the list ${whatCame(changed.list)} and shows the tag_id ${quote(tagId)} ${told}, but lists before and after it show it as ${quote(name)}`,
      exchange,
      changed.list,
    );
  }

  /**
   * A list shows an updated tag. Notes that an unfiltered list shows a former name, unless a later list shows the new one.
   *
   * @param isYoung whether the update may take longer to show.
   */
  #showsUpdated({ tagId, names, updates }: TagRecord, name: unknown, look: Look, isYoung: boolean): void {
    const update = updates.at(-1);
    if (update === undefined) return;
    const { name: last, exchange: sent } = update;
    // The run's letters in the new name show whether the listed name is a form of it.
    const letters = /\p{C}/u.test(last) ? undefined : ownLettersIn(last);
    const isOrdinary = letters !== undefined && sent.ask.body === JSON.stringify({ name: last });
    const given = [...names].map((one) => one.toLowerCase());
    const shown = typeof name === 'string' ? name.toLowerCase() : '';
    const isFormer = given.includes(shown) && given.indexOf(shown) < given.indexOf(last.toLowerCase());
    if (!isFormer) this.#lostUpdates.delete(sent);
    const isClear = isOrdinary && sent.ask.regular && !shown.includes(letters.toLowerCase());
    // A filtered list may be an old one that the target kept.
    if (!isFormer || !isClear || look.filter !== undefined || (isYoung && this.#lostUpdates.has(sent)))
      return;
    const why = `an update to the name ${quote(last)} was acknowledged, and a later list shows its tag_id ${quote(tagId)} with the former name ${quote(name)}`;
    this.#lostUpdates.set(sent, { why, exchanges: [sent, slim(look.exchange)], isYoung });
  }

  /**
   * A list shows a tag with the name of a refused create. That is a sign if the list before did not show it. It always is if
   * the create was ordinary and the name plain: checks do not look for a tag of such a create themselves.
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
    if (refusal === undefined || this.#signs.of('throttled').length > 0) return;
    const isPlain =
      ownLettersIn(name) === name && refusal.ask.regular && refusal.ask.body === JSON.stringify({ name });
    const isOthers = records.some((other) => other.names.has(name) && other.state !== 'refused');
    if ((before < refusedAt && !isPlain) || isOthers || !names.has(name)) return;
    const later = before < refusedAt ? '' : ', which the lists before did not';
    this.#signs.record(
      'refused-made-later',
      `the create ${whatCame(refusal)}, and a later list shows a tag with its name ${quote(name)}${later}`,
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
   * Records the tags that lists left out, the lost updates and the confusions. Call it at the end of the run: only then is it
   * known whether effects show late, and whether the target put requests off.
   *
   * @param isPaged whether lists are pages, which may leave out tags although they are short.
   * @param isOfAnother whether another account has, or had, the tag with this tag_id.
   */
  conclude(isPaged: boolean, isOfAnother: (tagId: string) => boolean): void {
    this.confusions.conclude(isOfAnother);
    this.#disagreements.conclude(this.#signs);
    const leftOut = this.#certain(this.#leftOut);
    // The list that decides comes last.
    if (!isPaged)
      for (const { why, list, shownBy } of leftOut) this.#signs.record('list-incomplete', why, shownBy, list);
    const lost = this.#certain([...this.#lostUpdates.values()]);
    if (lost.length >= FEWEST_LOST)
      for (const { why, exchanges } of lost) this.#signs.record('update-lost', why, ...exchanges);
  }

  /** Those that are not due to effects that show late. */
  #certain<T extends { readonly isYoung: boolean }>(all: readonly T[]): readonly T[] {
    const young = all.filter(({ isYoung }) => isYoung);
    const isYoungLate = young.length < YOUNG_MANY || this.#signs.of('late-effect').length > 0;
    return isYoungLate ? all.filter(({ isYoung }) => !isYoung) : all;
  }

  #of(record: TagRecord): Shown {
    const shown = this.#shown.get(record) ?? { isListed: false, isChangeRecorded: false };
    this.#shown.set(record, shown);
    return shown;
  }
}

/**
 * How long a tag had been unchanged when a list was requested, in milliseconds; negative if it may have changed since.
 *
 * @param isThere whether the tag is known to exist although a delete of it may have been carried out.
 */
function ageAt({ askedAt }: Look, record: TagRecord, isThere = false): number {
  const { state, mayBeGone, isContended, writes, writtenAt, madeAt = Infinity } = record;
  const isClear = state === 'alive' && (!mayBeGone || isThere) && !isContended && writes === 0;
  return isClear ? askedAt - Math.max(madeAt, writtenAt) : -1;
}
