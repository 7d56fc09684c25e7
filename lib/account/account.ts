import { isTransient } from '../http/attempts.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { listedIn } from '../spec/reading.ts';
import { filterIn, filterQuery, pathOf, type RequestOverrides } from '../spec/requests.ts';
import { Authorised } from './authorised.ts';
import { CommonNames } from './common-names.ts';
import { Contradictions } from './contradictions.ts';
import { Creates, isRefusal } from './creates.ts';
import type { AccountLabel } from './ledger.ts';
import { Logins, type Access } from './logins.ts';
import { lookUpBy, type Lookup } from './lookup.ts';
import { sendAgainIfLost } from './lost.ts';
import { ownLettersIn } from './names.ts';
import { Ownership } from './ownership.ts';
import { Removals } from './removals.ts';
import type { Shared } from './shared.ts';
import { Tags } from './tags.ts';
import type { TagRecord } from './tag-record.ts';

/** After this many lost creates the run expects the target to lose more. */
const LOST_MANY = 3;

/** A list of this many tags takes longer than several filtered lists. */
const LONG_LIST = 500;

/** One account of the target: its logins, its tags, and the four operations on them. */
export class Account {
  readonly logins: Logins;
  readonly tags: Tags;
  readonly ownership: Ownership;
  readonly contradictions: Contradictions;
  readonly #authorised: Authorised;
  readonly #shared: Shared;
  readonly #removals: Removals;
  readonly #creates: Creates;
  /** Whether any list could be read. */
  hasListed = false;
  /** The number of tags in the last unfiltered list, and in the longest one. */
  readonly #listed = { last: 0, most: 0 };
  readonly #commonNames: CommonNames;
  /** Every tag_id that an update or a delete named in its path. */
  readonly addressed = new Set<string>();

  constructor(label: AccountLabel, shared: Shared, access: Access) {
    const settleMs = shared.settling.mostMs;
    this.#shared = shared;
    this.logins = new Logins(shared, access);
    this.#authorised = new Authorised(shared, this.logins);
    this.tags = new Tags(shared.ledger, label, shared.signs, settleMs);
    this.contradictions = new Contradictions(shared.signs, settleMs);
    this.ownership = new Ownership(this.tags, shared.names, this.contradictions);
    this.#commonNames = new CommonNames(shared.names, {
      list: (name) => this.list(filterQuery(name)),
      longest: () => this.#listed.most,
      wasDeleted: (tagId, name) => this.tags.wasDeleted(tagId, name),
      noteStrange: (tagId) => shared.ledger.write({ event: 'strange', tag_id: tagId }, label),
    });
    this.#removals = new Removals(this, shared);
    this.#creates = new Creates(this, shared, this.#authorised, this.#commonNames);
  }

  /** Creates a tag. The ledger holds the intent before the request is sent. */
  create(...create: Parameters<Creates['create']>): ReturnType<Creates['create']> {
    return this.#creates.create(...create);
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
    const isKnown = this.tags.living(tagId) !== undefined;
    const record = isKnown || name === undefined ? undefined : this.tags.intendUpdate(name);
    if (isKnown && name !== undefined) this.tags.renaming(tagId, name);
    const exchange = await this.tags.writing(tagId, 'rename', () =>
      sendAgainIfLost(
        () => this.#authorised.send('rename', pathOf.rename(tagId, overrides?.segment), body, overrides),
        () => Promise.resolve(true),
      ),
    );
    // Some targets convert other values to names; an update with that name would be another request.
    const isName = typeof body === 'object' && body !== null && 'name' in body && body.name === name;
    if (isName && name !== undefined && accepted(exchange))
      this.tags.updated(tagId, name, exchange.startedAt);
    if (record === undefined || name === undefined) return { exchange };
    const known = this.tags.withId(tagId);
    if (known !== undefined && accepted(exchange)) {
      // If a delete at the same time was refused, the update was one of the known tag, and made none.
      await this.tags.untilNoDelete(known);
      if (this.tags.living(tagId) === known) {
        this.tags.renaming(tagId, name);
        this.tags.refused(record);
        return { exchange };
      }
    }
    if (isRefusal(exchange)) this.tags.refusedUpdate(record);
    return { record, exchange };
  }

  async delete(tagId: string, overrides?: RequestOverrides): Promise<Exchange> {
    await this.#refuseStrangers(tagId);
    const living = this.tags.living(tagId);
    const send = (): Promise<Exchange> =>
      this.tags.writing(tagId, 'delete', () =>
        this.#authorised.send('delete', pathOf.delete(tagId, overrides?.segment), undefined, overrides),
      );
    if (overrides !== undefined) {
      // With another credential, a success may be without effect, and a refused delete may be carried out.
      if (living !== undefined) this.tags.mayBeGone(living);
      const exchange = await send();
      if (living !== undefined && accepted(exchange)) this.tags.mayBeGone(living, true);
      return exchange;
    }
    const isThere = async (): Promise<boolean> => {
      if (living === undefined || this.tags.deleted.givesIdsAgain) return false;
      const { entries } = await this.lookUp(tagId, ...living.names);
      return entries.some((one) => one.tagId === tagId && living.names.has(String(one.name)));
    };
    const conclude = async (): Promise<Exchange> => {
      const exchange = await sendAgainIfLost(send, isThere);
      // Either of two simultaneous deletes may be the one that is carried out.
      const removed = living ?? this.tags.withId(tagId);
      if (removed !== undefined && accepted(exchange)) this.tags.removed(removed, exchange);
      // A delete without an answer may have been carried out, and another tag may have the tag_id by now.
      if (living !== undefined && (exchange.failure !== undefined || isTransient(exchange)))
        this.tags.mayBeGone(living);
      return exchange;
    };
    return living === undefined ? conclude() : this.tags.deleting(living, conclude);
  }

  /** Lists, and learns from the answer which tags are the run's. */
  async list(query?: string, overrides?: RequestOverrides): Promise<Exchange> {
    const askedAt = performance.now();
    const exchange = await this.#authorised.send('list', pathOf.list(query), undefined, overrides);
    const filter = filterIn(query);
    // If a query has several filters, it is open which one counts.
    if (filter !== undefined && query === filterQuery(filter) && overrides?.open !== true)
      this.#noteUnlike(exchange, filter);
    const listed = overrides === undefined ? listedIn(exchange) : undefined;
    if (listed !== undefined) {
      this.hasListed = true;
      this.#commonNames.learn(listed, askedAt);
    }
    if (listed !== undefined && query === undefined) {
      this.#listed.last = listed.length;
      this.#listed.most = Math.max(this.#listed.most, listed.length);
    }
    if (overrides === undefined)
      this.ownership.learn({
        exchange,
        filter,
        isShort: query === undefined && listed !== undefined && listed.length < this.#listed.most,
        askedAt,
      });
    else if (overrides?.token instanceof Secret && overrides.headers === undefined)
      this.ownership.learnDeleted({ exchange, askedAt });
    if (overrides?.headers === undefined) this.#noteOfAnother(exchange);
    return exchange;
  }

  /** Records a sign if the list shows a tag of another account. Tag_ids and common names may be in both accounts. */
  #noteOfAnother(list: Exchange): void {
    for (const { tagId, name } of listedIn(list) ?? []) {
      if (typeof name !== 'string' || ownLettersIn(name) === undefined) continue;
      if (this.tags.withId(tagId) !== undefined || this.tags.named(name) !== undefined) continue;
      const isOfAnother = this.#shared.accounts.some(
        ({ tags }) => tags !== this.tags && tags.withId(tagId)?.names.has(name) === true,
      );
      if (isOfAnother)
        this.#shared.signs.record(
          'list-of-another',
          `the list of one account shows the tag ${quote(name)} of another`,
          list,
        );
    }
  }

  /** Notes tags of the run that a filter finds although their names share no character with it. */
  #noteUnlike(list: Exchange, filter: string): void {
    for (const shown of listedIn(list) ?? []) {
      const living = this.tags.living(shown.tagId);
      if (living !== undefined && !this.ownership.isStranger(shown.tagId))
        this.contradictions.finds(living, shown, list, filter);
    }
  }

  /**
   * Looks a tag up in the lists filtered by its names and, if these do not show it, in the unfiltered list, which may be a
   * page.
   *
   * @throws Undecided if a list that may show it cannot be read.
   */
  async lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    return lookUpBy((query) => this.list(query), tagId, names);
  }

  /**
   * A list of all tags of the account. It is no page if an earlier list was longer.
   *
   * @returns undefined if the list cannot be read, or may be a page.
   */
  async listWhole(): Promise<Exchange | undefined> {
    const { last, most } = this.#listed;
    if (last >= most || most >= LONG_LIST) return undefined;
    const list = await this.list();
    const entries = listedIn(list);
    return entries !== undefined && entries.length < this.#listed.most ? list : undefined;
  }

  /** If lists show the tag_id of a create's answer under a stranger's name, finds out whose tag it is. */
  claim(record: TagRecord): Promise<void> {
    return this.#creates.claim(record);
  }

  /** Removes a tag, once a list has shown that the run made it. There is no other way to remove a tag. */
  remove(record: TagRecord): Promise<void> {
    return this.#removals.remove(record);
  }

  /**
   * Whether a create without a clear answer may have made a listed tag of its name. The name holds nothing random, so the
   * tag may also be a stranger's.
   */
  mayHaveMade({ state, names }: TagRecord): boolean {
    // The tag_id of a deleted tag of the run may have been reused.
    const isKnown = ({ tagId, at }: { readonly tagId: string; readonly at: number }): boolean => {
      const known = this.tags.withId(tagId);
      return known !== undefined && (known.removedAt ?? Infinity) >= at;
    };
    return state === 'intended' && this.#commonNames.newOf(names).some((shown) => !isKnown(shown));
  }

  /** The number of tags in the longest unfiltered list. */
  get longestList(): number {
    return this.#listed.most;
  }

  /** Whether the target has lost so many acknowledged creates that waiting for another new tag is useless. */
  get losesCreates(): boolean {
    return this.#shared.signs.of('create-lost').length >= LOST_MANY;
  }

  /** @throws Undecided if the tag is a stranger's: a target may answer a create with any tag_id. */
  async #refuseStrangers(tagId: string): Promise<void> {
    if (this.ownership.isStranger(tagId)) {
      // Its create was answered with this tag_id, and no list has confirmed it yet.
      const isUnclaimed = ({ state, given }: TagRecord): boolean =>
        state === 'intended' && given?.tagId === tagId;
      const unclaimed = this.tags.records.findLast(isUnclaimed);
      if (unclaimed !== undefined) await this.claim(unclaimed);
    }
    if (this.ownership.isStranger(tagId)) {
      throw new Undecided(
        'failure',
        'the target answered a create of this run with the tag_id of a tag that the run did not make',
      );
    }
    // A tag_id may have passed from a stranger's tag to one of the run.
    if (this.tags.withId(tagId) === undefined) this.addressed.add(tagId);
  }
}
