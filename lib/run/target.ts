import { lookUpBy, type Lookup } from '../account/lookup.ts';
import type { Names } from '../account/names.ts';
import type { Settled, UntilOptions } from '../account/settling.ts';
import type { Sign } from '../account/signs.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import { Undecided, type Finding } from '../outcome.ts';
import { retryIfUnanswered } from './retry.ts';
import { lookWhetherGone, makeListed, mayHaveMade, type ListedTag, type Tag } from './listed.ts';
import { factsOf, type Facts } from './facts.ts';
import { runIn, type Manner } from './manners.ts';
import { Operations } from './operations.ts';
import type { SessionSettings } from './session.ts';
import type { SharedOptions } from './shared-work.ts';
import type { Work, WorkOptions } from './work.ts';

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

/** How a part of a check differs from the rest of it. */
export type PartOptions = Partial<Pick<WorkOptions, 'isBrief' | 'standIns'>>;

/**
 * The target, as a check gets it: the five operations, tags to work with, and ways to look things up. The tags of a check
 * are removed when it ends.
 */
export class Target extends Operations {
  #second: Target | undefined;

  get settings(): TargetSettings {
    const { settings, slots } = this.work.session;
    const { base, allowsHttp, effort, seed, panelToken } = settings;
    const path = this.work.options.path ?? settings.path;
    const tags = { mostTags: slots.mostTags, sharedTags: slots.sharedTags.total };
    return { base, allowsHttp, effort, seed, path, panelToken, ...tags };
  }

  /**
   * The same target for the second account.
   *
   * @throws Undecided if no second account was given.
   */
  get second(): Target {
    const { second } = this.work.session;
    if (second === undefined) throw new Undecided('tester', 'no second account was given');
    this.#second ??= this.of(this.work.part(this.work.allowance, second, { standIns: undefined }));
    return this.#second;
  }

  /** What the run knows by now. */
  get facts(): Facts {
    return factsOf(this.work, (fact, look) => this.known(fact, look));
  }

  /**
   * Returns a fact for a check. The fact takes no request, and can be written as JSON.
   *
   * @param _what the name of the fact in a recorded run.
   */
  protected known<T>(_what: string, look: () => T): T {
    return look();
  }

  /** The target for a part of the check, and for shared work. */
  protected of(work: Work): Target {
    return new Target(work);
  }

  protected ofShared(work: Work): Target {
    return this.of(work);
  }

  // Names

  /** A plain name, different from every other name of the run. */
  name(): string {
    return this.names.plain();
  }

  /** Makes names whose form is under test. */
  get names(): Names {
    return this.work.session.names;
  }

  // Tags, and looking them up

  /**
   * Makes a tag and waits until it is listed.
   *
   * @throws Undecided if no list shows it: setting up is not judging.
   */
  async makeTag(name: string = this.name()): Promise<Tag> {
    return (await this.listed(name, await this.create({ name }))).tag;
  }

  /**
   * Makes tags, with creates at once or in turn, the oldest first, and waits until they are listed. If lists are whole, one
   * list shows them all.
   *
   * @throws Undecided like `makeTag`.
   */
  async makeTags<Names extends readonly string[]>(
    order: 'at once' | 'in turn',
    ...names: Names
  ): Promise<{ readonly [Name in keyof Names]: Tag }> {
    let made: Exchange[] = [];
    if (order === 'at once') made = await Promise.all(names.map((name) => this.create({ name })));
    else
      for (const name of names) {
        made.push(await this.create({ name }));
        if (!made.every(mayHaveMade)) break;
      }
    const whole = made.every(accepted) ? this.wholeList() : undefined;
    // The callers that await it handle a rejection.
    whole?.catch(() => undefined);
    const listed = await Promise.all(made.map((create, at) => this.listed(names[at] ?? '', create, whole)));
    return listed.map(({ tag }) => tag) as { readonly [Name in keyof Names]: Tag };
  }

  /** The unfiltered list, if it shows all tags, and few of strangers. */
  protected wholeList(): Promise<Exchange> | undefined {
    const { session, account } = this.work;
    return session.hasShortLists ? session.settling.usualLag().then(() => account.list()) : undefined;
  }

  /**
   * Waits until the tag of a create is listed.
   *
   * @param whole an unfiltered list, requested after the create.
   */
  protected async listed(name: string, create: Exchange, whole?: Promise<Exchange>): Promise<ListedTag> {
    return makeListed(this.work, name, create, whole);
  }

  /** Looks a tag up once, by its tag_id and by names. */
  async lookUp(tagId: string | undefined, ...names: readonly string[]): Promise<Lookup> {
    const { account } = this.work;
    return lookUpBy((query) => account.list(query, this.work.withStandIn('list')), tagId, names);
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
    const { session, options: own } = this.work;
    return session.settling.until(look, isGood, { isBrief: own.isBrief, ...options });
  }

  /** Waits until lists show the tag_id with this name. */
  async untilListed(tagId: string, name: string, ...former: readonly string[]): Promise<Settled<Lookup>> {
    const settled = await this.until(
      () => this.lookUp(tagId, name),
      ({ entries }) => entries.some((entry) => entry.tagId === tagId && entry.name === name),
    );
    // If it is not listed, the lists filtered by its former names may show why.
    return settled.good || former.length === 0
      ? settled
      : { seen: await this.lookUp(tagId, name, ...former), good: false };
  }

  /** Waits until neither the unfiltered list nor the one filtered by its name shows the tag. */
  async untilGone(tag: Tag): Promise<Settled<Lookup>> {
    const names = new Set(this.known('names of', () => this.#namesOf(tag)));
    const lists = (): Promise<readonly Exchange[]> => Promise.all([this.list(), this.list(tag.name)]);
    const look = (): Promise<Lookup> => lookWhetherGone(tag, names, lists);
    const isGone = ({ entries }: Lookup): boolean => entries.length === 0;
    const settled = await this.until(look, isGone, { kind: 'gone' });
    if (!settled.good) this.outlives(tag);
    return settled;
  }

  /** All names that a tag of the run has had. */
  #namesOf({ name }: Tag): readonly string[] {
    return [name, ...(this.work.account.tags.named(name)?.names ?? [])];
  }

  /** Records that a tag is still listed after its delete. */
  protected outlives({ tagId }: Tag): void {
    this.work.account.tags.outlives(tagId);
  }

  /**
   * Tells the run a fact, unless it knows it already.
   *
   * @param fact.pageSize an unfiltered list is a page of this many tags.
   * @param fact.wholeLength an unfiltered list of this many tags showed all tags of the account.
   * @param fact.keeper a tag of the first account that stays unchanged until the end of the run. Other checks may list it.
   * @param fact.leftBehind the name of tags that refused creates left, and that other users may have, too.
   */
  note({
    pageSize,
    wholeLength,
    keeper,
    leftBehind,
  }: {
    readonly pageSize?: number;
    readonly wholeLength?: number;
    readonly keeper?: Tag;
    readonly leftBehind?: string;
  }): void {
    const { session, account } = this.work;
    if (leftBehind !== undefined) account.leftBehind.add(leftBehind);
    if (pageSize !== undefined && session.pageSize === undefined) session.settling.notePage(pageSize);
    session.settling.wholeLength = Math.max(session.settling.wholeLength, wholeLength ?? 0);
    session.keeper ??= keeper;
  }

  /** Removes the tags that the check has made so far. */
  async removeTags(): Promise<void> {
    return this.work.removeTags();
  }

  // Work together with other checks

  /**
   * Does work that several checks need. The first of them does it, once in a run for each account.
   *
   * @param name identifies the work.
   * @param tags the most tags that the work has at once.
   */
  async shared<T>(
    name: string,
    tags: number,
    work: (target: Target) => Promise<T>,
    options: SharedOptions = {},
  ): Promise<T> {
    return this.work.shared(name, tags, (shared) => work(this.ofShared(shared)), options);
  }

  /**
   * Runs a part of the check, and removes its tags when it ends.
   *
   * @param tags the most tags that the part has at once.
   * @param options.isBrief whether it repeats a finding with a smaller case: then it waits less for effects.
   * @param options.standIns tokens of the account in place of the run's own.
   */
  async part<T>(tags: number, ask: (part: Target) => Promise<T>, options: PartOptions = {}): Promise<T> {
    const part = this.work.part(tags, undefined, options);
    const target = this.of(part);
    try {
      return await retryIfUnanswered(part, () => ask(target));
    } finally {
      await this.work.endPart(part);
    }
  }

  /** The signs that the run has recorded so far, for both accounts. */
  signs(sign: Sign): readonly Finding[] {
    return this.work.session.signs.of(sign);
  }

  /** Runs `ask` in a special way. */
  async run<T>(how: Manner, ask: () => Promise<T>): Promise<T> {
    return runIn(how, this.work, ask);
  }
}
