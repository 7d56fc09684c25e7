import { setImmediate as nextCycle } from 'node:timers/promises';
import { type Exchange } from '../http/exchange.ts';
import { quote } from '../http/wording.ts';
import { ifDecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { listedIn } from '../spec/reading.ts';
import { filterIn, filterQuery, isOrdinary, pathOf, type RequestOverrides } from '../spec/requests.ts';
import { Authorised } from './authorised.ts';
import { CommonNames } from './common-names.ts';
import { Contradictions } from './contradictions.ts';
import type { AccountLabel } from './ledger.ts';
import { Logins, type Access } from './logins.ts';
import { lookUpBy, type Lookup } from './lookup.ts';
import { ownLettersIn } from './names.ts';
import { Ownership } from './ownership.ts';
import type { Shared } from './shared.ts';
import { Tags } from './tags.ts';
import type { TagRecord } from './tag-record.ts';

/** After this many lost creates the run expects the target to lose more. */
const LOST_MANY = 3;

/** A list of this many tags takes longer than several filtered lists. */
const LONG_LIST = 500;

/** The part of an account that reads: its lists, and what the run learns from them. */
export class Lists {
  readonly logins: Logins;
  readonly tags: Tags;
  readonly ownership: Ownership;
  readonly contradictions: Contradictions;
  protected readonly shared: Shared;
  protected readonly authorised: Authorised;
  readonly commonNames: CommonNames;
  /** Whether any list could be read. */
  hasListed = false;
  /** The number of tags in the longest unfiltered list. */
  longestList = 0;
  #lastLength = 0;
  #nextList: Promise<Exchange | undefined> | undefined;

  constructor(label: AccountLabel, shared: Shared, access: Access) {
    const settleMs = shared.settling.mostMs;
    this.shared = shared;
    this.logins = new Logins(shared, access);
    this.authorised = new Authorised(shared, this.logins);
    this.tags = new Tags(shared.ledger, label, shared.signs, settleMs);
    this.contradictions = new Contradictions(shared.signs, settleMs);
    this.ownership = new Ownership(this.tags, shared.names, this.contradictions);
    this.commonNames = new CommonNames(shared.names, this.tags);
  }

  /** Lists, and learns from the answer which tags are the run's. */
  async list(query?: string, overrides?: RequestOverrides): Promise<Exchange> {
    const askedAt = performance.now();
    const exchange = await this.authorised.send('list', pathOf.list(query), undefined, overrides);
    const filter = filterIn(query);
    // If a query has several filters, it is open which one counts.
    if (filter !== undefined && query === filterQuery(filter) && overrides?.open !== true)
      this.#noteUnlike(exchange, filter);
    const listed = isOrdinary(overrides) ? listedIn(exchange) : undefined;
    if (listed !== undefined) {
      this.hasListed = true;
      this.commonNames.learn(listed, askedAt);
      if (query === undefined) {
        this.#lastLength = listed.length;
        this.longestList = Math.max(this.longestList, listed.length);
      }
    }
    if (isOrdinary(overrides)) {
      const length = listed?.length ?? 0;
      this.ownership.learn({
        exchange,
        filter,
        isShort: query === undefined && listed !== undefined && length < this.longestList,
        isWhole: query === undefined && listed !== undefined && length < this.shared.settling.wholeLength,
        isPage: length >= (this.shared.settling.pageSize ?? Infinity),
        askedAt,
      });
    } else if (overrides?.token instanceof Secret && overrides.headers === undefined)
      this.ownership.learnDeleted({ exchange, askedAt });
    if (overrides?.headers === undefined) this.#noteOfAnother(exchange);
    return exchange;
  }

  /** Lists, and learns nothing from the answer. Otherwise a sweep would take the tags of an earlier run for strangers'. */
  listUnlearned(): Promise<Exchange> {
    return this.authorised.send('list', pathOf.list());
  }

  /** Records a sign if the list shows a tag of another account. Tag_ids and common names may be in both accounts. */
  #noteOfAnother(list: Exchange): void {
    for (const { tagId, name } of listedIn(list) ?? []) {
      if (typeof name !== 'string' || ownLettersIn(name) === undefined) continue;
      if (this.tags.withId(tagId) !== undefined || this.tags.named(name) !== undefined) continue;
      const isOfAnother = this.shared.accounts.some(
        ({ tags }) => tags !== this.tags && tags.withId(tagId)?.names.has(name) === true,
      );
      if (isOfAnother)
        this.shared.signs.record(
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
      if (living !== undefined && !this.ownership.strangers.has(shown.tagId))
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
   * A list of all tags of the account. A list that is shorter than an earlier one is no full page, so it shows all tags. None is
   * sent if the last list was the longest one.
   *
   * @returns undefined if the list cannot be read, or may be a page.
   */
  async listWhole(): Promise<Exchange | undefined> {
    if (this.#lastLength >= this.longestList || this.longestList >= LONG_LIST) return undefined;
    const list = await this.list();
    const entries = listedIn(list);
    return entries !== undefined && entries.length < this.longestList ? list : undefined;
  }

  /** Sends one list for all callers that need it at the same time. */
  protected listForAll(): Promise<Exchange | undefined> {
    this.#nextList ??= (async () => {
      await nextCycle();
      this.#nextList = undefined;
      return this.listWhole();
    })();
    return this.#nextList;
  }

  /** Looks, before a create is sent, which tags have its common names already, in any form that a target may keep. */
  protected async lookForCommon(names: readonly string[]): Promise<void> {
    const sought = this.commonNames.toLookFor(names);
    if (sought.length === 0) return;
    const whole = await this.listForAll();
    const lists = await Promise.all(
      sought.map(async (name) => {
        const list = whole ?? (await this.list(filterQuery(name)));
        // A tag of the run that another check has at the same time is not a stranger's.
        const listed = listedIn(list) ?? [];
        return [name, listed.filter(({ tagId }) => this.tags.living(tagId) === undefined)] as const;
      }),
    );
    this.commonNames.learnBefore(new Map(lists), this.longestList);
  }

  /** A create may be answered with a tag_id that a stranger's tag had until now. Finds out from lists whether it is the run's now. */
  async claim(record: TagRecord): Promise<void> {
    const { given } = record;
    if (given === undefined || !this.ownership.strangers.has(given.tagId)) return;
    if (this.commonNames.mayBeStrangers([...record.names], given)) return;
    // If lists cannot be read, the tag stays unclaimed.
    await ifDecided(async () => {
      await this.list();
      const name = this.ownership.strangers.nameOf(given.tagId);
      if (typeof name === 'string') {
        // The list may be a page without the tag.
        const lists = await Promise.all([name, ...record.names].map((one) => this.list(filterQuery(one))));
        this.ownership.releaseTo(record, given.tagId, lists);
      }
      this.ownership.adopt(record, given);
    });
  }

  /** Claims a tag again and again, because lists may show the stranger's tag for as long as the settle time. */
  protected async claimInTime(record: TagRecord, tagId: string): Promise<void> {
    const claim = async () => {
      await this.claim(record);
      return { exchanges: [] };
    };
    await this.shared.settling.until(claim, () => !this.ownership.strangers.has(tagId), { late: 'ignored' });
  }

  /**
   * If a create got no clear answer, the name under which a list shows a tag that it may have made; undefined if there is none.
   * The name holds nothing random, so the tag may also be a stranger's.
   */
  maybeMadeAs({ state, names }: TagRecord): string | undefined {
    // The tag_id of a deleted tag of the run may have been reused.
    const isKnown = ({ tagId, at }: { readonly tagId: string; readonly at: number }): boolean => {
      const known = this.tags.withId(tagId);
      return known !== undefined && (known.removedAt ?? Infinity) >= at;
    };
    if (state !== 'intended') return undefined;
    return this.commonNames.newOf(names).find((shown) => !isKnown(shown))?.name;
  }

  /** Whether the target has lost so many acknowledged creates that waiting for another new tag is useless. */
  get losesCreates(): boolean {
    return this.shared.signs.of('create-lost').length >= LOST_MANY;
  }
}
