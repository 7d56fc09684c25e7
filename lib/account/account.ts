import { attemptsWorth } from '../http/retryable.ts';
import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { listedIn, textOfName, type Listed } from '../spec/reading.ts';
import { lookUpBy, type Lookup } from './lookup.ts';
import { isListedAs, soughtFor } from './name-forms.ts';
import type { TagRecord } from './tag-record.ts';
import { Writes } from './writes.ts';

/**
 * One account of the target: its logins, its tags, the four operations on them, and the removal of its tags. There is at most
 * one removal of a tag at a time.
 */
export class Account extends Writes {
  /** The names of tags that refused creates left. Nothing tells these tags from other users'. */
  readonly leftBehind = new Set<string>();
  readonly #underWay = new Map<TagRecord, Promise<void>>();
  /** Tags that no list showed within the settle time. */
  readonly #neverSeen = new Set<TagRecord>();
  /** Whether the first refused update of an unknown tag_id has made a tag all the same. */
  #refusedUpdatesMakeTags: Promise<boolean> | undefined;

  /** Removes a tag, once a list has shown that the run made it. There is no other way to remove a tag. */
  async remove(record: TagRecord): Promise<void> {
    // Once a tag is gone, a stranger's tag may have its tag_id, so no second delete is sent.
    const removal = this.#underWay.get(record) ?? this.#remove(record);
    this.#underWay.set(record, removal);
    try {
      await removal;
    } finally {
      this.#underWay.delete(record);
    }
  }

  /** @param attempt the number of the attempt: the answer may have been lost, or the target may have been overloaded. */
  async #remove(record: TagRecord, attempt = 1): Promise<void> {
    const { tags } = this;
    await Promise.allSettled([record.deletion]);
    if (record.state === 'removed' || record.state === 'refused') return;
    if (record.mayBeGone && !this.#hasOutlived(record) && !(await this.#isThere(record)))
      return tags.removed(record);
    const isWorthALook = !record.isOfRefusedUpdate || (await this.#makesTagsOfRefusedUpdates(record));
    // A list may have shown the tag meanwhile.
    if (!isWorthALook && record.state === 'intended') return tags.refused(record);
    let isHidden = false;
    if (!record.isSeen) isHidden = !(await this.#findUnseen(record));
    await Promise.all(record.copies.map((copy) => this.remove(copy)));
    if (record.state === 'intended') tags.mark(record, 'isUnfound');
    if (record.tagId === undefined || (!record.isSeen && !isHidden)) return;
    // A check may have begun to delete it meanwhile.
    if (record.state !== 'alive') return this.#remove(record, attempt);
    const exchange = await this.delete(record.tagId);
    if (statusOf(exchange) === 404) tags.removed(record, exchange);
    else if (exchange.failure?.kind === 'timeout' || accepted(exchange)) return;
    else if (attempt < (record.refusesDelete ? 1 : attemptsWorth([exchange])))
      await this.#remove(record, attempt + 1);
    else if (exchange.failure === undefined) tags.mark(record, 'refusesDelete');
  }

  /**
   * Whether the target makes tags although it refuses the update of an unknown tag_id. Only the first such tag is looked for,
   * because each look takes a request if lists are pages. The result counts for all.
   */
  async #makesTagsOfRefusedUpdates(record: TagRecord): Promise<boolean> {
    this.#refusedUpdatesMakeTags ??= this.#findUnseen(record).then(() => record.isSeen);
    try {
      return await this.#refusedUpdatesMakeTags;
    } catch (error) {
      this.#refusedUpdatesMakeTags = undefined;
      throw error;
    }
  }

  /** Whether a list showed the tag long after the write that might have removed it: if it is no longer listed, that write is no reason. */
  #hasOutlived({ isLikelyGone, shownAt, writtenAt }: TagRecord): boolean {
    return !isLikelyGone && shownAt > writtenAt + this.shared.settling.mostMs;
  }

  /** Whether a tag that may be gone still exists. A replica may lag, and leave out a new tag. */
  async #isThere(record: TagRecord): Promise<boolean> {
    const { tagId, isLikelyGone, firstMadeAt = 0, writtenAt } = record;
    if (tagId === undefined) return true;
    await this.shared.settling.sinceWrite(writtenAt);
    const shows = (entries: readonly Listed[]): boolean => entries.some((one) => isListedAs(one, record));
    const look = (): Promise<Lookup> => this.#lookForGone(record, shows);
    const isYoung = performance.now() - firstMadeAt < this.shared.settling.mostMs;
    if (!isLikelyGone && !isYoung) return shows((await look()).entries);
    // Waits as long as lists show the less likely state, which may be due to lag. A needless delete might hit another tag.
    const isLate = ({ entries }: Lookup): boolean => shows(entries) !== isLikelyGone;
    const kind = isLikelyGone ? 'gone' : undefined;
    const { seen } = await this.shared.settling.until(look, isLate, { late: 'ignored', kind });
    return shows(seen.entries);
  }

  /** Looks in a list of all tags and, if that does not decide, in the lists filtered by the tag's names. */
  async #lookForGone(record: TagRecord, shows: (entries: readonly Listed[]) => boolean): Promise<Lookup> {
    const whole = await this.listForAll();
    const entries = (whole === undefined ? undefined : listedIn(whole)) ?? [];
    // If tag_ids are reused, a list that lags would show the former tag.
    const isTold = shows(entries) ? !this.tags.deleted.givesIdsAgain : record.isLikelyGone;
    if (whole !== undefined && isTold) return { entries, exchanges: [whole] };
    // A single list may lag, so the filtered lists have to leave out the tag, too.
    const list = (query?: string): Promise<Exchange> =>
      query === undefined && whole !== undefined ? Promise.resolve(whole) : this.list(query);
    return lookUpBy(list, record.tagId, soughtFor(record));
  }

  /** Whether the answer to the create gave the tag_id to this tag alone, and with its name, if no list has shown any tag. */
  #isGivenToIt(record: TagRecord): boolean {
    if (this.hasListed) return true;
    const { given, names } = record;
    const isOfOther = (other: TagRecord): boolean => other !== record && other.given?.tagId === given?.tagId;
    return given !== undefined && names.has(textOfName(given.name)) && !this.tags.records.some(isOfOther);
  }

  /**
   * Looks for a tag that no list has shown yet: for the settle time if its create was acknowledged, else once. Later
   * attempts wait less.
   *
   * @returns false if lists cannot be read: then the tag has to be removed by the tag_id in the answer to its create.
   * @throws Undecided if nothing shows that this tag_id is its own.
   */
  async #findUnseen(record: TagRecord): Promise<boolean> {
    const look = (): Promise<Lookup> => this.lookUp(record.tagId, ...record.names);
    try {
      await this.claim(record);
      const isListed = (await this.listForAll()) !== undefined;
      if (record.isSeen || (isListed && record.state === 'intended' && !record.isAcknowledged)) return true;
      if ((record.state === 'alive' || record.given !== undefined) && !this.losesCreates) {
        const isBrief = this.#neverSeen.has(record);
        const { good } = await this.shared.settling.until(look, () => record.isSeen, { isBrief });
        if (!good) this.#neverSeen.add(record);
      } else await look();
      return true;
    } catch (error) {
      if (!(error instanceof Undecided) || record.state !== 'alive' || !this.#isGivenToIt(record))
        throw error;
      const { exchanges } = error.outcome;
      // The tag of a create without a clear answer is more likely to break the list than one whose create was answered well.
      const unclear = this.tags.records.findLast(
        ({ state, isUnderWay, isUnfound }) => state === 'intended' && !isUnderWay && !isUnfound,
      );
      const [name = ''] = (unclear ?? record).names;
      const why =
        unclear === undefined
          ? `while the tag with the name ${quote(name)} exists, ${error.message}`
          : `since a create with the name ${quote(name)} got no clear answer, ${error.message}`;
      if (exchanges.some(({ answer }) => answer !== undefined && answer.status >= 500))
        this.shared.signs.record('list-broken', why, ...exchanges);
      return false;
    }
  }
}
