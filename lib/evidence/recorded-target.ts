import type { Lookup } from '../account/lookup.ts';
import type { Names } from '../account/names.ts';
import type { Finding } from '../outcome.ts';
import type { Settled, UntilOptions } from '../account/settling.ts';
import type { Sign } from '../account/signs.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ListedTag } from '../run/listed.ts';
import type { SharedOptions } from '../run/shared-work.ts';
import { Target, type PartOptions, type TargetSettings } from '../run/target.ts';
import type { Manner } from '../run/manners.ts';
import type { Work } from '../run/work.ts';
import type { Secret } from '../secret.ts';
import { numbersOf, type Came, type Course } from './course.ts';

/** What a recorded target notes into. */
interface Recording {
  readonly course: Course;
  /** Returns the stand-in of a token. */
  readonly standIn: (token: Secret) => string;
}

/** The arguments of a method of the target. */
type Parts<Method extends 'login' | 'sendLogin' | 'token' | 'create' | 'rename' | 'delete' | 'list'> =
  Parameters<Target[Method]>;

/** A target that records the calls of a check and their results. */
export class RecordedTarget extends Target {
  readonly #recording: Recording;
  readonly #course: Course;
  readonly #number: number;
  readonly #account: 'first' | 'second';
  #names: Names | undefined;
  #hasToldSecond = false;

  /** @param number the number of the work in the course. */
  constructor(work: Work, number: number, recording: Recording) {
    super(work);
    this.#recording = recording;
    this.#course = recording.course;
    this.#number = number;
    this.#account = work.ownAccount === work.session.second ? 'second' : 'first';
    work.onAttempt = () => this.#told('attempt', null);
  }

  protected override of(work: Work): RecordedTarget {
    return new RecordedTarget(work, this.#course.work(this.#number), this.#recording);
  }

  protected override ofShared(work: Work): RecordedTarget {
    return new RecordedTarget(work, this.#course.sharedWork(this.#keyOf(work.name)), this.#recording);
  }

  #keyOf(name: string): string {
    return `${this.#account} ${name}`;
  }

  // Without requests

  override get settings(): TargetSettings {
    const settings = super.settings;
    this.#told('settings', [settings.mostTags, settings.sharedTags]);
    return settings;
  }

  override get second(): RecordedTarget {
    const second = super.second as RecordedTarget;
    if (!this.#hasToldSecond) this.#told('second', second.#number);
    this.#hasToldSecond = true;
    return second;
  }

  override get names(): Names {
    this.#names ??= new Proxy(super.names, {
      get: (names, property) => {
        const made: unknown = Reflect.get(names, property, names);
        if (typeof made !== 'function') return made;
        return (...parts: unknown[]): unknown => {
          const name: unknown = Reflect.apply(made, names, parts);
          this.#told(`name ${String(property)}`, name);
          return name;
        };
      },
    });
    return this.#names;
  }

  protected override known<T>(what: string, look: () => T): T {
    const value = super.known(what, look);
    this.#told(what, value);
    return value;
  }

  override signs(sign: Sign): readonly Finding[] {
    const seen = super.signs(sign);
    this.#told(
      `signs ${sign}`,
      seen.map(({ exchanges }) => numbersOf(exchanges)),
    );
    return seen;
  }

  // Requests

  override login(...parts: Parts<'login'>): Promise<Exchange> {
    return this.#exchange('login', () => super.login(...parts));
  }

  override sendLogin(...parts: Parts<'sendLogin'>): Promise<Exchange> {
    return this.#exchange('send login', () => super.sendLogin(...parts));
  }

  override token(...parts: Parts<'token'>): Promise<Secret> {
    return this.#noted(
      'token',
      () => super.token(...parts),
      (token) => ({ value: [this.#recording.standIn(token), token.label] }),
    );
  }

  override create(...parts: Parts<'create'>): Promise<Exchange> {
    return this.#exchange('create', () => super.create(...parts));
  }

  override rename(...parts: Parts<'rename'>): Promise<Exchange> {
    return this.#exchange('rename', () => super.rename(...parts));
  }

  override delete(...parts: Parts<'delete'>): Promise<Exchange> {
    return this.#exchange('delete', () => super.delete(...parts));
  }

  override list(...parts: Parts<'list'>): Promise<Exchange> {
    return this.#exchange('list', () => super.list(...parts));
  }

  // Several requests

  override lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    return this.#noted('look up', () => super.lookUp(tagId, ...names), ofExchanges);
  }

  protected override listed(name: string, create: Exchange, whole?: Promise<Exchange>): Promise<ListedTag> {
    return this.#noted('listed', () => super.listed(name, create, whole), ofExchanges);
  }

  override until<T extends { readonly exchanges: readonly Exchange[] }>(
    look: () => Promise<T>,
    isGood: (seen: T) => boolean,
    options?: UntilOptions,
  ): Promise<Settled<T>> {
    return this.#noted('until', (asked) => {
      const noted = (): Promise<T> => {
        this.#told('look', asked);
        return look();
      };
      return super.until(noted, isGood, options);
    });
  }

  override removeTags(): Promise<void> {
    return this.#noted('remove tags', () => super.removeTags());
  }

  // Coordination with other checks

  override shared<T>(
    name: string,
    tags: number,
    work: (target: Target) => Promise<T>,
    options?: SharedOptions,
  ): Promise<T> {
    const done = (): Promise<T> => super.shared(name, tags, work, options);
    return this.#ended('shared', done, (error) => ({
      value: [this.#course.sharedOf(this.#keyOf(name), this.#number) ?? null, name],
      ...this.#course.undecided(error),
    }));
  }

  override part<T>(tags: number, ask: (part: Target) => Promise<T>, options?: PartOptions): Promise<T> {
    let number: number | null = null;
    const noted = (part: Target): Promise<T> => {
      number = (part as RecordedTarget).#number;
      return ask(part);
    };
    return this.#ended(
      'part',
      () => super.part(tags, noted, options),
      () => ({ value: number }),
    );
  }

  override run<T>(how: Manner, ask: () => Promise<T>): Promise<T> {
    return this.#noted(how, (asked) => {
      const entered = (): Promise<T> => {
        this.#told('enter', asked);
        return ask();
      };
      return super.run(how, entered);
    });
  }

  // Recording

  #told(what: string, value: unknown): void {
    this.#course.told(this.#number, what, value);
  }

  #exchange(what: string, ask: () => Promise<Exchange>): Promise<Exchange> {
    return this.#noted(what, ask, ({ number }) => ({ exchanges: [number] }));
  }

  async #noted<T>(
    what: string,
    ask: (asked: number) => Promise<T>,
    came: (value: T) => Came = () => ({}),
  ): Promise<T> {
    const asked = this.#course.ask();
    try {
      const value = await ask(asked);
      this.#course.came(asked, this.#number, what, came(value));
      return value;
    } catch (error) {
      this.#course.failed(asked, this.#number, what, error);
      throw error;
    }
  }

  /** Records what came of a call, whether it returned or threw. */
  async #ended<T>(what: string, ask: () => Promise<T>, came: (error?: unknown) => Came): Promise<T> {
    const asked = this.#course.ask();
    try {
      const result = await ask();
      this.#course.came(asked, this.#number, what, came());
      return result;
    } catch (error) {
      this.#course.came(asked, this.#number, what, came(error));
      throw error;
    }
  }
}

const ofExchanges = ({ exchanges }: { readonly exchanges: readonly Exchange[] }): Came => ({
  exchanges: numbersOf(exchanges),
});
