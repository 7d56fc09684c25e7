import type { Exchange } from '../http/exchange.ts';
import { listedIn, textOfName, type Listed } from '../spec/reading.ts';
import type { Contradictions } from './contradictions.ts';
import type { Look } from './look.ts';
import { hadId } from './deleted.ts';
import { bearsLettersOf, isFoldedNameOf, isFormOf, lettersOf } from './name-forms.ts';
import type { Names } from './names.ts';
import { Strangers } from './strangers.ts';
import type { Tags } from './tags.ts';
import { unconfirmedOf, type TagRecord } from './tag-record.ts';

/**
 * Tells the run's tags from those of strangers. If a list shows a tag_id with a name that is not the run's, the tag is
 * a stranger's. The run does not touch it as long as the stranger's tag may have this tag_id.
 */
export class Ownership {
  readonly strangers = new Strangers();
  /** The tag_ids in unfiltered lists. Only such a list can show that the tag is gone. */
  readonly #unfiltered = new Set<string>();
  /** When the last unfiltered list was requested, by `performance.now()`. */
  #lastWholeAt = -Infinity;
  /** Whether a list showed that strangers made or deleted tags during the run. */
  haveStrangersChanged = false;
  readonly #tags: Tags;
  readonly #names: Names;
  readonly #contradictions: Contradictions;

  constructor(tags: Tags, names: Names, contradictions: Contradictions) {
    this.#tags = tags;
    this.#names = names;
    this.#contradictions = contradictions;
  }

  /**
   * Attributes the tag_id of a stranger's tag to the run. Filtered lists must show it with a name of this tag, and none
   * with the stranger's name.
   *
   * @param lists filtered by the stranger's name, and by each name of the tag.
   */
  releaseTo(record: TagRecord, tagId: string, lists: readonly Exchange[]): void {
    const all = lists.map(listedIn);
    if (all.includes(undefined)) return;
    const shown = all.flatMap((listed) => listed ?? []).filter((tag) => tag.tagId === tagId);
    const former = this.strangers.nameOf(tagId);
    const isOwn = ({ name }: Listed): boolean =>
      typeof name === 'string' && name !== former && (record.names.has(name) || bearsLettersOf(name, record));
    if (shown.length > 0 && shown.every(isOwn)) this.strangers.forget(tagId);
  }

  /**
   * Attributes a tag_id to the run that a list showed before the answer to the create arrived, in a form of its name that
   * was not recognised.
   *
   * @param sentAt when the create was sent. A tag that a list showed before that is a stranger's.
   */
  releaseNew(record: TagRecord, tagId: string, sentAt: number): void {
    const name = this.strangers.nameOf(tagId);
    if (typeof name !== 'string' || this.strangers.shownSince(tagId) < sentAt) return;
    if (isFormOf(name, record) || bearsLettersOf(name, record)) this.strangers.forget(tagId);
  }

  /** Learns from a list which tags are the run's. */
  learn(look: Look): void {
    const { exchange: list, filter, isShort, isWhole, askedAt } = look;
    const listed = listedIn(list);
    if (listed === undefined) return;
    // Before the run has made a tag, every listed tag is a stranger's, whatever its name.
    if (this.#tags.records.length === 0) for (const tag of listed) this.strangers.note(tag);
    const ids = new Set(listed.map(({ tagId }) => tagId));
    if (filter === undefined) {
      this.#forgetStrangers(listed, ids);
      for (const tagId of ids) this.#unfiltered.add(tagId);
    }
    if (isShort === true || isWhole === true) this.#contradictions.leavesOut(this.#tags.records, look, ids);
    for (const tag of listed) {
      if (this.strangers.has(tag.tagId)) continue;
      const living = this.#tags.living(tag.tagId);
      if (living !== undefined && this.#isConfirmed(living, tag, look)) {
        this.#contradictions.shows(living, tag, look, (name) => this.#isFormers(tag.tagId, name));
        continue;
      }
      // A list that was requested before a delete may arrive after the delete.
      const isYounger = (this.#awaited(tag)?.intendedAt ?? Infinity) < askedAt;
      if (!isYounger && this.#wasDeleted(tag)) this.#showsDeleted(tag, look);
      else if (!hadId(this.#tags.records, tag, askedAt - this.#tags.settleMs)) this.#identify(tag, look, ids);
    }
    if (filter === undefined) this.#lastWholeAt = Math.max(this.#lastWholeAt, askedAt);
    this.#tags.absent(
      (record) => listed.some((one) => this.#mayBe(record, one)),
      ({ names, removedAt = Infinity }) => {
        if (removedAt >= askedAt) return [];
        if (filter === undefined) return this.#isWhole(ids) ? [...names] : [];
        return names.has(filter) ? [filter] : [];
      },
    );
  }

  /** Learns from a list with another token of the account whether it shows deleted tags. */
  learnDeleted(look: Look): void {
    for (const { tagId, name } of listedIn(look.exchange) ?? [])
      if (typeof name === 'string' && !this.strangers.has(tagId) && this.#tags.wasDeleted(tagId, name))
        this.#showsDeleted({ tagId, name }, look, true);
  }

  /** A stranger may have made a tag of a common name anew, and the target may have given it the tag_id that it had. */
  #showsDeleted({ tagId, name }: Listed, look: Look, isNarrow = false): void {
    const shown = textOfName(name);
    const record = this.#tags.withId(tagId);
    if (this.#names.isCommon(shown) && (record === undefined || !bearsLettersOf(shown, record))) return;
    // A create that is under way may have been given the tag_id, and the target may keep its name in this form.
    const mayBeOf = (one: TagRecord): boolean =>
      one !== record && one.isUnderWay && (one.names.has(shown) || isFormOf(shown, one));
    if (this.#tags.records.some(mayBeOf)) return;
    this.#tags.showsDeleted(tagId, look, isNarrow);
  }

  /** Whether the run deleted the listed tag, or is deleting it. The target may keep its last name in another form. */
  #wasDeleted({ tagId, name }: Listed): boolean {
    const shown = textOfName(name);
    return this.#tags.wasDeleted(tagId, shown, (record) => bearsLettersOf(shown, record));
  }

  /** Whether a listed tag may be this deleted one. */
  #mayBe({ tagId, names }: TagRecord, shown: Listed): boolean {
    // A younger tag of the run may have been given the tag_id.
    if (this.#tags.living(shown.tagId) !== undefined) return false;
    if (shown.tagId === tagId) return true;
    // A target may list its tags with other tag_ids than its creates are answered with.
    return typeof shown.name === 'string' && names.has(shown.name) && !this.strangers.has(shown.tagId);
  }

  /** Learns from the answer to a create, unless the tag_id is known to be a stranger's. */
  adopt(record: TagRecord, { tagId, name }: Listed): void {
    // A target may keep the name in another form. Any other name may be that of a stranger's tag.
    const form =
      typeof name === 'string' && !record.names.has(name) && isFormOf(name, record) ? name : undefined;
    if (this.strangers.has(tagId)) {
      if (form !== undefined) this.#tags.keptAs(record, form);
      return;
    }
    const holder = this.#tags.living(tagId);
    if (holder !== undefined && holder !== record) {
      // A later create was answered with the same tag, and lists attributed the tag to that create.
      if ([...record.names].some((given) => isFoldedNameOf(given, holder))) this.#tags.refused(record);
      return;
    }
    // A list may have shown the tag before the create was answered. If the tag_ids differ, the one in the list counts.
    if (record.isSeen && record.tagId !== tagId) return;
    this.#tags.made(record, tagId);
    if (form !== undefined) this.#tags.renaming(tagId, form);
  }

  /** Whether an unfiltered list shows all tags of the run that certainly exist, so it is no page. */
  #isWhole(ids: ReadonlySet<string>): boolean {
    return this.#tags.records.every(
      ({ state, isSeen, tagId }) => state !== 'alive' || !isSeen || tagId === undefined || ids.has(tagId),
    );
  }

  /**
   * Forgets strangers whose tag_id may pass to a tag of the run. Either a whole list no longer shows it, or a create may
   * have been given it and the list shows it with a name that only this run uses. Filtered lists do not count: some targets
   * show any tag with the name in the filter.
   */
  #forgetStrangers(listed: readonly Listed[], ids: ReadonlySet<string>): void {
    if (this.#isWhole(ids)) {
      for (const tagId of this.strangers.tagIds)
        if (!ids.has(tagId) && this.#unfiltered.has(tagId)) {
          this.haveStrangersChanged = true;
          this.strangers.forget(tagId);
        }
    }
    for (const { tagId, name } of listed) {
      if (!this.strangers.has(tagId)) continue;
      const isGiven = typeof name === 'string' && (this.#tags.named(name) !== undefined || this.isOwn(name));
      // The answer to the create may arrive after the list. Until then the stranger's name is kept.
      if (!isGiven) this.strangers.note({ tagId, name });
      // A target may wrongly show a stranger's tag with a name of the run, or even rename it.
      else if (this.#mayBeGiven(tagId, name) && this.isOwn(name) && this.strangers.nameOf(tagId) !== name)
        this.strangers.forget(tagId);
    }
  }

  /**
   * Whether a create may have been given this tag_id: one was answered with it, or the create of this name got no answer with
   * a tag_id, and the target is known to reuse tag_ids. No other tag_id can pass from a stranger's tag to the run, whatever
   * lists show.
   */
  #mayBeGiven(tagId: string, name: string): boolean {
    if (this.#tags.records.some(({ given }) => given?.tagId === tagId)) return true;
    const { state, isUnderWay, isOfUpdate, given } = this.#tags.named(name) ?? {};
    const isLost = state === 'intended' && isUnderWay === false && isOfUpdate !== true && given === undefined;
    return isLost && this.#tags.deleted.givesIdsAgain;
  }

  /** Whether the list shows a living tag of the run. If not, its create was answered with a stranger's tag_id. */
  #isConfirmed(living: TagRecord, shown: Listed, look: Look): boolean {
    const { askedAt, filter } = look;
    const name = textOfName(shown.name);
    // A common name has no letters of the run: after an update to one, the target may keep it in another form.
    const isForm = (form: string): boolean => living.isSeen && isFoldedNameOf(form, living);
    const isItsName = living.names.has(name) || bearsLettersOf(name, living) || isForm(name);
    if (isItsName) this.#tags.seenAs(living, name, askedAt);
    // A list that was requested before the create was answered may show the former tag with this tag_id. So may a list that
    // lags. And some targets show any tag with the name in the filter.
    const isExplained =
      isItsName ||
      askedAt < (living.madeAt ?? 0) ||
      hadId(this.#tags.records, shown) ||
      shown.name === filter;
    // Or a delete with another token is under way: if it is carried out, a stranger's tag may be given the tag_id.
    const isBeingDeleted = living.mayBeGone && living.writes > 0;
    // No stranger has a name of the run, so the list shows the tag with the name of another tag of the run.
    const isOfAnother = !isExplained && this.isOwn(name);
    if (isOfAnother) this.#contradictions.confusions.misnames(living, shown, look, this.#tags.records);
    if (isOfAnother && !living.isSeen) this.#tags.seenAs(living, name, askedAt);
    if (living.isSeen || isExplained || isBeingDeleted) return true;
    // A delete with another token was acknowledged, and a stranger's tag may have been given the tag_id.
    if (living.isLikelyGone) this.#tags.removed(living);
    else this.#tags.disown(living, String(shown.name));
    return false;
  }

  #identify({ tagId, name }: Listed, look: Look, ids: ReadonlySet<string>): void {
    const record = typeof name === 'string' ? this.#recordOf(tagId, name) : undefined;
    if (record?.state === 'refused')
      this.#contradictions.showsRefused(record, String(name), look.exchange, {
        records: this.#tags.records,
        before: this.#lastWholeAt,
      });
    if (record !== undefined) this.#recognise(record, { tagId, name }, look, ids);
    // A body may hold a name of the run that is not recorded as a create: its answer will show whose the tag is.
    else if (typeof name !== 'string' || !this.#names.isOwn(name)) {
      this.#tags.gaveId(tagId);
      this.haveStrangersChanged = true;
      this.strangers.note({ tagId, name });
    }
  }

  /** Whether a deleted tag with this tag_id may have had the name. Strangers' tags may have had the id between two lists. */
  #isFormers(tagId: string, name: unknown): boolean {
    const mayBeStrangers = this.strangers.hadId(tagId) && !this.isOwn(textOfName(name));
    return mayBeStrangers || hadId(this.#tags.records, { tagId, name });
  }

  /**
   * The tag of the run that a list has to show before this tag_id counts as its own. A list that lags may have shown a
   * stranger's tag with the tag_id of its create. And an update of an unknown tag_id may have made a tag with the name of
   * another one.
   */
  #awaited({ tagId, name }: Listed): TagRecord | undefined {
    return this.#tags.records.findLast(
      ({ state, given, updatedId, names }) =>
        state === 'intended' && [given?.tagId, updatedId].includes(tagId) && names.has(textOfName(name)),
    );
  }

  /** The tag of the run that a list shows with this tag_id and name. */
  #recordOf(shownId: string, name: string): TagRecord | undefined {
    const awaited = this.#awaited({ tagId: shownId, name });
    if (awaited !== undefined) return awaited;
    const known = this.isOwn(name) ? this.#tags.named(name) : undefined;
    const isOfOther = (one: TagRecord): boolean => one !== known && one.isUnderWay && one.names.has(name);
    // Until the creates of a name are answered, the tag may be that of any of them.
    if (known !== undefined) return this.#tags.records.some(isOfOther) ? undefined : known;
    // A create without a clear answer may have made a tag whose name is kept in another form.
    const letters = lettersOf(name);
    return this.#names.isOwn(letters) ? unconfirmedOf(this.#tags.records, letters) : undefined;
  }

  /** Whether the name, or the plain name inside it, is the run's. */
  isOwn(name: string): boolean {
    return this.#names.isOwn(name) || this.#names.isOwn(lettersOf(name));
  }

  #recognise(record: TagRecord, shown: Listed, look: Look, ids: ReadonlySet<string>): void {
    const { state, isSeen, mayBeTwice, tagId: known } = record;
    const { tagId } = shown;
    const isGone = state === 'deleting' || state === 'removed';
    const isOther = known !== undefined && known !== tagId;
    // The list shows the name twice, it is a page and may leave out the tag, or the create was sent twice: there is a second
    // tag, which the run has to remove, too.
    const isListed = known !== undefined && (ids.has(known) || (isSeen && look.isPage === true));
    const isSecond = isOther && (mayBeTwice || (state === 'alive' && isListed));
    if (isOther && (isSecond || isGone))
      this.#contradictions.confusions.showsCopy(record, shown, look, this.#tags.records);
    else if (isOther) this.#contradictions.confusions.showsUnderAnotherId(record, shown, look);
    if (isGone && (!mayBeTwice || known === tagId)) return;
    const name = textOfName(shown.name);
    const tag = isSecond ? this.#tags.copied(record, name) : record;
    this.#tags.made(tag, tagId);
    this.#tags.seenAs(tag, name, look.askedAt);
  }
}
