import { isTransient } from '../http/retryable.ts';
import { accepted, isClearRefusal, isRefusal, slim, type Exchange } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import { createdIn } from '../spec/reading.ts';
import { hasOtherToken, isOrdinary, pathOf, type RequestOverrides } from '../spec/requests.ts';
import { Lists } from './lists.ts';
import { sendAgainIfLost } from './lost.ts';
import { refuseUntraceable } from './made-by-updates.ts';
import { isFoldedNameOf, isListedAs, soughtFor } from './name-forms.ts';
import { isRefusedUnduly, type RefusedUpdate } from './refused-at-random.ts';
import type { TagRecord } from './tag-record.ts';

/** The part of an account that writes: creates, updates and deletes, and what their answers say about its tags. */
export class Writes extends Lists {
  /** Every tag_id that an update or a delete named in its path. */
  readonly addressed = new Set<string>();
  /** Updates of living tags to new names that were refused unduly. */
  readonly refusedUpdates: RefusedUpdate[] = [];
  #lookForDeleted: Promise<unknown> | undefined;

  /**
   * Creates a tag. The ledger holds the intent before the request is sent.
   *
   * @param names every name that the body may give the tag.
   * @param share how much of the room for tags this create may use up if deletes have no effect, from 0 to 1.
   */
  async create(
    body: unknown,
    names: readonly string[],
    overrides?: RequestOverrides,
    share = 1,
  ): Promise<{ readonly record: TagRecord; readonly exchange: Exchange }> {
    return this.shared.slots.creating.use(1, async () => {
      await this.lookForCommon(names);
      if (this.commonNames.wouldHide(names))
        throw new Undecided(
          'choice',
          `a tag with the name ${quote(names[0])} could not be told from those of others`,
        );
      // The room is that of all accounts, and any of them may have a deleted tag to look for.
      if (this.#isFull(share))
        await Promise.all(this.shared.accounts.map((account) => account.lookWhetherDeletesWork()));
      // There must be no await between this test and the intent: simultaneous creates would all find room.
      this.#refuseIfFull(share);
      const record = this.tags.intend(...names);
      const isUnauthorised = hasOtherToken(overrides);
      if (isUnauthorised || overrides?.standIn !== undefined) this.tags.mark(record, 'isOfOtherToken');
      const exchange = await this.#making(record, names, isUnauthorised, () =>
        sendAgainIfLost(
          (more) => this.#write('create', pathOf.create(), body, { ...overrides, ...more }),
          async () => (await this.lookUp(undefined, ...names)).entries.length === 0,
        ),
      );
      await this.claim(record);
      return { record, exchange };
    });
  }

  /**
   * Creates a tag with a plain name. The answer shows whether the target carries out writes.
   *
   * @throws Undecided if there is no room for the tag.
   */
  async probe(): Promise<{ readonly record: TagRecord; readonly exchange: Exchange }> {
    if (this.shared.tagsLeft < 1) throw new Undecided('choice', 'no more tags may exist now');
    this.#refuseIfFull(1);
    const name = this.shared.names.plain();
    const record = this.tags.intend(name);
    const exchange = await this.#making(record, [name], false, () =>
      this.authorised.send('create', pathOf.create(), { name }),
    );
    return { record, exchange };
  }

  /** Whether so many tags may be left that this share of the room is used up: the run must not fill up the target. */
  #isFull(share: number): boolean {
    return this.shared.mayBeLeft >= this.shared.mostLeft * share;
  }

  #refuseIfFull(share: number): void {
    const whyNoDeletes = this.shared.client.whyPutOff('delete');
    if (whyNoDeletes !== undefined)
      throw new Undecided(
        'failure',
        `the run makes no more tags, because it cannot delete them: ${whyNoDeletes}`,
      );
    if (!this.shared.hasTimeForOneMore)
      throw new Undecided('failure', 'the run makes no more tags: there may be no time left to remove them');
    if (!this.#isFull(share)) return;
    throw new Undecided(
      'failure',
      `${this.shared.mayBeLeft} tags of this run may be left on the target, because deletes do not remove them or lists do not show which they are: the run makes no more`,
    );
  }

  /**
   * If lists are pages or lag, no list may have shown yet that a deleted tag is gone. Looks one up until it is gone, at most
   * for the settle time, and once in a run.
   */
  async lookWhetherDeletesWork(): Promise<void> {
    const { deleted, records } = this.tags;
    const tag = deleted.unconfirmedDeleted(records);
    if (tag === undefined || deleted.hasSeenDeletesWork) return;
    // A list that cannot be read decides nothing.
    this.#lookForDeleted ??= ifDecided(() =>
      this.shared.settling.until(
        () => this.lookUp(tag.tagId, ...tag.names),
        () => deleted.hasSeenDeletesWork,
        { late: 'ignored', kind: 'gone' },
      ),
    );
    await this.#lookForDeleted;
  }

  /** Sends a write. If it falls into an outage of writes, waits for its end. */
  #write(
    operation: 'create' | 'rename' | 'delete',
    path: string,
    body: unknown,
    overrides: RequestOverrides | undefined,
  ): Promise<Exchange> {
    const send = (): Promise<Exchange> => this.authorised.send(operation, path, body, overrides);
    // A create holds one of the permits for creates already.
    return this.shared.writeOutage.outlasting(send, operation === 'create');
  }

  /**
   * Sends a create and concludes from the answer whether it made a tag.
   *
   * @param mayBeRefused whether it is sent without the run's token: then a success without a tag may be a refusal.
   */
  async #making(
    record: TagRecord,
    names: readonly string[],
    mayBeRefused: boolean,
    send: () => Promise<Exchange>,
  ): Promise<Exchange> {
    try {
      return await this.tags.making(record, send, (exchange) => {
        if (exchange.followsLost === true) this.tags.mark(record, 'mayBeTwice');
        this.#conclude(record, names, exchange, mayBeRefused);
      });
    } catch (error) {
      // A create that was not sent, was deferred each time, or was refused with its token has made no tag.
      const isRefused = (exchange: Exchange): boolean =>
        exchange.ask.operation === 'create' && isRefusal(exchange);
      if (error instanceof Undecided && !error.wasSent) this.tags.mark(record, 'isUnsent');
      if (error instanceof Undecided && (!error.wasSent || error.outcome.exchanges.some(isRefused)))
        this.tags.refused(record);
      throw error;
    }
  }

  #conclude(record: TagRecord, names: readonly string[], exchange: Exchange, mayBeRefused: boolean): void {
    const created = createdIn(exchange);
    if (created === undefined) {
      // A name may be refused as taken because the first request, whose answer was lost, has made the tag.
      const isRefused = isRefusal(exchange) && !record.mayBeTwice;
      if (isRefused) this.tags.refused(record, isClearRefusal(exchange) ? exchange : undefined);
      if (accepted(exchange)) this.tags.acknowledged(record, exchange, undefined, mayBeRefused);
      return;
    }
    if (this.commonNames.mayBeStrangers(names, created)) {
      const former = this.ownership.strangers.nameOf(created.tagId);
      const given = { names: new Set(typeof created.name === 'string' ? [...names, created.name] : names) };
      // If the tag_id belonged to a tag of another name, it may belong to the new tag now.
      const isItsStranger = typeof former === 'string' && isFoldedNameOf(former, given);
      if (!isItsStranger) this.commonNames.learnAnswer(names, created.tagId);
      return;
    }
    this.tags.acknowledged(record, exchange, created);
    // The first of two such requests, whose answer was lost, may have made the tag.
    const sentAt = exchange.followsLost === true ? record.intendedAt : exchange.startedAt;
    this.ownership.releaseNew(record, created.tagId, sentAt);
    const holder = this.tags.living(created.tagId);
    // A list may have shown the tag before the answer to its create arrived: then its own record has the tag_id.
    if (holder === undefined || holder === record) return this.ownership.adopt(record, created);
    if (holder.mayBeGone) {
      this.tags.removed(holder);
      return this.ownership.adopt(record, created);
    }
    // A target may answer a taken name with the tag that has it. That is one tag, not two with the same tag_id.
    // And a list may have shown the new tag with the name of another before: then the name is wrong, and the other has one more.
    const isOfList = ![holder.given?.tagId, holder.updatedId].includes(created.tagId);
    if (isOfList || names.some((name) => isFoldedNameOf(name, holder))) return this.tags.refused(record);
    this.shared.signs.record(
      'id-given-twice',
      `create gave the tag_id ${quote(created.tagId)}, which another living tag has`,
      exchange,
    );
  }

  /**
   * Updates a tag.
   *
   * @param name the name in the body, if any.
   * @returns the exchange and, if no known tag has the tag_id, a record: the target may make a tag of the update.
   */
  async rename(
    tagId: string,
    body: unknown,
    name: string | undefined,
    overrides?: RequestOverrides,
  ): Promise<{ readonly record?: TagRecord; readonly exchange: Exchange }> {
    await this.#refuseStrangers(tagId);
    refuseUntraceable(this.tags.records, this.shared.names, body);
    const isKnown = this.tags.living(tagId) !== undefined;
    const isNew = name === undefined || this.tags.records.every(({ names }) => !names.has(name));
    const intended = isKnown || name === undefined ? undefined : this.tags.intendUpdate(name, tagId);
    if (isKnown && name !== undefined) this.tags.renaming(tagId, name);
    const exchange = await this.tags.writing(tagId, 'rename', () =>
      sendAgainIfLost(
        (more) =>
          this.#write('rename', pathOf.rename(tagId, overrides?.segment), body, { ...overrides, ...more }),
        () => Promise.resolve(true),
      ),
    );
    const living = this.tags.living(tagId);
    const permitsAll = overrides?.token === undefined;
    if (isNew && living !== undefined && isRefusedUnduly(living, exchange, name, permitsAll))
      this.refusedUpdates.push({ tag: living, exchange: slim(exchange) });
    // Some targets convert other values to names; an update with that name would be another request.
    const isName = typeof body === 'object' && body !== null && 'name' in body && body.name === name;
    if (isName && name !== undefined && accepted(exchange)) this.tags.updated(tagId, name, exchange);
    // If a delete at the same time came first, the target may have made the tag again.
    const mayBeMade = isKnown && name !== undefined && accepted(exchange) && living === undefined;
    const record = mayBeMade ? this.tags.intendUpdate(name, tagId) : intended;
    if (record === undefined || name === undefined) return { exchange };
    const known = this.tags.withId(tagId);
    if (known !== undefined && accepted(exchange)) {
      // If a delete at the same time was refused, the update was one of the known tag, and made none.
      await Promise.allSettled([known.deletion]);
      if (this.tags.living(tagId) === known) {
        this.tags.renaming(tagId, name);
        this.tags.refused(record);
        return { exchange };
      }
    }
    // A name may be refused as taken because the first request, whose answer was lost, has made the tag.
    if (isRefusal(exchange) && exchange.followsLost !== true)
      this.tags.mark(record, 'isOfRefusedUpdate', 'isUnfound');
    return { record, exchange };
  }

  async delete(tagId: string, overrides?: RequestOverrides): Promise<Exchange> {
    await this.#refuseStrangers(tagId);
    const living = this.tags.living(tagId);
    const send = (more: RequestOverrides): Promise<Exchange> =>
      this.tags.writing(tagId, 'delete', () =>
        this.#write('delete', pathOf.delete(tagId, overrides?.segment), undefined, { ...overrides, ...more }),
      );
    if (!isOrdinary(overrides)) {
      // With another credential, a success may be without effect, and a refused delete may be carried out.
      if (living !== undefined) this.tags.mark(living, 'mayBeGone');
      const exchange = await send({});
      if (living !== undefined && accepted(exchange)) this.tags.mark(living, 'mayBeGone', 'isLikelyGone');
      return exchange;
    }
    // A second delete of a tag_id that no tag has changes as little as the first one.
    const mayBeSentAgain = async (): Promise<boolean> => {
      if (this.tags.deleted.givesIdsAgain) return false;
      if (living === undefined) return true;
      // A list that lags shows the deleted tag, whose tag_id another user's tag may have by now.
      await this.shared.settling.sinceWrite(living.writtenAt);
      const { entries } = await this.lookUp(tagId, ...soughtFor(living));
      return entries.some((one) => isListedAs(one, living));
    };
    const conclude = async (): Promise<Exchange> => {
      const exchange = await sendAgainIfLost(send, mayBeSentAgain);
      // Either of two simultaneous deletes may be the one that is carried out.
      const removed = living ?? this.tags.withId(tagId);
      if (removed !== undefined && accepted(exchange)) this.tags.removed(removed, exchange);
      // A delete without an answer may have been carried out, and another tag may have the tag_id by now.
      if (living !== undefined && (exchange.failure !== undefined || isTransient(exchange)))
        this.tags.mark(living, 'mayBeGone');
      return exchange;
    };
    return living === undefined ? conclude() : this.tags.deleting(living, conclude);
  }

  /** @throws Undecided if the tag is a stranger's: a target may answer a create with any tag_id. */
  async #refuseStrangers(tagId: string): Promise<void> {
    if (this.ownership.strangers.has(tagId)) {
      // Its create was answered with this tag_id, and no list has confirmed it yet.
      const isUnclaimed = ({ state, given }: TagRecord): boolean =>
        state === 'intended' && given?.tagId === tagId;
      const unclaimed = this.tags.records.findLast(isUnclaimed);
      if (unclaimed !== undefined) await this.claimInTime(unclaimed, tagId);
    }
    if (this.ownership.strangers.has(tagId)) {
      throw new Undecided(
        'failure',
        'a list shows the tag_id with a name that this run did not give, so the tag may be that of another user',
      );
    }
    // A tag_id may have passed from a stranger's tag to one of the run.
    if (this.tags.withId(tagId) === undefined) this.addressed.add(tagId);
  }
}
