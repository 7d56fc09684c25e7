import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import { createdIn } from '../spec/reading.ts';
import { filterQuery, pathOf, type RequestOverrides } from '../spec/requests.ts';
import type { Authorised } from './authorised.ts';
import type { CommonNames } from './common-names.ts';
import type { Lookup } from './lookup.ts';
import { sendAgainIfLost } from './lost.ts';
import { isFoldedNameOf, type Ownership } from './ownership.ts';
import type { Shared } from './shared.ts';
import type { TagRecord } from './tag-record.ts';
import type { Tags } from './tags.ts';

/** What `Creates` needs of its account. */
interface Owner {
  readonly tags: Tags;
  readonly ownership: Ownership;
  list(query?: string): Promise<Exchange>;
  lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup>;
}

/** Creates tags in one account, and concludes from each answer whether a tag was made. */
export class Creates {
  readonly #account: Owner;
  readonly #shared: Shared;
  readonly #authorised: Authorised;
  readonly #commonNames: CommonNames;
  #lookForDeleted: Promise<unknown> | undefined;

  constructor(account: Owner, shared: Shared, authorised: Authorised, commonNames: CommonNames) {
    this.#account = account;
    this.#shared = shared;
    this.#authorised = authorised;
    this.#commonNames = commonNames;
  }

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
    return this.#shared.slots.creating.use(1, async () => {
      await this.#commonNames.lookFor(names);
      if (this.#commonNames.wouldHide(names))
        throw new Undecided(
          'choice',
          `a tag with the name ${quote(names[0])} might not be found again: so many others have it or contain it`,
        );
      if (this.#isFull(share)) await this.#lookWhetherDeletesWork();
      // There must be no await between this test and the intent: simultaneous creates would all find room.
      this.#refuseIfFull(share);
      const record = this.#account.tags.intend(...names);
      const exchange = await this.#sent(record, () =>
        sendAgainIfLost(
          () => this.#authorised.send('create', pathOf.create(), body, overrides),
          async () => (await this.#account.lookUp(undefined, ...names)).entries.length === 0,
        ),
      );
      this.#conclude(record, names, exchange, hasOtherToken(overrides));
      await this.claim(record);
      return { record, exchange };
    });
  }

  /** Whether so many tags may be left that this share of the room is used up: the run must not fill up the target. */
  #isFull(share: number): boolean {
    return this.#shared.mayBeLeft >= this.#shared.mostLeft * share;
  }

  #refuseIfFull(share: number): void {
    if (!this.#isFull(share)) return;
    throw new Undecided(
      'failure',
      `${this.#shared.mayBeLeft} tags of this run may be left on the target, because deletes do not remove them or lists do not show which they are: the run makes no more`,
    );
  }

  /**
   * If lists are pages or lag, no list may have shown yet that a deleted tag is gone. Looks one up until it is gone, at most
   * for the settle time, and once in a run.
   */
  async #lookWhetherDeletesWork(): Promise<void> {
    const { deleted, records } = this.#account.tags;
    const tag = deleted.unconfirmedDeleted(records);
    if (tag === undefined || deleted.hasSeenDeletesWork) return;
    // A list that cannot be read decides nothing.
    this.#lookForDeleted ??= ifDecided(() =>
      this.#shared.settling.until(
        () => this.#account.lookUp(tag.tagId, ...tag.names),
        () => deleted.hasSeenDeletesWork,
        { late: 'ignored' },
      ),
    );
    await this.#lookForDeleted;
  }

  /** A create that was not sent, or was deferred each time, has made no tag. */
  async #sent(record: TagRecord, send: () => Promise<Exchange>): Promise<Exchange> {
    try {
      return await this.#account.tags.making(record, send);
    } catch (error) {
      if (error instanceof Undecided && !error.wasSent) this.#account.tags.refused(record);
      throw error;
    }
  }

  /**
   * Concludes from the answer to a create whether it made a tag.
   *
   * @param mayBeRefused whether it was sent without the run's token: then a success without a tag may be a refusal.
   */
  #conclude(record: TagRecord, names: readonly string[], exchange: Exchange, mayBeRefused: boolean): void {
    const created = createdIn(exchange);
    if (created === undefined) {
      if (isRefusal(exchange)) this.#account.tags.refused(record, isClear(exchange) ? exchange : undefined);
      if (accepted(exchange)) this.#account.tags.acknowledged(record, exchange, undefined, mayBeRefused);
      return;
    }
    if (this.#commonNames.mayBeStrangers(names, created)) {
      const former = this.#account.ownership.strangersName(created.tagId);
      const given = { names: new Set(typeof created.name === 'string' ? [...names, created.name] : names) };
      // If the tag_id belonged to a tag of another name, it may belong to the new tag now.
      const isItsStranger = typeof former === 'string' && isFoldedNameOf(former, given);
      if (!isItsStranger) this.#commonNames.learnAnswer(names, created.tagId);
      return;
    }
    this.#account.tags.acknowledged(record, exchange, created);
    this.#account.ownership.releaseNew(record, created.tagId, exchange.startedAt);
    const holder = this.#account.tags.living(created.tagId);
    // A list may have shown the tag before the answer to its create arrived: then its own record has the tag_id.
    if (holder === undefined || holder === record) return this.#account.ownership.adopt(record, created);
    if (holder.mayBeGone) {
      this.#account.tags.removed(holder);
      return this.#account.ownership.adopt(record, created);
    }
    // A target may answer a taken name with the tag that has it. That is one tag, not two with the same tag_id.
    if (names.some((name) => isFoldedNameOf(name, holder))) return this.#account.tags.refused(record);
    this.#shared.signs.record(
      'id-given-twice',
      `create gave the tag_id ${quote(created.tagId)}, which another living tag has`,
      exchange,
    );
  }

  /** A create may be answered with a tag_id that a stranger's tag had until now. Lists decide whose it is. */
  async claim(record: TagRecord): Promise<void> {
    const { given } = record;
    if (given === undefined || !this.#account.ownership.isStranger(given.tagId)) return;
    if (this.#commonNames.mayBeStrangers([...record.names], given)) return;
    try {
      await this.#account.list();
      const name = this.#account.ownership.strangersName(given.tagId);
      if (typeof name === 'string') {
        // The list may be a page without the tag.
        const lists = await Promise.all(
          [name, ...record.names].map((one) => this.#account.list(filterQuery(one))),
        );
        this.#account.ownership.releaseTo(record, given.tagId, lists);
      }
      this.#account.ownership.adopt(record, given);
    } catch (error) {
      // The tag stays unclaimed.
      if (!(error instanceof Undecided)) throw error;
    }
  }
}

/** Whether a refusal blames the request itself, so that it will not be carried out later either. */
const isClear = (exchange: Exchange): boolean => [400, 401, 403, 422].includes(statusOf(exchange));

/** Whether a request has no token, or another one than the run's. */
export const hasOtherToken = ({ token, headers = {} }: RequestOverrides = {}): boolean =>
  token !== undefined || Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');

/** Whether the answer says that the request was not carried out. 501 says so, too (RFC 9110, 15.6.2). */
export const isRefusal = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return (status >= 300 && status < 500) || status === 501;
};
