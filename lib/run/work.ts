import type { Account } from '../account/account.ts';
import { hasOtherToken } from '../account/creates.ts';
import type { TagRecord } from '../account/tag-record.ts';
import { isTransient } from '../http/attempts.ts';
import { accepted, isUnanswered, type Exchange } from '../http/exchange.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import type { RequestOverrides } from '../spec/requests.ts';
import { Crowding } from './crowding.ts';
import { isPlain } from './quota.ts';
import type { Session } from './session.ts';
import type { Doing, SharedOptions } from './shared-work.ts';
import { Slot } from './slots.ts';

/**
 * How much of the tags that may be left checks and shared work may use up, if deletes have no effect; less for checks
 * if that is known from the start. The rest is kept for shared work, which many checks need, and for what comes last.
 */
const SHARES = { checks: 0.7, checksWhereDeletesFail: 0.3, sharedWork: 0.92 };

/**
 * A check under way, a part of one, or shared work: what the run knows about it and does with it. Checks themselves see
 * a `Target`.
 */
export class Work {
  readonly session: Session;
  /** The id of the requirement, or the name of the shared work. */
  readonly name: string;
  /** The most tags that it may have at once. */
  readonly allowance: number;
  readonly slot: Pick<Slot, 'enter' | 'leave'>;
  readonly isShared: boolean;
  /** It asks once more what was found before: what has not shown then is not waited for as long again. */
  readonly isBrief: boolean;
  /** Leads to the one case of a property that is asked. */
  readonly path: string | undefined;
  /** Nothing comes after it that needs room for tags. */
  readonly #isLast: boolean;
  readonly #account: Account;
  readonly #records: TagRecord[] = [];
  /** Tags that an update may have made; they take no room, because hardly any target makes them. */
  readonly #byUpdate: TagRecord[] = [];
  /** Tags whose create was refused: a target may have made them all the same. */
  readonly #unaccepted = new Set<TagRecord>();
  readonly #creating = new Set<Promise<unknown>>();
  readonly #parts = new Set<Work>();
  readonly #sharedUsed = new Set<Doing>();
  readonly #crowding: Crowding;
  #unanswered: Exchange[] = [];
  #abandoned: string | undefined;
  #mayCreate = true;
  /** Tags were still there after the run had tried to remove them. */
  #keptTags = false;

  constructor(
    session: Session,
    name: string,
    allowance: number,
    options: {
      readonly slot?: Pick<Slot, 'enter' | 'leave'>;
      readonly account?: Account;
      readonly isShared?: boolean;
      readonly isLast?: boolean;
      readonly isBrief?: boolean;
      readonly path?: string | undefined;
    } = {},
  ) {
    this.session = session;
    this.name = name;
    this.allowance = allowance;
    this.slot = options.slot ?? new Slot(0);
    this.isShared = options.isShared ?? false;
    this.#isLast = options.isLast ?? false;
    this.isBrief = options.isBrief ?? false;
    this.path = options.path;
    this.#account = options.account ?? session.first;
    this.#crowding = new Crowding(session, this.#account);
  }

  /**
   * The account to send with. Asynchronous callers only: a throw in the middle of an expression would leave the
   * rejections of earlier promises unhandled, which ends the process.
   *
   * @throws Undecided if the run no longer waits for this work.
   */
  get account(): Account {
    this.#refuseIfAbandoned();
    return this.#account;
  }

  /** The account to look something up in that needs no request. */
  get ownAccount(): Account {
    return this.#account;
  }

  /** Nothing more is sent for this work. */
  get isStopped(): boolean {
    return this.#abandoned !== undefined || this.session.client.stopped !== undefined;
  }

  /** The run no longer waits for this work: its further requests fail. */
  abandon(why: string): void {
    this.#abandoned = why;
    for (const part of this.#parts) part.abandon(why);
  }

  /** Restarts the check: earlier requests without an answer no longer count. */
  begin(): void {
    this.#unanswered = [];
    this.#crowding.begin();
    this.#sharedUsed.clear();
    for (const part of this.#parts) part.begin();
  }

  /** Notes a request that may be answered otherwise the next time: the outcome may be due to that. */
  async noted(sent: Exchange | Promise<Exchange>): Promise<Exchange> {
    const exchange = await sent;
    if (isUnanswered(exchange) || isTransient(exchange)) this.#unanswered.push(exchange);
    return exchange;
  }

  /** Such requests since the check began, its own and those of shared work that it used. */
  get unanswered(): readonly Exchange[] {
    return [...this.#unanswered, ...[...this.#parts, ...this.#sharedUsed].flatMap((work) => work.unanswered)];
  }

  /** Whether a create was refused that the number of tags may be the reason for, its own or of shared work that it used. */
  get metQuota(): boolean {
    return this.#crowding.metQuota || [...this.#parts, ...this.#sharedUsed].some((work) => work.metQuota);
  }

  /** A part of this work, with an allowance of its own, and perhaps for the other account. */
  part(allowance: number, account = this.#account, isBrief = this.isBrief): Work {
    const { name, slot, isShared } = this;
    const isLast = this.#isLast;
    const part = new Work(this.session, name, allowance, { slot, account, isShared, isBrief, isLast });
    if (this.#abandoned !== undefined) part.abandon(this.#abandoned);
    this.#parts.add(part);
    return part;
  }

  /** Ends a part. What could not be removed is tried again when the whole work ends. */
  async endPart(part: Work): Promise<void> {
    await ifDecided(() => part.removeTags());
    if (!part.isClean) return;
    this.#crowding.takeOver(part);
    this.#parts.delete(part);
  }

  /**
   * Creates a tag, or tries to.
   *
   * @throws Undecided if answers that tell nothing clear have used up the allowance.
   */
  async create(body: unknown, names: readonly string[], overrides?: RequestOverrides): Promise<Exchange> {
    if (!this.#mayCreate)
      throw new Error(`${this.name} creates a tag in a stretch in which no tag may be made`);
    await this.slot.enter();
    this.#refuseIfFull(names);
    const ofChecks = this.session.deletesFail ? SHARES.checksWhereDeletesFail : SHARES.checks;
    const share = this.#isLast ? 1 : this.isShared ? SHARES.sharedWork : ofChecks;
    const create = async (): Promise<Exchange> => {
      const { record, exchange } = await this.account.create(body, names, overrides, share);
      this.#records.push(record);
      if (!accepted(exchange)) this.#unaccepted.add(record);
      return exchange;
    };
    // A name that a tag has, or had, may be refused for being taken.
    const isTaken = names.some((name) => this.#account.tags.named(name) !== undefined);
    const isPlainest = overrides === undefined && isPlain(body) && !isTaken;
    const kind = hasOtherToken(overrides) ? 'odd' : isPlainest ? 'plain' : 'well-formed';
    const creating = this.#crowding.send(kind, create);
    this.#creating.add(creating);
    try {
      return await this.noted(creating);
    } finally {
      this.#creating.delete(creating);
    }
  }

  /** Updates a tag. What a target makes of an update of an unknown tag_id belongs to this work. */
  async rename(
    tagId: string,
    body: unknown,
    name: string | undefined,
    overrides?: RequestOverrides,
  ): Promise<Exchange> {
    const { record, exchange } = await this.account.rename(tagId, body, name, overrides);
    if (record !== undefined) this.#byUpdate.push(record);
    return this.noted(exchange);
  }

  /** How many more tags may be made now. */
  get room(): number {
    return this.allowance - this.alive;
  }

  /** How many of its tags exist, as far as the run knows, those of its parts included. */
  get alive(): number {
    return [...this.#parts].reduce((sum, part) => sum + part.alive, this.#ownAlive);
  }

  get #ownAlive(): number {
    return this.#records.filter(({ state }) => state === 'alive').length + this.#unclear.size;
  }

  /** Names of creates that may have made a tag. Several of one name, with many credentials, most likely made none. */
  get #unclear(): ReadonlySet<string> {
    const unclear = this.#records.filter(({ state, isUnfound }) => state === 'intended' && !isUnfound);
    return new Set(unclear.flatMap(({ names }) => [...names].slice(0, 1)));
  }

  get isClean(): boolean {
    return this.alive === 0;
  }

  /** Removes what the work made. */
  async removeTags(): Promise<void> {
    // One of several requests may have ended the check while the others are still under way.
    await Promise.allSettled(this.#creating);
    await Promise.all([
      ...[...this.#parts].map((part) => part.removeTags()),
      ...[...this.#records, ...this.#byUpdate].map(async (record) => this.account.remove(record)),
    ]);
    this.#keptTags = this.#ownAlive > 0;
  }

  /** Runs `ask` while the whole run creates no tag. */
  async withoutCreates<T>(ask: () => Promise<T>): Promise<T> {
    await this.slot.enter();
    this.#refuseIfAbandoned();
    const { creating } = this.session.slots;
    return creating.use(creating.total, async () => {
      this.#mayCreate = false;
      try {
        return await ask();
      } finally {
        this.#mayCreate = true;
      }
    });
  }

  /** Runs `ask` while no other work does the same, and removes what it made. */
  async exclusively<T>(ask: () => Promise<T>): Promise<T> {
    // Room comes first: a check that has room may wait for shared work, which may wait to be exclusive. The other order
    // would be a deadlock.
    await this.slot.enter();
    return this.session.slots.exclusive.use(1, async () => {
      try {
        return await ask();
      } finally {
        await this.removeTags();
        await this.slot.leave();
      }
    });
  }

  /** The result of work that several checks need, done once in a run for each account. */
  async shared<T>(
    name: string,
    tags: number,
    doWork: (shared: Work) => Promise<T>,
    options: SharedOptions,
  ): Promise<T> {
    const { session, account } = this;
    // Two works that hold tags and wait for each other's would wait for ever.
    if (this.isShared && this.allowance > 0 && tags > 0)
      throw new Error(`${this.name} holds tags and asks for ${name}, which takes tags, too`);
    const key = account === session.second ? `${name} of the second account` : name;
    let entry = session.sharedWork.known(key);
    if (entry === undefined) {
      const shared = new Work(session, name, tags, { account, isShared: true, isLast: this.#isLast });
      entry = session.sharedWork.start(key, shared, () => doWork(shared), options);
    }
    this.#sharedUsed.add(entry.work);
    return entry.result as Promise<T>;
  }

  #refuseIfAbandoned(): void {
    if (this.#abandoned !== undefined) throw new Undecided('failure', this.#abandoned);
  }

  #refuseIfFull([name = '']: readonly string[]): void {
    if (this.#ownAlive < this.allowance || this.#unclear.has(name)) return;
    const isUnclear = this.#records.some(
      (record) => record.state === 'intended' || record.mayBeGone || this.#unaccepted.has(record),
    );
    if (isUnclear || this.#unanswered.length > 0)
      throw new Undecided(
        'failure',
        'creates were answered in a way that does not tell whether they made a tag',
      );
    if (
      this.#keptTags ||
      this.#records.some(({ state, withstoodDelete }) => state === 'alive' && withstoodDelete)
    )
      throw new Undecided('failure', 'tags of this check could not be removed');
    throw new Error(`${this.name} has more tags alive at once than its \`tags\`, which is ${this.allowance}`);
  }
}
