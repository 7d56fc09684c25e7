import type { Account } from '../account/account.ts';
import { isTransient } from '../http/retryable.ts';
import { accepted, isUnanswered, statusOf, type Exchange } from '../http/exchange.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import type { TagOperation } from '../spec/operations.ts';
import type { RequestOverrides } from '../spec/requests.ts';
import { kindOf, type Refusal } from './quota.ts';
import type { Session } from './session.ts';
import type { Doing, SharedOptions } from './shared-work.ts';
import { Claim, Room } from './room.ts';
import { shareOf } from './slots.ts';
import { WorkTags } from './work-tags.ts';

export interface WorkOptions {
  /** The room for its tags, or the claim of the work that it is a part of; undefined if room is set aside. */
  readonly room: Room | Claim | undefined;
  readonly isShared: boolean;
  /** Whether it repeats a finding: then it waits less for effects that did not show before. */
  readonly isBrief: boolean;
  /** Whether nothing comes after it that needs room for tags. */
  readonly isLast: boolean;
  /** The path of the only case of a property to check. */
  readonly path: string | undefined;
  /** Returns the token for the next request in place of the run's own; undefined for the own one. */
  readonly standIns: StandIns | undefined;
}

export type StandIns = (operation: TagOperation) => Secret | undefined;

/** A check under way, a part of one, or shared work: its tags and its requests. The check itself gets a `Target`. */
export class Work {
  readonly session: Session;
  /** The id of the requirement, or the name of the shared work. */
  readonly name: string;
  /** The most tags that it may have at once. */
  readonly allowance: number;
  readonly options: WorkOptions;
  /** The account, for anything that needs no request. */
  readonly ownAccount: Account;
  /** Called when an attempt begins. */
  onAttempt: () => void = () => undefined;
  /** The room for its tags; undefined if it is set aside. */
  readonly claim: Claim | undefined;
  /** How often other works have asked for this one, if it is shared. */
  askers = 0;
  readonly #tags = new WorkTags();
  readonly #creating = new Set<Promise<unknown>>();
  readonly #parts = new Set<Work>();
  readonly #ended = new Set<Work>();
  readonly #sharedUsed = new Set<Doing>();
  /** Creates that may have been refused for the number of tags. */
  #refused: { readonly refusal: Refusal; readonly status: number }[] = [];
  #unanswered: Exchange[] = [];
  /** Whether it may create tags now. */
  mayCreate = true;

  constructor(
    session: Session,
    name: string,
    allowance: number,
    options: Partial<WorkOptions> = {},
    account = session.first,
  ) {
    this.session = session;
    this.name = name;
    this.allowance = allowance;
    this.options = {
      room: undefined,
      isShared: false,
      isBrief: false,
      isLast: false,
      path: undefined,
      standIns: undefined,
      ...options,
    };
    const { room } = this.options;
    this.claim = room instanceof Room ? new Claim(room, allowance, this) : room;
    this.ownAccount = account;
  }

  /**
   * The account to send requests with. For asynchronous callers only: a synchronous throw in the middle of an expression
   * would leave rejections of earlier promises unhandled, which ends the process.
   *
   * @throws Undecided if the run is over.
   */
  get account(): Account {
    this.refuseIfOver();
    return this.ownAccount;
  }

  /** Whether nothing more is sent for this work. */
  get isStopped(): boolean {
    return this.session.over !== undefined || this.session.client.stopped !== undefined;
  }

  /** Begins an attempt: earlier requests without an answer no longer count. */
  begin(): void {
    this.onAttempt();
    this.#forget();
  }

  #forget(): void {
    this.#unanswered = [];
    this.#refused = [];
    this.#ended.clear();
    for (const used of this.used) this.session.sharedWork.dropIfUnanswered(used);
    this.#sharedUsed.clear();
    for (const part of this.#parts) part.#forget();
  }

  /** Records a request without a final answer, because the outcome may be due to it. */
  async noted(sent: Exchange | Promise<Exchange>): Promise<Exchange> {
    const exchange = await sent;
    if (isUnanswered(exchange) || isTransient(exchange)) this.#unanswered.push(exchange);
    if (exchange.ask.operation === 'delete') this.claim?.lower();
    return exchange;
  }

  get used(): readonly Doing[] {
    return [...this.#sharedUsed, ...[...this.#parts].flatMap((part) => part.used)];
  }

  /** The requests without a final answer since this attempt began, including those of the shared work that it used. */
  get unanswered(): readonly Exchange[] {
    return [...this.#unanswered, ...[...this.#parts, ...this.#sharedUsed].flatMap((work) => work.unanswered)];
  }

  /** Whether one of its creates may have been refused for the number of tags, or one of the shared work that it used. */
  get metQuota(): boolean {
    return (
      this.#refused.some(({ refusal, status }) => this.session.quota.mayExplain(refusal, status)) ||
      [...this.#parts, ...this.#ended, ...this.#sharedUsed].some((work) => work.metQuota)
    );
  }

  /** Makes a part of this work, with its own allowance, and if given for another account. */
  part(allowance: number, account = this.ownAccount, more: Partial<WorkOptions> = {}): Work {
    const options = { ...this.options, ...more, room: this.claim };
    const part = new Work(this.session, this.name, allowance, options, account);
    this.#parts.add(part);
    return part;
  }

  /** The overrides of a request, with the token that stands in for the run's own. */
  withStandIn(operation: TagOperation, overrides?: RequestOverrides): RequestOverrides | undefined {
    const standIn = overrides?.token === undefined ? this.options.standIns?.(operation) : undefined;
    return standIn === undefined ? overrides : { ...overrides, standIn };
  }

  /** Ends a part. Tags that cannot be removed now are removed when the whole work ends. */
  async endPart(part: Work): Promise<void> {
    await ifDecided(() => part.removeTags());
    if (!part.isClean) return;
    this.#ended.add(part);
    this.#parts.delete(part);
  }

  /**
   * Sends a create.
   *
   * @throws Undecided if creates without a clear answer have used up the allowance.
   */
  async create(body: unknown, names: readonly string[], overrides?: RequestOverrides): Promise<Exchange> {
    if (!this.mayCreate)
      throw new Error(`${this.name} creates a tag in a stretch in which no tag may be made`);
    this.#refuseIfFull(names);
    const giveBack = await this.claim?.take();
    const share = shareOf(this.options, this.session);
    const create = async (): Promise<Exchange> => {
      const { record, exchange } = await this.account.create(body, names, overrides, share);
      this.#tags.addCreated(record, accepted(exchange));
      return exchange;
    };
    const { accounts, quota, slots } = this.session;
    const inBothCases = names.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]);
    const isTaken = inBothCases.some((name) => accounts.some(({ tags }) => tags.named(name) !== undefined));
    const kind = kindOf(body, overrides, isTaken);
    const creating = quota.send(this.ownAccount, kind, create, (refusal, exchange) => {
      this.#refused.push({ refusal, status: statusOf(exchange) });
      if (quota.limit !== undefined) slots.shrink(quota.limit);
    });
    this.#creating.add(creating);
    try {
      return await this.noted(creating);
    } finally {
      this.#creating.delete(creating);
      giveBack?.();
    }
  }

  /** Sends an update. A tag that the target makes of an update of an unknown tag_id belongs to this work. */
  async rename(
    tagId: string,
    body: unknown,
    name: string | undefined,
    overrides?: RequestOverrides,
  ): Promise<Exchange> {
    const { record, exchange } = await this.account.rename(tagId, body, name, overrides);
    if (record !== undefined) this.#tags.addOfUpdate(record);
    return this.noted(exchange);
  }

  /** How many more tags the work may make now. */
  get room(): number {
    return this.allowance - this.alive;
  }

  /** How many of its tags exist, as far as the run knows, including those of its parts. */
  get alive(): number {
    return [...this.#parts].reduce((sum, part) => sum + part.alive, this.#tags.alive);
  }

  /** How many of its tags may exist at this moment, including those of its parts. */
  get existing(): number {
    const own = this.#tags.alive + this.#tags.underDelete;
    return [...this.#parts].reduce((sum, part) => sum + part.existing, own);
  }

  get isClean(): boolean {
    return this.alive === 0;
  }

  /** Removes the tags of the work. */
  async removeTags(): Promise<void> {
    // The check may have ended at one request while its other requests are still under way.
    await Promise.allSettled(this.#creating);
    await Promise.all([
      ...[...this.#parts].map((part) => part.removeTags()),
      ...this.#tags.all.map(async (record) => this.account.remove(record)),
    ]);
    this.#tags.noteRemoval();
    this.claim?.lower();
  }

  /** The result of shared work, which is done once in a run, for each account unless it is of both. */
  async shared<T>(
    name: string,
    tags: number,
    doWork: (shared: Work) => Promise<T>,
    options: SharedOptions,
  ): Promise<T> {
    const { session, options: own } = this;
    const account = options.isOfBoth === true ? session.first : this.account;
    // Two works that hold tags and wait for each other would wait forever.
    if (own.isShared && this.allowance > 0 && tags > 0)
      throw new Error(`${this.name} holds tags and asks for ${name}, which takes tags, too`);
    const key = account === session.second ? `${name} of the second account` : name;
    let entry = session.sharedWork.known(key);
    if (entry === undefined) {
      const how = { isShared: true, isLast: own.isLast, room: session.slots.sharedTags };
      const shared = new Work(session, name, tags, how, account);
      entry = session.sharedWork.start(key, shared, () => doWork(shared), options);
    }
    this.#sharedUsed.add(entry.work);
    entry.work.askers++;
    return entry.result as Promise<T>;
  }

  /** @throws Undecided if the run is over. */
  refuseIfOver(): void {
    const { over } = this.session;
    if (over !== undefined) throw new Undecided(over.because, over.why);
  }

  #refuseIfFull([name = '']: readonly string[]): void {
    if (this.#tags.hasRoomFor(name, this.allowance)) return;
    throw (
      this.#tags.excess(this.#unanswered.length > 0) ??
      new Error(`${this.name} has more tags alive at once than its \`tags\`, which is ${this.allowance}`)
    );
  }
}
