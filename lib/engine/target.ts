import type { Effort } from '../effort.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided, type Observation } from '../outcome.ts';
import type { Open } from '../requirement.ts';
import type { Secret } from '../secret.ts';
import type { Credentials } from './account.ts';
import type { Departure } from './asks.ts';
import type { Record } from './ledger.ts';
import { listedIn } from './listing.ts';
import type { Pair } from './pairing.ts';
import { filterQuery } from './asks.ts';
import type { Session, Sight } from './session.ts';

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
  readonly #records: Record[] = [];
  #names = 0;
  #quiet = false;
  #abandoned: string | undefined;
  #second: Target | undefined;

  /**
   * @param place the id of the requirement, from which the names of its tags follow.
   * @param allowance the most tags that the check may have alive.
   * @param isShared whether it is the target of work that several checks share.
   */
  constructor(session: Session, place: string, allowance: number, isShared = false) {
    this.#isShared = isShared;
    this.#run = session;
    this.#place = place;
    this.#allowance = allowance;
  }

  get base(): URL {
    return this.#run.settings.base;
  }

  /** The tester allowed plain http just for this run. */
  get allowsHttp(): boolean {
    return this.#run.settings.allowsHttp;
  }

  /**
   * The same target as the second account meets it.
   *
   * @throws Undecided where no second account was given.
   */
  get second(): Target {
    const { second } = this.#session;
    if (second === undefined) throw new Undecided('tester', 'no second account was given');
    this.#second ??= new Target(second, `${this.#place}/second`, this.#allowance);
    return this.#second;
  }

  /** How much may be asked. */
  get effort(): Effort {
    return this.#run.settings.effort;
  }

  /** A token made in the control panel, where one was given beside the login. */
  get panelToken(): Secret | undefined {
    return this.#run.settings.panelToken;
  }

  /** Resolves when every other check has ended. */
  get othersDone(): Promise<void> {
    return this.#run.othersDone;
  }

  /** Creates of the whole run so far that were acknowledged, and whose tag no list showed; with the looks for it. */
  get lostCreates(): readonly (readonly Exchange[])[] {
    return this.#run.lost;
  }

  /** Reads of the whole run so far that did not show an acknowledged effect which later ones did. */
  get lateReads(): readonly Exchange[] {
    return this.#run.late;
  }

  /** The run no longer waits for this check: whatever it still wants to send is not sent. */
  abandon(why: string): void {
    this.#abandoned = why;
    this.#second?.abandon(why);
  }

  get #session(): Session {
    if (this.#abandoned !== undefined) throw new Undecided('failure', this.#abandoned);
    return this.#run;
  }

  // Names

  /** A plain name, unlike every other of the run. */
  name(): string {
    return this.#session.names.plain(this.#next());
  }

  /** A name of 16 letters from this alphabet alone. */
  nameFrom(alphabet: string): string {
    return this.#session.names.from(alphabet, this.#next());
  }

  /** A plain name that goes on with this text. */
  nameWith(text: string): string {
    return this.#session.names.with(text, this.#next());
  }

  /** A name of the run that goes on after this one. */
  longer(name: string): string {
    return this.#session.names.longer(name);
  }

  /** A number whose text is unlike every other name of the run. */
  number(): number {
    return this.#session.names.number(this.#next());
  }

  #next(): string {
    return `${this.#place}/${++this.#names}`;
  }

  // The five operations, asked as they are

  /** Logs in with the right credentials; made once in a run for a set of scopes. */
  async login(scopes?: readonly string[]): Promise<Exchange> {
    return (await this.#session.account.login(scopes)).exchange;
  }

  /** Sends a login with any body. */
  sendLogin(body: unknown, departure?: Departure): Promise<Exchange> {
    return this.#session.account.send(body, departure);
  }

  get credentials(): Credentials {
    const { credentials } = this.#session.account;
    if (credentials === undefined) {
      throw new Undecided('tester', 'no username and password were given, so no login can be asked');
    }
    return credentials;
  }

  /** The right body of a login. */
  loginBody(scopes?: readonly string[]): Secret {
    return this.#session.account.body(scopes);
  }

  token(scopes?: readonly string[]): Promise<Secret> {
    return this.#session.account.token(scopes);
  }

  /** A token from a login of its own, which stands for these scopes from here on. */
  freshToken(scopes: readonly string[]): Promise<Secret> {
    return this.#session.account.freshToken(scopes);
  }

  /**
   * Creates a tag, or tries to.
   *
   * @param body any value; sent as JSON, or as it is where it is a `RawBody`.
   */
  create(body: unknown, departure?: Departure): Promise<Exchange> {
    return this.createNamed(nameIn(body), body, departure);
  }

  /** The same for a body that does not show the name which it gives. */
  async createNamed(name: string, body: unknown, departure?: Departure): Promise<Exchange> {
    if (this.#quiet) throw new Error(`${this.#place} creates a tag in a stretch in which no tag may be made`);
    if (this.#alive() >= this.#allowance) {
      // What the target answered nothing clear to may be there: the check cannot go on, and is not to blame.
      if (this.#records.some(({ state, doubtful }) => state === 'pending' || doubtful)) {
        throw new Undecided(
          'failure',
          'creates were answered in a way that does not tell whether they made a tag',
        );
      }
      throw new Error(`${this.#place} makes more tags than the ${this.#allowance} that it states`);
    }
    const { record, exchange } = await this.#session.create(body, name, departure);
    this.#records.push(record);
    return exchange;
  }

  rename(tagId: string, body: unknown, departure?: Departure): Promise<Exchange> {
    return this.#session.rename(tagId, body, nameIn(body) || undefined, departure);
  }

  delete(tagId: string, departure?: Departure): Promise<Exchange> {
    return this.#session.delete(tagId, departure);
  }

  /** Lists the tags; with a name, those that the filter lets through. */
  list(filter?: string, departure?: Departure): Promise<Exchange> {
    return this.#session.list(filter === undefined ? undefined : filterQuery(filter), departure);
  }

  /** Lists with a query as it is written here, such as `tag=a&tag=b`, which the specification says nothing of. */
  query(query: string, departure?: Departure): Promise<Exchange> {
    return this.#session.list(query, { ...departure, open: true });
  }

  // Tags to work with

  /**
   * Makes a tag and waits until it is listed.
   *
   * @throws Undecided where that does not work: setting up is not judging.
   */
  async made(name: string = this.name()): Promise<Tag> {
    const exchange = await this.create({ name });
    if (!accepted(exchange)) {
      throw new Undecided(
        'failure',
        `no tag could be made to ask with: create ${whatCame(exchange)}`,
        exchange,
      );
    }
    const session = this.#session;
    const look = (): Promise<Sight> => session.look(undefined, name);
    // A target may show somebody else's tag under the name that it was asked for.
    const madeIn = ({ entries }: Sight): Sight['entries'][number] | undefined =>
      entries.find((entry) => entry.name === name && !session.ownership.isStranger(entry.tagId));
    const isThere = (sight: Sight): boolean => madeIn(sight) !== undefined;
    const seen = session.losesCreates ? await look() : (await session.settle(look, isThere)).seen;
    const entry = madeIn(seen);
    if (entry === undefined) {
      session.lost.push([exchange, ...seen.exchanges]);
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
  look(tagId: string | undefined, ...names: readonly string[]): Promise<Sight> {
    return this.#session.look(tagId, ...names);
  }

  /** Waits until the lists show that id with that name. */
  shows(
    tagId: string,
    name: string,
    ...formerly: readonly string[]
  ): Promise<{ seen: Sight; good: boolean }> {
    return this.#session.settle(
      () => this.#session.look(tagId, name, ...formerly),
      ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === name),
    );
  }

  /** Waits until neither the list nor the one filtered by its name shows that id. */
  gone(tag: Tag): Promise<{ seen: Sight; good: boolean }> {
    return this.#session.settle(
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
          typeof name === 'string' && name !== tag.name && this.#session.names.isOwn(name);
        const entries = lists
          .flatMap((listed) => listed ?? [])
          .filter(({ tagId, name }) => tagId === tag.tagId && !isYounger(name));
        return { entries, exchanges };
      },
      ({ entries }) => entries.length === 0,
    );
  }

  /**
   * Waits for something else to become as it should be, within the time that effects may take.
   *
   * @param counts whether it is a late effect if it does not show at once.
   */
  settles<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    good: (seen: T) => boolean,
    counts = true,
  ): Promise<{ seen: T; good: boolean }> {
    return this.#session.settle(look, good, counts);
  }

  /** All tags of the run that are alive and have been listed. */
  living(): Tag[] {
    return this.#session.ledger.listedAlive();
  }

  /** Ids of all tags that the run made so far and that a list has shown. */
  get issuedIds(): string[] {
    return this.#session.ledger.records.flatMap(({ seen, tagId }) =>
      seen && tagId !== undefined ? tagId : [],
    );
  }

  /** The most tags that can be alive at once while nothing else goes on. */
  get mostTags(): number {
    return this.#session.mostTags;
  }

  /** The target has asked to be asked more slowly. */
  get wasThrottled(): boolean {
    return this.#session.client.traffic.waitedMs > 0;
  }

  /** Nothing that the check made is left, as far as the run knows. */
  get isClean(): boolean {
    return this.#alive() === 0 && (this.#second?.isClean ?? true);
  }

  /** How many more tags the check may make now. */
  get room(): number {
    return this.#allowance - this.#alive();
  }

  /**
   * Work that several checks need, done once in a run by whoever comes first.
   *
   * @param name by which it is known; its tags are named for it.
   * @param tags the most tags that it has alive at once.
   */
  shared<T>(name: string, tags: number, work: (target: Target) => Promise<T>): Promise<T> {
    const session = this.#session;
    // Two works that hold tags and wait for tags of one another would wait for ever.
    if (this.#isShared && this.#allowance > 0 && tags > 0)
      throw new Error(`${this.#place} holds tags and asks for ${name}, which takes tags, too`);
    const known = session.shared.get(name);
    if (known !== undefined) return known as Promise<T>;
    const done = session.sharedTags.use(tags, async () => {
      const target = new Target(session, name, tags, true);
      const { unanswered } = session.client;
      try {
        return await work(target);
      } finally {
        // What may rest on a request without an answer is done again for whoever asks next.
        if (session.client.unanswered > unanswered) session.doAgain(name);
        await target.end();
      }
    });
    session.shared.set(name, done);
    return done;
  }

  /** The answer to an open question, with what shows it; asked once in a run, by whoever needs it first. */
  async observe<T>({ id, question }: Open<T>): Promise<Observation<T>> {
    // What they throw is thrown again when the question learns of them.
    await Promise.allSettled(question.needs.map((need) => need.check(this)));
    return this.shared(`question ${id}`, question.tags, async (shared) => {
      const { answer, exchanges } = await question.ask(shared);
      return { answer: question.answers.parse(answer), exchanges };
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

  /** Answers to creates of the whole run so far whose tag_id a living tag of the run had already. */
  get duplicates(): readonly Exchange[] {
    return this.#session.duplicates;
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

  /** The most tags that shared work can have alive at once. */
  get sharedTags(): number {
    return this.#session.sharedTags.total;
  }

  /** Runs `work` while the run makes no tag, so that a target which reuses ids gives this one to nobody meanwhile. */
  quietly<T>(work: () => Promise<T>): Promise<T> {
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

  /** Runs `work` while no other check does the same, so that what appears meanwhile can be told apart. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#session.lane.use(1, work);
  }

  /** Removes what the check made. */
  async end(): Promise<void> {
    await Promise.all([this.#second?.end(), ...this.#records.map((record) => this.#session.remove(record))]);
  }

  #alive(): number {
    return this.#records.filter((record) => record.state === 'alive' || record.state === 'pending').length;
  }
}

/** The name that a body gives a tag, or the text that a careless target could make of it. */
function nameIn(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('name' in body)) return '';
  const { name } = body;
  if (typeof name === 'string') return name;
  return Array.isArray(name) ? name.join() : String(name);
}
