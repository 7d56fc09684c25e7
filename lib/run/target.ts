import type { Lookup } from '../account/lookup.ts';
import type { Credentials } from '../account/logins.ts';
import type { Names } from '../account/names.ts';
import type { UntilOptions } from '../account/settling.ts';
import type { Sign, SignSeen } from '../account/signs.ts';
import type { Exchange } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import { filterQuery, namesIn, type RequestOverrides } from '../spec/requests.ts';
import { retryIfUnanswered } from './attempt.ts';
import {
  knownIn,
  lookWhetherGone,
  makeListed,
  type KnownTag,
  type ListedTag,
  type Settled,
  type Tag,
} from './listed.ts';
import { pairOf, type Asks, type Pair } from './pairing.ts';
import type { SessionSettings } from './session.ts';
import type { SharedOptions } from './shared-work.ts';
import type { Work } from './work.ts';

/** The settings that a check may depend on. */
export interface TargetSettings extends Pick<
  SessionSettings,
  'base' | 'allowsHttp' | 'effort' | 'seed' | 'path' | 'panelToken'
> {
  /** The most tags that a check can have at once if no other check has any. */
  readonly mostTags: number;
  /** The most tags that shared work can have at once. */
  readonly sharedTags: number;
}

/**
 * The target as one check meets it: the five operations, tags to work with, and ways to look things up. Whatever a
 * check makes is removed when it ends.
 */
export class Target {
  readonly #work: Work;
  #second: Target | undefined;

  constructor(work: Work) {
    this.#work = work;
  }

  get settings(): TargetSettings {
    const { settings, slots } = this.#work.session;
    const { base, allowsHttp, effort, seed, panelToken } = settings;
    const path = this.#work.path ?? settings.path;
    const { mostTags } = slots;
    const sharedTags = slots.sharedTags.total;
    return { base, allowsHttp, effort, seed, path, panelToken, mostTags, sharedTags };
  }

  /**
   * The same target for the second account.
   *
   * @throws Undecided where no second account was given.
   */
  get second(): Target {
    const { second } = this.#work.session;
    if (second === undefined) throw new Undecided('tester', 'no second account was given');
    this.#second ??= this.of(this.#work.part(this.#work.allowance, second));
    return this.#second;
  }

  /** Makes one attempt to ask: requests without an answer may be a reason for another one. */
  attempt<T>(ask: () => Promise<T>): Promise<T> {
    return ask();
  }

  /**
   * Something that the run knows and a check asks for: what takes no request, and can be written as JSON.
   *
   * @param _what names it in a record of the run.
   */
  protected known<T>(_what: string, look: () => T): T {
    return look();
  }

  /** The target as a part of the check meets it. */
  protected of(work: Work): Target {
    return new Target(work);
  }

  /** The target as work meets it that several checks share. */
  protected ofShared(work: Work): Target {
    return this.of(work);
  }

  // Names

  /** A plain name, unlike every other name of the run. */
  name(): string {
    return this.names.plain();
  }

  /** Makes names whose form is under test. */
  get names(): Names {
    return this.#work.session.names;
  }

  // The five operations

  /** The login with the right credentials for these scopes, by default `api`; made once in a run. */
  async login(scopes?: readonly string[]): Promise<Exchange> {
    const { exchange } = await this.#work.account.logins.login(scopes);
    return this.#work.noted(exchange);
  }

  /** Sends a login with any body. */
  async sendLogin(body: unknown, overrides?: RequestOverrides): Promise<Exchange> {
    return this.#work.noted(this.#work.account.logins.send(body, overrides));
  }

  /** @throws Undecided where no username and password were given. */
  get credentials(): Credentials {
    const { credentials } = this.#work.ownAccount.logins;
    if (credentials !== undefined) return credentials;
    throw new Undecided('tester', 'no username and password were given, so no login can be asked');
  }

  /**
   * A token for these scopes, from a login made once in a run; with `fresh`, from a new login, and in use from then on.
   *
   * @throws Undecided where the login gives none.
   */
  async token(scopes?: readonly string[], { fresh = false } = {}): Promise<Secret> {
    return this.#work.account.logins.token(scopes, fresh);
  }

  /** Whether tokens of the account have ended in this run. */
  get tokensEnd(): boolean {
    return this.known('tokens end', () => this.#work.ownAccount.logins.tokensEnd);
  }

  /** Whether another login leaves enough for the wrong logins, which come last. */
  get sparesLogins(): boolean {
    const { client, loginsKept } = this.#work.session;
    return this.known('spares logins', () => client.budget.loginsLeft > loginsKept);
  }

  /**
   * Creates a tag, or tries to.
   *
   * @param body any value; sent as JSON, or as it is where it is a `RawBody`.
   * @param names the names that the tag may get, where the body does not show them.
   */
  async create(
    body: unknown,
    overrides?: RequestOverrides,
    names: readonly string[] = namesIn(body),
  ): Promise<Exchange> {
    return this.#work.create(body, names, overrides);
  }

  /** @param name the name that the tag may get, where the body does not show it. */
  async rename(
    tagId: string,
    body: unknown,
    overrides?: RequestOverrides,
    name: string | undefined = namesIn(body)[0] || undefined,
  ): Promise<Exchange> {
    return this.#work.rename(tagId, body, name, overrides);
  }

  async delete(tagId: string, overrides?: RequestOverrides): Promise<Exchange> {
    return this.#work.noted(this.#work.account.delete(tagId, overrides));
  }

  /**
   * Lists the tags; with a filter, those that it lets through.
   *
   * @param filter a name; or a query as it is sent, such as `tag=a&tag=b`, whose answer is open.
   */
  async list(filter?: string | { readonly query: string }, overrides?: RequestOverrides): Promise<Exchange> {
    const { account } = this.#work;
    if (typeof filter === 'object')
      return this.#work.noted(account.list(filter.query, { ...overrides, open: true }));
    const query = filter === undefined ? undefined : filterQuery(filter);
    return this.#work.noted(account.list(query, overrides));
  }

  /**
   * Asks for a refusal together with the same request without its defect. Where that one is refused as well, the refusal
   * has another reason and decides nothing.
   *
   * @throws Undecided in that case.
   */
  async pair(asks: Asks): Promise<Pair> {
    return pairOf(asks);
  }

  // Tags, and looking them up

  /**
   * Makes a tag and waits until it is listed.
   *
   * @throws Undecided where that does not work: setting up is not judging.
   */
  async makeTag(name: string = this.name()): Promise<Tag> {
    return (await this.listed(name, await this.create({ name }))).tag;
  }

  /** Waits until the tag that a create was to make is listed. */
  protected async listed(name: string, create: Exchange): Promise<ListedTag> {
    return makeListed(this.#work, name, create);
  }

  /** Looks a tag up once in the lists, by its tag_id and by names. */
  async lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    return this.#work.account.lookUp(tagId, ...names);
  }

  /**
   * Waits for an effect to show, at most for the settle time.
   *
   * @returns the last look, and whether it was good.
   */
  async until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    isGood: (seen: T) => boolean,
    options?: UntilOptions,
  ): Promise<Settled<T>> {
    const { session, isBrief } = this.#work;
    return session.settling.until(look, isGood, { isBrief, ...options });
  }

  /** Waits until the lists show the tag_id with this name. */
  async untilListed(tagId: string, name: string, ...former: readonly string[]): Promise<Settled<Lookup>> {
    return this.until(
      () => this.lookUp(tagId, name, ...former),
      ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === name),
    );
  }

  /** Waits until neither the list nor the one filtered by its name shows the tag. */
  async untilGone(tag: Tag): Promise<Settled<Lookup>> {
    const names = new Set(this.known('names of', () => this.#namesOf(tag)));
    const lists = (): Promise<readonly Exchange[]> => Promise.all([this.list(), this.list(tag.name)]);
    const look = (): Promise<Lookup> => lookWhetherGone(tag, names, lists);
    const settled = await this.until(look, ({ entries }) => entries.length === 0);
    if (!settled.good) this.outlives(tag);
    return settled;
  }

  /** All names that a tag of the run has had. */
  #namesOf({ name }: Tag): readonly string[] {
    return [name, ...(this.#work.account.tags.named(name)?.names ?? [])];
  }

  /** Notes that a tag is listed in spite of its delete. */
  protected outlives({ tagId }: Tag): void {
    this.#work.account.tags.outlives(tagId);
  }

  /** All tags that creates of the run made and a list has shown, those included that are gone by now. */
  knownTags(): KnownTag[] {
    return this.known('known tags', () => knownIn(this.#work.ownAccount.tags.records));
  }

  /** The target has given the tag_id of a deleted tag to another one in this run. */
  get givesIdsAgain(): boolean {
    return this.known('gives ids again', () =>
      this.#work.session.accounts.some(({ tags }) => tags.givesIdsAgain),
    );
  }

  /** How many more tags the check may make now. */
  get room(): number {
    return this.known('room', () => this.#work.room);
  }

  /** Removes what the check has made so far. */
  async removeTags(): Promise<void> {
    return this.#work.removeTags();
  }

  // Work together with other checks

  /**
   * Work that several checks need, done once in a run by the first of them.
   *
   * @param name identifies it.
   * @param tags the most tags that it has at once.
   */
  async shared<T>(
    name: string,
    tags: number,
    work: (target: Target) => Promise<T>,
    options: SharedOptions = {},
  ): Promise<T> {
    return this.#work.shared(name, tags, (shared) => work(this.ofShared(shared)), options);
  }

  /**
   * Runs a part of the check, and removes its tags when it ends.
   *
   * @param tags the most tags that the part has at once.
   * @param options.isBrief whether it asks in a smaller case for what was found before.
   */
  async part<T>(
    tags: number,
    ask: (part: Target) => Promise<T>,
    { isBrief }: { readonly isBrief?: boolean } = {},
  ): Promise<T> {
    const part = this.#work.part(tags, undefined, isBrief);
    const target = this.of(part);
    try {
      return await retryIfUnanswered(part, () => target.attempt(() => ask(target)));
    } finally {
      await this.#work.endPart(part);
    }
  }

  /** What the run has recorded so far, for either account. */
  signs(sign: Sign): readonly SignSeen[] {
    return this.#work.session.signs.of(sign);
  }

  /** Resolves when every other check has ended. */
  get othersDone(): Promise<void> {
    return this.#work.session.othersDone;
  }

  /** Runs `ask` while the run creates no tag, so that a target which reuses tag_ids gives none to a new tag. */
  async withoutCreates<T>(ask: () => Promise<T>): Promise<T> {
    return this.#work.withoutCreates(ask);
  }

  /** Runs `ask` whose first requests start at the same time. */
  async simultaneously<T>(ask: () => Promise<T>): Promise<T> {
    return this.#work.session.client.simultaneously(ask);
  }

  /** Runs `ask` while no other check does the same, and removes what it made. */
  async exclusively<T>(ask: () => Promise<T>): Promise<T> {
    return this.#work.exclusively(ask);
  }
}
