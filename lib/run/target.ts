import type { Lookup } from '../account/lookup.ts';
import type { Names } from '../account/names.ts';
import type { Settled, UntilOptions } from '../account/settling.ts';
import type { Sign } from '../account/signs.ts';
import { reaches, type Effort } from '../effort.ts';
import { accepted, type Exchange } from '../http/exchange.ts';
import { Undecided, type Finding } from '../outcome.ts';
import { retryIfUnanswered } from './retry.ts';
import { lookWhetherGone, makeListed, mayHaveMade, type ListedTag, type Tag } from './listed.ts';
import { factsOf, type Facts } from './facts.ts';
import { Operations } from './operations.ts';
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

  /** Whether the effort of the run is at least this one. */
  reaches(effort: Effort): boolean {
    return reaches(this.settings.effort, effort);
  }

  /**
   * The same target for the second account.
   *
   * @throws Undecided if no second account was given.
   */
  get second(): Target {
    const { second } = this.work.session;
    if (second === undefined) throw new Undecided('tester', 'no second account was given');
    this.#second ??= this.of(this.work.part(this.work.allowance, second));
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
   * Makes two tags at once and waits until they are listed. If lists are whole, one list shows both.
   *
   * @throws Undecided like `makeTag`.
   */
  async makeTwoTags(): Promise<readonly [Tag, Tag]> {
    const [one, other] = [this.name(), this.name()];
    const creates = await Promise.all([this.create({ name: one }), this.create({ name: other })]);
    const listed = await this.allListed([
      [one, creates[0]],
      [other, creates[1]],
    ]);
    return listed as [Tag, Tag];
  }

  /**
   * Makes tags one after another, the oldest first, and waits until they are listed. If lists are whole, one list shows
   * them all.
   *
   * @throws Undecided like `makeTag`.
   */
  async makeTagsInTurn<Names extends readonly string[]>(
    ...names: Names
  ): Promise<{ readonly [Name in keyof Names]: Tag }> {
    const made: [string, Exchange][] = [];
    for (const name of names) {
      const create = await this.create({ name });
      made.push([name, create]);
      if (!mayHaveMade(create)) break;
    }
    return (await this.allListed(made)) as { readonly [Name in keyof Names]: Tag };
  }

  protected async allListed(made: readonly (readonly [string, Exchange])[]): Promise<readonly Tag[]> {
    const whole = made.every(([, create]) => accepted(create)) ? this.wholeList() : undefined;
    // The callers that await it handle a rejection.
    whole?.catch(() => undefined);
    const listed = await Promise.all(made.map(([name, create]) => this.listed(name, create, whole)));
    return listed.map(({ tag }) => tag);
  }

  /** The unfiltered list, if it shows all tags, and few of strangers. */
  protected wholeList(): Promise<Exchange> | undefined {
    return this.work.session.hasShortLists ? this.work.account.list() : undefined;
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
    return this.work.account.lookUp(tagId, ...names);
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

  /** Records that an unfiltered list is a page of this many tags. */
  notePage(size: number): void {
    const { settling } = this.work.session;
    if (settling.pageSize === undefined) settling.notePage(size);
  }

  /** Records a tag of the first account that stays unchanged until the end of the run. Other checks may list it. */
  noteKeeper(tag: Tag): void {
    this.work.session.keeper ??= tag;
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
   */
  async part<T>(
    tags: number,
    ask: (part: Target) => Promise<T>,
    { isBrief }: { readonly isBrief?: boolean } = {},
  ): Promise<T> {
    const part = this.work.part(tags, undefined, isBrief);
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

  /** Resolves when every other check has ended. */
  get othersDone(): Promise<void> {
    return this.work.session.othersDone;
  }

  /** Runs `ask` while the run creates no tags, so that a target that reuses tag_ids gives none of them to a new tag. */
  async withoutCreates<T>(ask: () => Promise<T>): Promise<T> {
    return this.work.withoutCreates(ask);
  }

  /** Runs `ask` whose first requests start at the same time. */
  async simultaneously<T>(ask: () => Promise<T>): Promise<T> {
    return this.work.session.client.pace.simultaneously(ask);
  }

  /** Runs `ask` while no other check does the same, and removes its tags. */
  async exclusively<T>(ask: () => Promise<T>): Promise<T> {
    return this.work.exclusively(ask);
  }
}
