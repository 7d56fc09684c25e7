import { lookUpBy, type Lookup } from '../account/lookup.ts';
import type { Credentials } from '../account/credentials.ts';
import type { Names } from '../account/names.ts';
import type { Sign } from '../account/signs.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { Undecided, type Finding } from '../outcome.ts';
import type { Settled } from '../account/settling.ts';
import type { ListedTag } from '../run/listed.ts';
import { Target, type TargetSettings } from '../run/target.ts';
import type { Manner } from '../run/manners.ts';
import { Secret } from '../secret.ts';
import { filterQuery, pathOf, type RequestOverrides, writtenPath } from '../spec/requests.ts';
import { listedIn } from '../spec/reading.ts';
import type { CourseLine } from './course.ts';
import { CourseReading, numbersOf, valueOf, type Replaying } from './course-reading.ts';
import { Doubts } from './doubts.ts';

/** The most tags that checks, and shared work, may have. */
type Limits = readonly [mostTags: number, sharedTags: number];

const FIRST = 0;
const SECOND = 1;

/**
 * A target that answers from the evidence of a run. It sends no requests: a check gets what it got in the run, and
 * decides again what follows.
 */
export class ReplayedTarget extends Target {
  readonly #replaying: Replaying;
  readonly #work: number;
  readonly #reading: CourseReading;
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
    // There is no run behind this target: it overrides every method that would need one.
    super(undefined as never);
    this.#replaying = replaying;
    this.#work = work;
    this.#doubts = doubts;
    this.#account = account;
    this.#reading = new CourseReading(replaying, work, doubts);
  }

  // Without requests

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
      this.#reading.told('second') as number,
      this.#doubts,
      SECOND,
    );
    return this.#second;
  }

  override get names(): Names {
    return new Proxy({} as Names, {
      get: (_, property) => () => this.#reading.told(`name ${String(property)}`),
    });
  }

  override get credentials(): Credentials {
    const account = this.#replaying.run.accounts[this.#account] ?? undefined;
    if (account === undefined || account.password === null)
      throw new Undecided('tester', 'no username and password were given, so no login can be sent');
    const label = this.#account === FIRST ? '$PASSWORD' : '$SECOND_PASSWORD';
    return { username: account.username, password: new Secret(account.password, label) };
  }

  protected override known<T>(what: string, _look: () => T): T {
    return this.#reading.told(what) as T;
  }

  override signs(sign: Sign): readonly Finding[] {
    const seen = this.#reading.told(`signs ${sign}`) as readonly (readonly number[])[];
    return seen.map((numbers) => ({ why: sign, exchanges: this.#reading.exchanges(numbers) }));
  }

  override note(): void {
    // The run has concluded.
  }

  protected override outlives(): void {
    // Only the run itself needs to know.
  }

  // Requests

  override login(): Promise<Exchange> {
    return this.#reading.exchange('login');
  }

  override sendLogin(): Promise<Exchange> {
    return this.#reading.exchange('send login');
  }

  override async token(): Promise<Secret> {
    const [token, label] = valueOf(await this.#reading.given('token')) as [string, string];
    return new Secret(token, label);
  }

  override create(body: unknown, overrides?: RequestOverrides): Promise<Exchange> {
    return this.#reading.exchange('create', writtenPath(pathOf.create(), overrides), body);
  }

  override rename(tagId: string, body: unknown, overrides?: RequestOverrides): Promise<Exchange> {
    const path = writtenPath(pathOf.rename(tagId, overrides?.segment), overrides);
    return this.#reading.exchange('rename', path, body);
  }

  override delete(tagId: string, overrides?: RequestOverrides): Promise<Exchange> {
    const path = writtenPath(pathOf.delete(tagId, overrides?.segment), overrides);
    return this.#reading.exchange('delete', path);
  }

  override list(
    filter?: string | { readonly query: string },
    overrides?: RequestOverrides,
  ): Promise<Exchange> {
    const query = typeof filter === 'string' ? filterQuery(filter) : filter?.query;
    return this.#reading.exchange('list', writtenPath(pathOf.list(query), overrides));
  }

  // Several requests

  override async lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    const [name] = names;
    const line = await this.#reading.given('look up', this.#reading.startsWith(name));
    return this.#lookUpIn(line, tagId, names);
  }

  #lookUpIn([, , , came]: CourseLine, tagId: string | undefined, names: readonly string[]): Promise<Lookup> {
    const lists = [...this.#reading.exchanges(numbersOf(came))];
    if (lists.length < Math.max(1, names.length)) throw this.#reading.undecided(came);
    return lookUpBy(() => Promise.resolve(lists.shift() ?? this.#reading.end()), tagId, names);
  }

  protected override wholeList(): undefined {
    // The record of each tag holds it.
  }

  protected override async listed(name: string, create: Exchange): Promise<ListedTag> {
    const [, , , came] = await this.#reading.given('listed');
    const exchanges = this.#reading.exchanges(numbersOf(came).filter((number) => number !== create.number));
    if (!accepted(create))
      throw new Undecided('failure', `no tag could be made to ask with: create ${whatCame(create)}`, create);
    if (exchanges.length === 0) throw this.#reading.undecided(came);
    const entry = exchanges.flatMap((list) => listedIn(list) ?? []).find((tag) => tag.name === name);
    if (entry === undefined || 'undecided' in came) {
      this.#doubts.wasUndecided ||= entry !== undefined;
      const why = 'no tag could be made to ask with: create was accepted, but no list shows the tag';
      throw new Undecided('failure', why, create, ...exchanges);
    }
    return { tag: { tagId: entry.tagId, name }, exchanges };
  }

  override until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    isGood: (seen: T) => boolean,
  ): Promise<Settled<T>> {
    return this.#reading.until(look, isGood);
  }

  override async removeTags(): Promise<void> {
    await this.#reading.given('remove tags');
  }

  // Coordination with other checks

  override async shared<T>(name: string, _: number, work: (target: Target) => Promise<T>): Promise<T> {
    const { playback, shared } = this.#replaying;
    const line = this.#reading.take('shared', (other) => (valueOf(other) as readonly unknown[])[1] === name);
    const [number] = valueOf(line.line) as readonly [number | null];
    if (number === null) return this.#reading.end();
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
    const result = (await known.result) as T;
    // In the run, the work succeeded, but the removal of its tags failed.
    if ('undecided' in line.line[3]) throw this.#reading.undecided(line.line[3]);
    return result;
  }

  override async part<T>(_: number, ask: (part: Target) => Promise<T>): Promise<T> {
    const part = this.#reading.take('part');
    const number = valueOf(part.line) as number | null;
    if (number === null) return this.#reading.end();
    const target = new ReplayedTarget(this.#replaying, number, this.#doubts, this.#account);
    try {
      return await target.attempts(() => ask(target));
    } finally {
      await this.#replaying.playback.turn(part);
    }
  }

  attempts<T>(ask: () => Promise<T>): Promise<T> {
    return this.#reading.attempts(ask);
  }

  override run<T>(how: Manner, ask: () => Promise<T>): Promise<T> {
    return this.#reading.within(how, ask);
  }
}
