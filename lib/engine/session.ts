import type { Client } from '../http/client.ts';
import { accepted, statusOf, type Exchange, type HeaderLine } from '../http/exchange.ts';
import { quote, whatCame } from '../http/wording.ts';
import type { Masker } from '../judging/masker.ts';
import type { Effort } from '../effort.ts';
import { Undecided, Unheard } from '../outcome.ts';
import { Permits } from '../permits.ts';
import type { Secret } from '../secret.ts';
import { Account } from './account.ts';
import { ask, filterQuery, pathOf, type RequestOverrides } from '../spec/requests.ts';
import { createdIn, listedIn, Ownership, type Listed } from './listing.ts';
import { Ledger, type Page, type Record } from './ledger.ts';
import { Names } from './names.ts';
import { Settling } from './settling.ts';
import { Signs } from '../run/signs.ts';
import type { Target } from './target.ts';
import type { TagOperation } from '../spec/operations.ts';

export interface SessionSettings {
  readonly base: URL;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
  readonly panelToken?: Secret | undefined;
  readonly second?: { readonly username: string; readonly password: Secret } | undefined;
  readonly extraHeaders: readonly HeaderLine[];
  readonly allowsHttp: boolean;
  readonly seed: string;
  /** Leads to one case of a property, which alone is asked then. */
  readonly path?: string | undefined;
  readonly effort: Effort;
  readonly settleMs: number;
  readonly maxLiveTags: number;
}

/** What the lists showed when somebody looked for a tag. */
export interface Lookup {
  /** Entries with the id or one of the names that were looked for. */
  readonly entries: readonly Listed[];
  readonly exchanges: readonly Exchange[];
}

/** Of tags that a target does not remove, a run leaves so many times as many as it may have alive at once. */
const KEPT_SHARE = 4;

/** After so many creates that no list ever showed, a target counts as one that loses them. */
const LOST_MANY = 3;

/** Shared work that asks an open question is known by this and its id. */
export const QUESTION = 'question ';

/** Shared work that met with silence is done again so often. */
const MOST_AGAIN = 3;

/** Every create holds one of these; who must be alone with the ids that the target gives out holds all. */
const MAKERS = 1_000;

/** Of the cap on tags alive, so many are set aside for what goes on throughout the run. */
const KEPT_TAGS = 2;
/** And up to so many for shared work: a check that waits for it may hold tags itself. */
const SHARED_TAGS = 8;
const sharedTagsOf = (cap: number): number => Math.min(SHARED_TAGS, Math.floor((cap - KEPT_TAGS) / 2));

/** The run's one conversation with the target: its accounts, its tags, and what all checks share. */
export class Session {
  readonly settings: SessionSettings;
  readonly client: Client;
  readonly account: Account;
  readonly ledger: Ledger;
  readonly names: Names;
  readonly ownership: Ownership;
  readonly making: Permits;
  readonly lane: Permits;
  /** Tags that checks may have alive at once; the rest of the cap is for what checks share. */
  readonly tags: Permits;
  readonly sharedTags: Permits;
  /** Work that several checks need and that is done once in a run, by its name, and the target as that meets it. */
  readonly shared = new Map<string, { readonly target: Target; readonly done: Promise<unknown> }>();
  readonly #doneAgain = new Map<string, number>();
  /** The conversation with the second account, where one was given: tags of its own, everything else in common. */
  readonly second: Session | undefined;
  /** Resolves when every other check has ended, for those that go on throughout the run. */
  readonly othersDone: Promise<void>;
  endOthers: () => void = () => undefined;
  /** Whether a request without a body carries Content-Type: section 5 says so, some frameworks answer 400 to it. */
  readonly contentType: { list: boolean; delete: boolean };
  readonly signs: Signs;
  /** Logins that are kept for what asks them last. */
  loginsKept = 0;
  /** The unfiltered list has been seen to leave out a tag that the filtered one shows. */
  paged = false;
  /** Ids that an update or a delete of this run named in its path. */
  readonly addressed = new Set<string>();
  /** What the list held before the run made anything, as far as it could be read. */
  before: readonly Listed[] | undefined;
  readonly settling: Settling;

  constructor(settings: SessionSettings, client: Client, masker: Masker, page: Page, first?: Session) {
    this.settings = settings;
    this.signs = first?.signs ?? new Signs();
    this.settling = new Settling(settings.settleMs, this.signs);
    this.client = client;
    this.making = first?.making ?? new Permits(MAKERS);
    this.lane = first?.lane ?? new Permits(1);
    this.tags =
      first?.tags ?? new Permits(settings.maxLiveTags - KEPT_TAGS - sharedTagsOf(settings.maxLiveTags));
    this.sharedTags = first?.sharedTags ?? new Permits(sharedTagsOf(settings.maxLiveTags));
    this.contentType = first?.contentType ?? { list: true, delete: true };
    this.names = first?.names ?? new Names(settings.seed);
    this.ledger = new Ledger(page, first === undefined ? 'first' : 'second');
    this.ownership = new Ownership(this.ledger, this.names);
    this.othersDone = new Promise((resolve) => (this.endOthers = resolve));
    const { username, password, panelToken, second, ...rest } = settings;
    this.account = new Account({
      client,
      masker,
      extra: settings.extraHeaders,
      panelToken,
      credentials: username === undefined || password === undefined ? undefined : { username, password },
    });
    this.second =
      second === undefined ? undefined : new Session({ ...rest, ...second }, client, masker, page, this);
  }

  /** Has shared work done again by whoever needs it next; a few times at most, for a target that never answers it. */
  doAgain(name: string): void {
    const times = this.#doneAgain.get(name) ?? 0;
    if (times >= MOST_AGAIN) return;
    this.#doneAgain.set(name, times + 1);
    this.shared.delete(name);
  }

  /** Has all shared work done again by whoever needs it next, but for what observes, or costs many logins. */
  forgetShared(): void {
    for (const name of this.shared.keys())
      if (!name.startsWith(QUESTION) && name !== 'scope-survey') this.shared.delete(name);
    this.second?.forgetShared();
  }

  /** The target loses what it acknowledges: looking for it again and again would only use up the budget. */
  get losesCreates(): boolean {
    return this.signs.of('create-lost').length >= LOST_MANY;
  }

  /** Tags that may be alive at once while nothing else goes on. */
  get mostTags(): number {
    return this.settings.maxLiveTags - KEPT_TAGS;
  }

  /** Sends a tag operation: authorised and well-formed, but for its departures. */
  async send(
    operation: TagOperation,
    path: string,
    body: unknown,
    departure?: RequestOverrides,
  ): Promise<Exchange> {
    const contentType = operation === 'list' || operation === 'delete' ? this.contentType[operation] : true;
    const put = (token: Secret | undefined): Promise<Exchange> =>
      this.client.send(
        ask(operation, path, {
          body,
          contentType,
          extra: this.settings.extraHeaders,
          ...(token === undefined ? {} : { token }),
          ...(departure === undefined ? {} : { departure }),
        }),
      );
    if (departure?.token === 'none') return put(undefined);
    if (departure?.token !== undefined) return put(departure.token);
    let token = await this.account.token();
    let exchange = await put(token);
    try {
      for (let isNew = false; ; isNew = true) {
        if (!(await this.#looksUnauthorised(exchange)) || (await this.#works(token))) return exchange;
        // Unless another login may have ended that one, too, new tokens fare no better.
        if (isNew && this.account.isUndisturbed(token)) {
          this.account.renewingIsFutile();
          return exchange;
        }
        const fresh = await this.#renewed(token, exchange);
        if (fresh === undefined) return exchange;
        const again = await put(fresh);
        this.client.retract(exchange);
        [token, exchange] = [fresh, again];
      }
    } catch (error) {
      // The request was sent, whatever became of finding out what its answer means.
      if (error instanceof Undecided && !(error instanceof Unheard)) return exchange;
      throw error;
    }
  }

  /**
   * Another token in place of one that has ended.
   *
   * @throws Unheard where none can be had: the answer to the ended one says nothing of the request.
   */
  async #renewed(ended: Secret, refused: Exchange): Promise<Secret | undefined> {
    try {
      return await this.account.renew(ended);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      this.client.retract(refused);
      const because = error.outcome.kind === 'undecided' ? error.outcome.because : 'failure';
      throw new Unheard(because, `the token has ended, and there is no other: ${error.message}`, refused);
    }
  }

  /** Whether an answer is like the one to a request without a token: then the token may have ended. */
  async #looksUnauthorised({ answer }: Exchange): Promise<boolean> {
    if (answer === undefined) return false;
    this.#unauthorised ??= this.send('list', pathOf.list(), undefined, { token: 'none' });
    const without = (await this.#unauthorised).answer;
    const same = answer.status === without?.status && Buffer.compare(answer.bytes, without.bytes) === 0;
    return same || answer.status === 401;
  }

  /** The answer to a request without a token, asked for once in a run to be compared with. */
  #unauthorised: Promise<Exchange> | undefined;

  /** Whether a token that was refused somewhere is still good for something: then it has not ended. */
  async #works(token: Secret): Promise<boolean> {
    const path = pathOf.list(filterQuery(this.names.plain('probe')));
    const list = await this.send('list', path, undefined, { token });
    return listedIn(list) !== undefined && !(await this.#looksUnauthorised(list));
  }

  /**
   * Creates a tag. Its intent is in the ledger before the request goes out.
   *
   * @param name what the body names it; where that gives several names, all of them.
   */
  async create(
    body: unknown,
    name: string | readonly string[],
    departure?: RequestOverrides,
  ): Promise<{ record: Record; exchange: Exchange }> {
    return this.making.use(1, async () => {
      this.#mayMake();
      const names = typeof name === 'string' ? [name] : name;
      const record = this.ledger.intend(...names);
      const exchange = await this.#unlessUnsent(
        record,
        this.send('create', pathOf.create(), body, departure),
      );
      const created = createdIn(exchange);
      if (created !== undefined) {
        const holder = this.ledger.living(created.tagId);
        // A list may have shown the tag before the answer to its create arrived: then the holder is this very record.
        // One that somebody without leave was asked to delete may be gone, and its id free.
        if (holder?.doubtful === true && holder !== record) this.ledger.removed(holder);
        // A target may answer a name that is taken with the tag that has it: that is one tag, not two with one id.
        const isAnother =
          holder !== undefined && holder !== record && !names.some((one) => holder.names.has(one));
        if (isAnother && !holder.doubtful)
          this.signs.record(
            'id-given-twice',
            `create gave the tag_id ${quote(created.tagId)}, which another living tag has`,
            exchange,
          );
        else if (holder !== undefined && holder !== record && !holder.doubtful) this.ledger.refused(record);
        else this.ownership.adopt(record, created);
      } else if (statusOf(exchange) >= 300 && statusOf(exchange) < 500) this.ledger.refused(record);
      return { record, exchange };
    });
  }

  /**
   * @throws Undecided where the target keeps so many tags that it was asked to remove that no more may be made.
   */
  #mayMake(): void {
    const most = this.settings.maxLiveTags * KEPT_SHARE;
    if (this.ledger.standing + (this.second?.ledger.standing ?? 0) < most) return;
    throw new Undecided(
      'failure',
      `the target keeps the tags that it is asked to delete: ${most} of this run are left, and it makes no more`,
    );
  }

  /** A create that was never sent, or answered "not now", has made nothing. */
  async #unlessUnsent(record: Record, sending: Promise<Exchange>): Promise<Exchange> {
    try {
      return await sending;
    } catch (error) {
      if (error instanceof Undecided && !(error instanceof Unheard)) this.ledger.refused(record);
      throw error;
    }
  }

  /**
   * @throws Undecided where the tag is a stranger's: a target may say of any tag that it is the one to work with.
   */
  #mayAddress(tagId: string): void {
    if (this.ownership.isStranger(tagId)) {
      throw new Undecided(
        'failure',
        'the target gives the tag_id of a tag that this run did not make for one that it did',
      );
    }
    this.addressed.add(tagId);
  }

  async rename(
    tagId: string,
    body: unknown,
    name: string | undefined,
    departure?: RequestOverrides,
  ): Promise<Exchange> {
    this.#mayAddress(tagId);
    if (name !== undefined) this.ledger.renaming(tagId, name);
    return this.ledger.writing(tagId, () => this.send('rename', pathOf.rename(tagId), body, departure));
  }

  async delete(tagId: string, departure?: RequestOverrides): Promise<Exchange> {
    this.#mayAddress(tagId);
    const record = this.ledger.living(tagId);
    // Under another token a success may say nothing, and a refusal may be carried out: looked at before use.
    if (record !== undefined && departure !== undefined) record.doubtful = true;
    else if (record !== undefined) record.state = 'removing';
    try {
      const exchange = await this.ledger.writing(tagId, () =>
        this.send('delete', pathOf.delete(tagId), undefined, departure),
      );
      // Of two deletes at once either may be the one that is carried out.
      const removed = record ?? this.ledger.holder(tagId);
      if (removed !== undefined && departure === undefined && accepted(exchange))
        this.ledger.removed(removed, exchange);
      // Without an answer it may have been carried out, and the id be somebody else's by now.
      if (record !== undefined && exchange.failure !== undefined) record.doubtful = true;
      return exchange;
    } finally {
      if (record?.state === 'removing') record.state = 'alive';
    }
  }

  /** Lists, and learns from what it sees whose tags are whose. */
  async list(query?: string, departure?: RequestOverrides): Promise<Exchange> {
    const asked = { at: performance.now(), settleMs: this.settings.settleMs };
    const exchange = await this.send('list', pathOf.list(query), undefined, departure);
    if (departure !== undefined) return exchange;
    const surviving = this.ledger.surviving.length;
    this.ownership.learn(listedIn(exchange) ?? [], asked);
    for (const { removal } of this.ledger.surviving.slice(surviving))
      this.signs.record(
        'delete-without-effect',
        'a delete was acknowledged, yet a list that was asked later shows the tag',
        ...(removal === undefined ? [] : [removal]),
        exchange,
      );
    return exchange;
  }

  /**
   * Looks for a tag where it should be listed: in the lists filtered by its names and, where these do not show it, in
   * the unfiltered one, of which a target may show only a page.
   *
   * @throws Undecided where no list can be read.
   */
  async look(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    const matches = (tag: Listed): boolean =>
      tag.tagId === tagId || (typeof tag.name === 'string' && names.includes(tag.name));
    const filtered = await Promise.all(names.map((name) => this.list(filterQuery(name))));
    const found = filtered.flatMap((exchange) => listedIn(exchange) ?? []).filter(matches);
    if (found.length > 0) return { entries: unique(found), exchanges: filtered };
    const whole = await this.list();
    const entries = listedIn(whole);
    const exchanges = [...filtered, whole];
    // What is in none of these lists is nowhere, unless one that might show it cannot be read.
    const isUnsure = names.length === 0 || filtered.some((exchange) => listedIn(exchange) === undefined);
    if (entries === undefined && isUnsure) {
      throw new Undecided(
        'failure',
        `the list cannot be read: GET ${whole.ask.path} ${whatCame(whole)}`,
        ...exchanges,
      );
    }
    return { entries: unique((entries ?? []).filter(matches)), exchanges };
  }

  /** Looks for a tag that no list has shown yet: for long where its create was acknowledged, else once. */
  async #see(record: Record): Promise<void> {
    const look = (): Promise<Lookup> => this.look(record.tagId, ...record.names);
    if (record.state === 'alive' && !this.losesCreates) await this.settling.until(look, () => record.seen);
    else await look();
  }

  /**
   * Removes a tag that the run made, once a list has shown it as that.
   *
   * @param time counts the attempts: what a connection that closed kept from being heard is asked once more.
   */
  async remove(record: Record, time = 1): Promise<void> {
    if (record.state === 'removed' || record.state === 'refused') return;
    if (record.doubtful && record.tagId !== undefined) {
      const { entries } = await this.look(record.tagId, ...record.names);
      const isThere = entries.some(
        ({ tagId, name }) => tagId === record.tagId && record.names.has(String(name)),
      );
      if (!isThere) return this.ledger.removed(record);
    }
    if (!record.seen) await this.#see(record);
    await Promise.all(record.copies.map((copy) => this.remove(copy)));
    if (record.state === 'pending') record.unfound = true;
    if (!record.seen || record.tagId === undefined) return;
    const exchange = await this.delete(record.tagId);
    if (statusOf(exchange) === 404) this.ledger.removed(record);
    else if (exchange.failure?.kind === 'closed' && time === 1) await this.remove(record, 2);
  }
}

const unique = (tags: readonly Listed[]): Listed[] => [
  ...new Map(tags.map((tag) => [`${tag.tagId}\n${JSON.stringify(tag.name)}`, tag])).values(),
];
