import type { Effort } from '../effort.ts';
import { accepted, isUnanswered, slim, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided, type Observation } from '../outcome.ts';
import type { Open } from '../requirement.ts';
import type { Secret } from '../secret.ts';
import type { Credentials } from './account.ts';
import type { RequestOverrides } from '../spec/requests.ts';
import type { Record } from './ledger.ts';
import { listedIn } from './listing.ts';
import type { Pair } from './pairing.ts';
import { filterQuery } from '../spec/requests.ts';
import { ENOUGH_ROOM, type Room } from './room.ts';
import { QUESTION, type Session, type Lookup } from './session.ts';
import type { UntilOptions } from './settling.ts';
import type { Sign, SignSeen } from '../run/signs.ts';

export type { Lookup } from './session.ts';
export type { Pair } from './pairing.ts';

/** What of the settings a check may depend on. */
export interface TargetSettings {
  readonly base: URL;
  /** The tester allowed plain http for this run. */
  readonly allowsHttp: boolean;
  readonly effort: Effort;
  /** All that a run generates follows from it. */
  readonly seed: string;
  /** Leads to the one case of a property that is asked; undefined: all of them are. */
  readonly path: string | undefined;
  /** A token from the control panel, where one was given beside the login. */
  readonly panelToken: Secret | undefined;
  /** The most tags that can be alive at once while nothing else goes on. */
  readonly mostTags: number;
  /** The most tags that shared work can have alive at once. */
  readonly sharedTags: number;
}

/** Makes names, each unlike every other of the run. */
export interface NamesInPlace {
  /** A plain name. */
  plain(): string;
  /** 16 letters from this alphabet alone. */
  lettersOf(alphabet: string): string;
  /** A plain name with this text behind it. */
  endingIn(text: string): string;
  /** That name of the run with a text behind it, by default two letters. */
  extended(name: string, text?: string): string;
  /** A number whose text is a name of the run. */
  number(): number;
  /** A name in the form of a number: `#` in the form stands for nine digits. */
  numeric(form: string): string;
}

/** A tag that the check made, as it was when the list first showed it. */
export interface Tag {
  readonly tagId: string;
  readonly name: string;
}

/**
 * The target as one check meets it: the five operations, tags to work with, and ways to look. Whatever a check makes
 * is removed when it ends.
 */
export class Target {
  readonly #run: Session;
  readonly #place: string;
  readonly #allowance: number;
  readonly #isShared: boolean;
  readonly #room: Room;
  readonly #records: Record[] = [];
  /** Of these, what was answered as if it had not been made. */
  readonly #unaccepted = new Set<Record>();
  #names = 0;
  #quiet = false;
  #abandoned: string | undefined;
  #path: string | undefined;
  #second: Target | undefined;
  readonly #parts = new Set<Target>();
  readonly #sharedUsed = new Set<Target>();
  /** Creates under way. */
  readonly #creating = new Set<Promise<unknown>>();
  #unanswered: Exchange[] = [];

  /**
   * @param place the id of the requirement, from which the names of its tags follow.
   * @param allowance the most tags that the check may have alive.
   * @param room entered before the first tag is made: until then, others may have theirs.
   * @param isShared whether it is the target of work that several checks share.
   */
  constructor(
    session: Session,
    place: string,
    allowance: number,
    room: Room = ENOUGH_ROOM,
    isShared = false,
  ) {
    this.#isShared = isShared;
    this.#room = room;
    this.#run = session;
    this.#place = place;
    this.#allowance = allowance;
  }

  /** What of the settings a check may depend on. */
  get settings(): TargetSettings {
    const { base, allowsHttp, effort, seed, panelToken } = this.#run.settings;
    return {
      base,
      allowsHttp,
      effort,
      seed,
      panelToken,
      path: this.#path ?? this.#run.settings.path,
      mostTags: this.#run.mostTags,
      sharedTags: this.#run.sharedTags.total,
    };
  }

  /**
   * The same target as the second account meets it.
   *
   * @throws Undecided where no second account was given.
   */
  get second(): Target {
    const { second } = this.#run;
    if (second === undefined) throw new Undecided('tester', 'no second account was given');
    this.#second ??= new Target(second, `${this.#place}/second`, this.#allowance, this.#room);
    if (this.#abandoned !== undefined) this.#second.abandon(this.#abandoned);
    return this.#second;
  }

  /** Has just the case asked that this path leads to. */
  repeat(path: string): void {
    this.#path = path;
  }

  /** Resolves when every other check has ended. */
  get othersDone(): Promise<void> {
    return this.#run.othersDone;
  }

  /** What the run has recorded so far, of either account. */
  signs(sign: Sign): readonly SignSeen[] {
    const { signs, client } = this.#run;
    if (sign !== 'throttled') return signs.of(sign);
    return client.traffic.waitedMs > 0 ? [{ why: 'the target asked for pauses', exchanges: [] }] : [];
  }

  /** The run no longer waits for this check: whatever it still wants to send is not sent. */
  abandon(why: string): void {
    this.#abandoned = why;
    this.#second?.abandon(why);
    for (const part of this.#parts) part.abandon(why);
  }

  /**
   * What sends asks for it, and does so asynchronously: a throw in mid-expression would leave the failing of promises
   * that stand before it there unheard, which ends the process.
   */
  get #session(): Session {
    if (this.#abandoned !== undefined) throw new Undecided('failure', this.#abandoned);
    return this.#run;
  }

  // Names

  /** A plain name, unlike every other of the run. */
  name(): string {
    return this.names.plain();
  }

  /** Makes names whose own form is under test. */
  get names(): NamesInPlace {
    const { names } = this.#run;
    return {
      plain: () => names.plain(this.#next()),
      lettersOf: (alphabet) => names.from(alphabet, this.#next()),
      endingIn: (text) => names.with(text, this.#next()),
      extended: (name, text = 'zz') => names.longer(name, text),
      number: () => names.number(this.#next()),
      numeric: (form) => names.numeric(form, this.#next()),
    };
  }

  #next(): string {
    return `${this.#place}/${++this.#names}`;
  }

  // The five operations, asked as they are

  /** Logs in with the right credentials; made once in a run for a set of scopes. */
  async login(scopes?: readonly string[]): Promise<Exchange> {
    const { exchange } = await this.#session.account.login(scopes);
    return this.#noted(exchange);
  }

  /** Whether a login that decides nothing new would take none from what asks for logins later. */
  get sparesLogins(): boolean {
    return this.#run.client.loginsLeft > this.#run.loginsKept;
  }

  /** Sends a login with any body. */
  async sendLogin(body: unknown, departure?: RequestOverrides): Promise<Exchange> {
    return this.#noted(this.#session.account.send(body, departure));
  }

  get credentials(): Credentials {
    const { credentials } = this.#run.account;
    if (credentials === undefined) {
      throw new Undecided('tester', 'no username and password were given, so no login can be asked');
    }
    return credentials;
  }

  /**
   * A token for these scopes, fetched once in a run; with `fresh`, by a login of its own, and in use from then on.
   *
   * @throws Undecided where the login gives none.
   */
  async token(scopes?: readonly string[], { fresh = false } = {}): Promise<Secret> {
    const { account } = this.#session;
    return fresh && scopes !== undefined ? account.freshToken(scopes) : account.token(scopes);
  }

  /**
   * Creates a tag, or tries to.
   *
   * @param body any value; sent as JSON, or as it is where it is a `RawBody`.
   * @param names that the tag may get, where the body does not show it.
   */
  async create(
    body: unknown,
    departure?: RequestOverrides,
    names: readonly string[] = [nameIn(body)],
  ): Promise<Exchange> {
    if (this.#quiet) throw new Error(`${this.#place} creates a tag in a stretch in which no tag may be made`);
    await this.#room.enter();
    if (this.#alive() >= this.#allowance) {
      // What the target answered nothing clear to may be there: the check cannot go on, and is not to blame.
      const isUnclear = this.#records.some(
        (record) => record.state === 'pending' || record.doubtful || this.#unaccepted.has(record),
      );
      if (isUnclear || this.#unanswered.length > 0) {
        throw new Undecided(
          'failure',
          'creates were answered in a way that does not tell whether they made a tag',
        );
      }
      throw new Error(`${this.#place} makes more tags than the ${this.#allowance} that it states`);
    }
    const creating = this.#session.create(body, names, departure);
    this.#creating.add(creating);
    try {
      const { record, exchange } = await creating;
      this.#records.push(record);
      if (!accepted(exchange)) this.#unaccepted.add(record);
      return this.#noted(exchange);
    } finally {
      this.#creating.delete(creating);
    }
  }

  async rename(tagId: string, body: unknown, departure?: RequestOverrides): Promise<Exchange> {
    return this.#noted(this.#session.rename(tagId, body, nameIn(body) || undefined, departure));
  }

  async delete(tagId: string, departure?: RequestOverrides): Promise<Exchange> {
    return this.#noted(this.#session.delete(tagId, departure));
  }

  /**
   * Lists the tags; with a name, those that the filter lets through.
   *
   * @param filter a name, or a query as it is written here, such as `tag=a&tag=b`, whose answer is left open.
   */
  async list(filter?: string | { readonly query: string }, departure?: RequestOverrides): Promise<Exchange> {
    if (typeof filter === 'object')
      return this.#noted(this.#session.list(filter.query, { ...departure, open: true }));
    const query = filter === undefined ? undefined : filterQuery(filter);
    return this.#noted(this.#session.list(query, departure));
  }

  /** Remembers a request without an answer: whatever the check finds may rest on that. */
  async #noted(sent: Exchange | Promise<Exchange>): Promise<Exchange> {
    const exchange = await sent;
    if (isUnanswered(exchange)) this.#unanswered.push(exchange);
    return exchange;
  }

  /** Requests without an answer, of the check and of shared work that it used, since it last began. */
  get unanswered(): readonly Exchange[] {
    const others = [
      ...this.#parts,
      ...this.#sharedUsed,
      ...(this.#second === undefined ? [] : [this.#second]),
    ];
    return [...this.#unanswered, ...others.flatMap(({ unanswered }) => unanswered)];
  }

  /** The check begins, perhaps not for the first time: what happened before is not its business. */
  beginAnew(): void {
    this.#unanswered = [];
    this.#sharedUsed.clear();
    for (const one of [...this.#parts, ...(this.#second === undefined ? [] : [this.#second])])
      one.beginAnew();
  }

  /** Nothing more is sent for the check. */
  get isStopped(): boolean {
    return this.#abandoned !== undefined || this.#run.client.stopped !== undefined;
  }

  // Tags to work with

  /**
   * Makes a tag and waits until it is listed.
   *
   * @throws Undecided where that does not work: setting up is not judging.
   */
  async makeTag(name: string = this.name()): Promise<Tag> {
    const exchange = await this.create({ name });
    if (!accepted(exchange)) {
      throw new Undecided(
        'failure',
        `no tag could be made to ask with: create ${whatCame(exchange)}`,
        exchange,
      );
    }
    const session = this.#session;
    const look = (): Promise<Lookup> => session.look(undefined, name);
    // A target may show somebody else's tag under the name that it was asked for.
    const madeIn = ({ entries }: Lookup): Lookup['entries'][number] | undefined =>
      entries.find((entry) => entry.name === name && !session.ownership.isStranger(entry.tagId));
    const isThere = (sight: Lookup): boolean => madeIn(sight) !== undefined;
    const seen = session.losesCreates ? await look() : (await session.settling.until(look, isThere)).seen;
    const entry = madeIn(seen);
    if (entry === undefined) {
      // Where the check has ended meanwhile, what it made is being removed.
      const { state, doubtful } = session.ledger.named(name) ?? {};
      if (state !== 'removing' && state !== 'removed' && doubtful !== true)
        session.signs.record(
          'create-lost',
          'create was acknowledged, but no list shows the tag',
          exchange,
          ...seen.exchanges,
        );
      throw new Undecided(
        'failure',
        'no tag could be made to ask with: create was accepted, but no list shows the tag',
        exchange,
        ...seen.exchanges,
      );
    }
    return { tagId: entry.tagId, name };
  }

  // Ways to look

  /** Looks once for a tag in the lists, by id and by names. */
  async lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    return this.#session.look(tagId, ...names);
  }

  /** Waits until the lists show that id with that name. */
  async untilListed(
    tagId: string,
    name: string,
    ...formerly: readonly string[]
  ): Promise<{ seen: Lookup; good: boolean }> {
    return this.#session.settling.until(
      () => this.#session.look(tagId, name, ...formerly),
      ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === name),
    );
  }

  /** Waits until neither the list nor the one filtered by its name shows that id. */
  async untilGone(tag: Tag): Promise<{ seen: Lookup; good: boolean }> {
    const sight = await this.#session.settling.until(
      async () => {
        const exchanges = await Promise.all([this.list(), this.list(tag.name)]);
        const lists = exchanges.map(listedIn);
        if (lists.includes(undefined)) {
          throw new Undecided(
            'failure',
            'the list cannot be read, so it does not tell what is gone',
            ...exchanges,
          );
        }
        // Under another name that this run gave, it is a younger tag, to which the target has given the id.
        const isYounger = (name: unknown): boolean =>
          typeof name === 'string' && name !== tag.name && this.#run.names.isOwn(name);
        const entries = lists
          .flatMap((listed) => listed ?? [])
          .filter(({ tagId, name }) => tagId === tag.tagId && !isYounger(name));
        return { entries, exchanges };
      },
      ({ entries }) => entries.length === 0,
    );
    if (!sight.good) this.#session.ledger.survives(tag.tagId);
    return sight;
  }

  /**
   * Waits for something else to become as it should be, within the time that effects may take.
   */
  async until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    good: (seen: T) => boolean,
    options?: UntilOptions,
  ): Promise<{ seen: T; good: boolean }> {
    return this.#session.settling.until(look, good, options);
  }

  /** All tags of the run that a list has shown, also those that are gone by now. */
  knownTags(): (Tag & { readonly isAlive: boolean })[] {
    const { ledger } = this.#run;
    const living = new Map(ledger.listedAlive().map((tag) => [tag.tagId, tag]));
    return ledger.records.flatMap(({ seen, tagId, names }) =>
      seen && tagId !== undefined
        ? { tagId, name: living.get(tagId)?.name ?? [...names].at(-1) ?? '', isAlive: living.has(tagId) }
        : [],
    );
  }

  /** Nothing that the check made is left, as far as the run knows. */
  get isClean(): boolean {
    return this.#alive() === 0 && (this.#second?.isClean ?? true) && this.hasCleanParts;
  }

  /** Nothing that its parts made is left, as far as the run knows. */
  get hasCleanParts(): boolean {
    return [...this.#parts].every(({ isClean }) => isClean);
  }

  /** How many more tags the check may make now. */
  get room(): number {
    const inParts = [...this.#parts].reduce((all, part) => all + part.#alive(), 0);
    return this.#allowance - this.#alive() - inParts;
  }

  /**
   * Work that several checks need, done once in a run by whoever comes first.
   *
   * @param name by which it is known; its tags are named for it.
   * @param tags the most tags that it has alive at once.
   */
  async shared<T>(name: string, tags: number, work: (target: Target) => Promise<T>): Promise<T> {
    const session = this.#session;
    // Two works that hold tags and wait for tags of one another would wait for ever.
    if (this.#isShared && this.#allowance > 0 && tags > 0)
      throw new Error(`${this.#place} holds tags and asks for ${name}, which takes tags, too`);
    const known = session.shared.get(name);
    if (known !== undefined) {
      this.#sharedUsed.add(known.target);
      return known.done as Promise<T>;
    }
    const target = new Target(session, name, tags, undefined, true);
    const doWork = async (): Promise<T> => {
      try {
        return await work(target);
      } finally {
        // What may rest on a request without an answer is done again for whoever asks next.
        if (target.unanswered.length > 0) session.doAgain(name);
        await target.removeTags();
      }
    };
    // For a question hardly anybody waits, for what checks have in common many, with tags in their hands.
    const done = session.sharedTags.use(tags, doWork, !name.startsWith(QUESTION));
    session.shared.set(name, { target, done });
    this.#sharedUsed.add(target);
    return done;
  }

  /**
   * A part of the check, with names of its own and some of the tags that the check may have; they are removed when the
   * part ends.
   */
  async part<T>(name: string, tags: number, work: (part: Target) => Promise<T>): Promise<T> {
    const part = new Target(this.#session, `${this.#place}/${name}`, tags, this.#room, this.#isShared);
    this.#parts.add(part);
    try {
      return await work(part);
    } finally {
      // What could not be removed now is tried again when the check ends.
      await part.removeTags().catch((error: unknown) => {
        if (!(error instanceof Undecided)) throw error;
      });
      if (part.isClean) this.#parts.delete(part);
    }
  }

  /** The answer to an open question, with what shows it; asked once in a run, by whoever needs it first. */
  async observe<T>({ id, question }: Open<T>): Promise<Observation<T>> {
    // What they throw is thrown again when the question learns of them.
    await Promise.allSettled(question.needs.map((need) => need.check(this)));
    return this.shared(`${QUESTION}${id}`, question.tags, async (shared) => {
      const { answer, exchanges } = await question.ask(shared);
      // Kept to the end of the run.
      return { answer: question.answers.parse(answer), exchanges: exchanges.map(slim) };
    });
  }

  /**
   * The answer to an open question. Whoever needs it asks before it makes tags of its own.
   *
   * @throws Undecided where the target did not tell.
   */
  async learn<T>(open: Open<T>): Promise<T> {
    return (await this.observe(open)).answer;
  }

  // Rules for refusals

  /**
   * Asks for a refusal beside the same request without its defect. Where that one is not accepted either, the refusal
   * has another reason and decides nothing.
   *
   * @throws Undecided in that case.
   */
  async pair(asks: {
    readonly accepted: () => Exchange | Promise<Exchange>;
    readonly refused: () => Promise<Exchange>;
  }): Promise<Pair> {
    const [twin, refused] = await Promise.all([asks.accepted(), asks.refused()]);
    if (!accepted(twin)) {
      throw new Undecided(
        'failure',
        `the same request without the defect ${whatCame(twin)}, so that a refusal proves nothing`,
        twin,
        refused,
      );
    }
    return { accepted: twin, refused };
  }

  /** Runs `work` while the run makes no tag, so that a target which reuses ids gives this one to nobody meanwhile. */
  async withoutCreates<T>(work: () => Promise<T>): Promise<T> {
    await this.#room.enter();
    const { making } = this.#session;
    return making.use(making.total, async () => {
      this.#quiet = true;
      try {
        return await work();
      } finally {
        this.#quiet = false;
      }
    });
  }

  /** Runs `work` whose first requests reach the target as close to one another as can be. */
  async simultaneously<T>(work: () => Promise<T>): Promise<T> {
    return this.#session.client.together(work);
  }

  /**
   * Runs `work` while no other check does the same, so that what appears meanwhile can be told apart, and removes what
   * it made. Whoever asks for this has no tags: others may need theirs to come to an end.
   */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#session.lane.use(1, async () => {
      try {
        // Others wait for the lane.
        await this.#room.enter(true);
        return await work();
      } finally {
        await this.removeTags();
        await this.#room.leave();
      }
    });
  }

  /** Removes what the check made. */
  async removeTags(): Promise<void> {
    // Of several at once one may have ended the check while the others are still under way.
    await Promise.allSettled(this.#creating);
    await Promise.all([
      this.#second?.removeTags(),
      ...[...this.#parts].map((part) => part.removeTags()),
      // Asynchronous, so that where the run is over this fails here, and nobody's failing goes unheard.
      ...this.#records.map(async (record) => this.#session.remove(record)),
    ]);
  }

  #alive(): number {
    return this.#records.filter(
      ({ state, unfound }) => state === 'alive' || (state === 'pending' && unfound !== true),
    ).length;
  }
}

/** The name that a body gives a tag, or the text that a careless target could make of it. */
function nameIn(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('name' in body)) return '';
  const { name } = body;
  if (typeof name === 'string') return name;
  return Array.isArray(name) ? name.join() : String(name);
}
