import { lookUpBy, type Lookup } from '../account/lookup.ts';
import type { Credentials } from '../account/logins.ts';
import type { Names } from '../account/names.ts';
import type { Sign, SignSeen } from '../account/signs.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import type { ListedTag, Settled } from '../run/listed.ts';
import { Target, type TargetSettings } from '../run/target.ts';
import { Secret } from '../secret.ts';
import { filterQuery, pathOf, RawBody, type RequestOverrides } from '../spec/requests.ts';
import { listedIn } from '../spec/reading.ts';
import type { Came, CourseLine } from './course.ts';
import type { HarHead } from './har.ts';
import type { Placed, Playback } from './playback.ts';

/** What all checks share whose exchanges are judged again. */
export interface Replaying {
  readonly playback: Playback;
  readonly run: HarHead['_run'];
  /** @throws Error where the evidence has no exchange of that number. */
  readonly exchange: (number: number, doubts: Doubts) => Exchange;
  /** Shared work, by its number. */
  readonly shared: Map<number, { readonly result: Promise<unknown>; readonly doubts: Doubts }>;
}

/** Why what a check comes to may not be what it came to in the run. */
export class Doubts {
  /** It asked for more than the evidence holds. */
  endsEarly = false;
  /** A body was needed of which only the digest is kept. */
  lacksBody = false;
  /** It asked for something else than in the run, because that is random or secret. */
  asksOtherwise = false;
  /** What came was that something could not be asked or decided. */
  wasUndecided = false;
  /** Those of the shared work that it used. */
  readonly used = new Set<Doubts>();

  /** Its own doubts and those of all work that it used. */
  get all(): ReadonlySet<Doubts> {
    const all = new Set<Doubts>([this]);
    for (const one of all) for (const used of one.used) all.add(used);
    return all;
  }

  has(doubt: 'endsEarly' | 'lacksBody' | 'asksOtherwise' | 'wasUndecided'): boolean {
    return [...this.all].some((one) => one[doubt]);
  }
}

/** How many tags there may be, of checks and of shared work. */
type Limits = readonly [mostTags: number, sharedTags: number];

const FIRST = 0;
const SECOND = 1;

/**
 * A target that answers from the evidence of a run. What a check asks for is not sent: it is given what it was given in
 * the run. What follows from that, the check decides again.
 */
export class ReplayedTarget extends Target {
  readonly #replaying: Replaying;
  readonly #work: number;
  readonly #account: typeof FIRST | typeof SECOND;
  readonly #doubts: Doubts;
  #second: ReplayedTarget | undefined;
  #limits: Limits = [0, 0];

  constructor(
    replaying: Replaying,
    work: number,
    doubts: Doubts,
    account: typeof FIRST | typeof SECOND = FIRST,
  ) {
    // There is no run behind it: all that would need one is overridden.
    super(undefined as never);
    this.#replaying = replaying;
    this.#work = work;
    this.#doubts = doubts;
    this.#account = account;
  }

  // What needs no request

  override get settings(): TargetSettings {
    const { run, playback } = this.#replaying;
    const told = playback.take(this.#work, 'settings');
    if (told !== undefined) {
      playback.pass(told);
      this.#limits = valueOf(told.line) as Limits;
    }
    const [mostTags, sharedTags] = this.#limits;
    const { effort, seed, allowsHttp, panelToken } = run;
    return {
      base: new URL(`${run.target}/`),
      allowsHttp,
      effort,
      seed,
      path: run.path ?? undefined,
      panelToken: panelToken === null ? undefined : new Secret(panelToken, '$PANEL_TOKEN'),
      mostTags,
      sharedTags,
    };
  }

  override get second(): ReplayedTarget {
    if (this.#replaying.run.accounts[SECOND] === null)
      throw new Undecided('tester', 'no second account was given');
    this.#second ??= new ReplayedTarget(
      this.#replaying,
      this.#told('second') as number,
      this.#doubts,
      SECOND,
    );
    return this.#second;
  }

  override get names(): Names {
    return new Proxy({} as Names, {
      get: (_, property) => () => this.#told(`name ${String(property)}`),
    });
  }

  override get credentials(): Credentials {
    const account = this.#replaying.run.accounts[this.#account] ?? undefined;
    if (account === undefined || account.password === null)
      throw new Undecided('tester', 'no username and password were given, so no login can be asked');
    const label = this.#account === FIRST ? '$PASSWORD' : '$SECOND_PASSWORD';
    return { username: account.username, password: new Secret(account.password, label) };
  }

  override knownTags(): ReturnType<Target['knownTags']> {
    return this.#told('known tags') as ReturnType<Target['knownTags']>;
  }

  override get room(): number {
    return this.#told('room') as number;
  }

  override get sparesLogins(): boolean {
    return this.#told('spares logins') as boolean;
  }

  override signs(sign: Sign): readonly SignSeen[] {
    const seen = this.#told(`signs ${sign}`) as readonly (readonly number[])[];
    return seen.map((numbers) => ({ why: sign, exchanges: this.#exchanges(numbers) }));
  }

  protected override namesOf(): ReadonlySet<string> {
    return new Set(this.#told('names of') as readonly string[]);
  }

  protected override outlives(): void {
    // Only the run itself needs to know.
  }

  // Requests

  override login(): Promise<Exchange> {
    return this.#exchange('login');
  }

  override sendLogin(): Promise<Exchange> {
    return this.#exchange('send login');
  }

  override async token(): Promise<Secret> {
    const [token, label] = valueOf(await this.#given('token')) as [string, string];
    return new Secret(token, label);
  }

  override create(body: unknown): Promise<Exchange> {
    return this.#exchange('create', pathOf.create(), body);
  }

  override rename(tagId: string, body: unknown, overrides?: RequestOverrides): Promise<Exchange> {
    return this.#exchange('rename', pathOf.rename(tagId, overrides?.segment), body);
  }

  override delete(tagId: string, overrides?: RequestOverrides): Promise<Exchange> {
    return this.#exchange('delete', pathOf.delete(tagId, overrides?.segment));
  }

  override list(filter?: string | { readonly query: string }): Promise<Exchange> {
    const query = typeof filter === 'string' ? filterQuery(filter) : filter?.query;
    return this.#exchange('list', pathOf.list(query));
  }

  // What takes several requests

  override async lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    const [name] = names;
    const line = await this.#given('look up', this.#startsWith(name));
    return this.#lookUpIn(line, tagId, names);
  }

  #lookUpIn([, , , came]: CourseLine, tagId: string | undefined, names: readonly string[]): Promise<Lookup> {
    const lists = [...this.#exchanges(numbersOf(came))];
    if (lists.length < Math.max(1, names.length)) throw this.#undecided(came);
    return lookUpBy(() => Promise.resolve(lists.shift() ?? this.#end()), tagId, names);
  }

  protected override async listed(name: string, create: Exchange): Promise<ListedTag> {
    const [, , , came] = await this.#given('listed');
    const exchanges = this.#exchanges(numbersOf(came).filter((number) => number !== create.number));
    if (!accepted(create))
      throw new Undecided('failure', `no tag could be made to ask with: create ${whatCame(create)}`, create);
    if (exchanges.length === 0) throw this.#undecided(came);
    const entry = exchanges.flatMap((list) => listedIn(list) ?? []).find((tag) => tag.name === name);
    if (entry === undefined || 'undecided' in came) {
      this.#doubts.wasUndecided ||= entry !== undefined;
      const why = 'no tag could be made to ask with: create was accepted, but no list shows the tag';
      throw new Undecided('failure', why, create, ...exchanges);
    }
    return { tag: { tagId: entry.tagId, name }, exchanges };
  }

  override async until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    isGood: (seen: T) => boolean,
  ): Promise<Settled<T>> {
    const { playback } = this.#replaying;
    const until = this.#take('until');
    const looks = playback.left(this.#work, 'look').filter(({ line }) => valueOf(line) === until.line[0]);
    let settled: Settled<T> | undefined;
    for (const [nth, { line }] of looks.entries()) {
      const taken = playback.take(this.#work, 'look', (other) => other === line);
      // The first look follows at once.
      if (taken !== undefined && nth === 0) playback.pass(taken);
      else if (taken !== undefined) await playback.turn(taken);
      const seen = await look();
      settled = { seen, good: isGood(seen) };
      if (settled.good) break;
    }
    await playback.turn(until);
    return settled ?? this.#end();
  }

  override async removeTags(): Promise<void> {
    await this.#given('remove tags');
  }

  // Work together with other checks

  override async shared<T>(name: string, _: number, work: (target: Target) => Promise<T>): Promise<T> {
    const { playback, shared } = this.#replaying;
    const line = this.#take('shared', (other) => (valueOf(other) as readonly unknown[])[1] === name);
    const [number] = valueOf(line.line) as readonly [number | null];
    if (number === null) return this.#end();
    let known = shared.get(number);
    if (known === undefined) {
      const doubts = new Doubts();
      const result = work(new ReplayedTarget(this.#replaying, number, doubts, this.#account));
      known = { result, doubts };
      shared.set(number, known);
    }
    this.#doubts.used.add(known.doubts);
    await known.result.catch(() => undefined);
    await playback.turn(line);
    return known.result as Promise<T>;
  }

  override async part<T>(_: number, ask: (part: Target) => Promise<T>): Promise<T> {
    const part = this.#take('part');
    const number = valueOf(part.line) as number | null;
    if (number === null) return this.#end();
    const target = new ReplayedTarget(this.#replaying, number, this.#doubts, this.#account);
    try {
      return await target.attempts(() => ask(target));
    } finally {
      await this.#replaying.playback.turn(part);
    }
  }

  /** Makes as many attempts as the run made. The last one counts. */
  async attempts<T>(ask: () => Promise<T>): Promise<T> {
    const { playback } = this.#replaying;
    const first = playback.take(this.#work, 'attempt');
    if (first !== undefined) playback.pass(first);
    for (;;) {
      const isLast = playback.left(this.#work, 'attempt').length === 0;
      try {
        const result = await ask();
        if (isLast) return result;
      } catch (error) {
        if (isLast || !(error instanceof Undecided)) throw error;
      }
      const next = playback.take(this.#work, 'attempt');
      if (next !== undefined) await playback.turn(next);
    }
  }

  override get othersDone(): Promise<void> {
    return this.#given('others done').then(() => undefined);
  }

  override withoutCreates<T>(ask: () => Promise<T>): Promise<T> {
    return this.#within('without creates', ask);
  }

  override simultaneously<T>(ask: () => Promise<T>): Promise<T> {
    return this.#within('simultaneously', ask);
  }

  override exclusively<T>(ask: () => Promise<T>): Promise<T> {
    return this.#within('exclusively', ask);
  }

  async #within<T>(what: string, ask: () => Promise<T>): Promise<T> {
    const { playback } = this.#replaying;
    const line = this.#take(what);
    const isEntered = (other: CourseLine): boolean => valueOf(other) === line.line[0];
    if (!playback.left(this.#work, 'enter').some((one) => isEntered(one.line)))
      throw this.#undecided(line.line[3]);
    const enter = playback.take(this.#work, 'enter', isEntered);
    if (enter !== undefined) await playback.turn(enter);
    try {
      return await ask();
    } finally {
      await playback.turn(line);
    }
  }

  // Reading the course

  #take(what: string, fits?: (line: CourseLine) => boolean): Placed {
    return this.#replaying.playback.take(this.#work, what, fits) ?? this.#end();
  }

  #told(what: string): unknown {
    const told = this.#take(what);
    this.#replaying.playback.pass(told);
    return valueOf(told.line);
  }

  /** @throws Undecided where that was what came. */
  async #given(what: string, fits?: (line: CourseLine) => boolean): Promise<CourseLine> {
    const placed = this.#take(what, fits);
    await this.#replaying.playback.turn(placed);
    const [, , , came] = placed.line;
    if ('undecided' in came && what !== 'look up' && what !== 'listed') throw this.#undecided(came);
    return placed.line;
  }

  /** Gives the exchange that a request came to in the run, by preference that of the same request. */
  async #exchange(what: string, path?: string, body?: unknown): Promise<Exchange> {
    const text = body === undefined || body instanceof RawBody ? undefined : JSON.stringify(body);
    const isSame = ({ ask }: Exchange): boolean =>
      (path === undefined || ask.path === path) && (text === undefined || ask.body === text);
    const fits = ([, , , came]: CourseLine): boolean => this.#exchanges(numbersOf(came)).some(isSame);
    const [, , , came] = await this.#given(what, fits);
    const [exchange = this.#end()] = this.#exchanges(numbersOf(came));
    // A login is judged by its answer alone: wrong credentials are random, and right ones are not in the evidence.
    if (!isSame(exchange)) this.#doubts.asksOtherwise = true;
    return exchange;
  }

  #startsWith(name: string | undefined): (line: CourseLine) => boolean {
    const path = pathOf.list(name === undefined ? undefined : filterQuery(name));
    return ([, , , came]) => this.#exchanges(numbersOf(came))[0]?.ask.path === path;
  }

  #exchanges(numbers: readonly number[]): readonly Exchange[] {
    return numbers.map((number) => this.#replaying.exchange(number, this.#doubts));
  }

  #undecided(came: Came): Undecided {
    if (!('undecided' in came) || came.undecided === undefined) return this.#end();
    this.#doubts.wasUndecided = true;
    return new Undecided(came.because, came.undecided, ...this.#exchanges(came.exchanges));
  }

  /** @throws Undecided always. */
  #end(): never {
    this.#doubts.endsEarly = true;
    throw new Undecided('failure', 'the evidence holds no answer to what the check asks');
  }
}

const valueOf = ([, , , came]: CourseLine): unknown => ('value' in came ? came.value : undefined);

const numbersOf = (came: Came): readonly number[] =>
  'exchanges' in came && came.exchanges !== undefined ? came.exchanges : [];
