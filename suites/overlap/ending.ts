import {
  accepted,
  broken,
  type Exchange,
  ifDecided,
  learn,
  type Listed,
  type Outcome,
  quote,
  type Target,
} from '../../lib/check.ts';
import { mayBePage, shows, tagsIn } from '../listed-tags.ts';
import { unknownTagOnUpdate } from '../open/updates.ts';
import {
  effectOf,
  letterOf,
  observedAtEnd,
  tagModel,
  type TagAction,
  type TimedRequest,
  withTimeline,
  writeOperations,
} from './history.ts';
import { isLinearizable } from './linearizable.ts';

/** A tag that several requests update or delete at the same time. */
export interface WrittenTag {
  readonly tagId: string;
  /** Its first name, then the names that updates give it. */
  readonly names: readonly string[];
}

/** An answered update or delete of a tag. */
export interface WriteRequest extends TimedRequest {
  /** The number of the tag. */
  readonly tag: number;
  readonly action: TagAction;
}

/** Checks that some order of the writes explains the tags that are listed after all of them are answered. */
export const judgeEnding = (
  target: Target,
  tags: ReadonlyMap<number, WrittenTag>,
  writes: readonly WriteRequest[],
): Promise<Outcome> => new Ending(target, tags, writes).judge();

/** What the lists show after all writes are answered. */
interface Look {
  readonly entries: readonly Listed[];
  /** The name of a tag that is listed, but that the filter by this name does not find. */
  readonly unfound: string | undefined;
  readonly exchanges: readonly Exchange[];
}

class Ending {
  readonly #target: Target;
  readonly #tags: ReadonlyMap<number, WrittenTag>;
  readonly #writes: readonly WriteRequest[];

  constructor(target: Target, tags: ReadonlyMap<number, WrittenTag>, writes: readonly WriteRequest[]) {
    this.#target = target;
    this.#tags = tags;
    this.#writes = writes;
  }

  async judge(): Promise<Outcome> {
    const { seen, good } = await this.#target.until(
      () => this.#look(),
      (look) => this.#faultIn(look, false) === undefined,
    );
    const fault = good ? undefined : this.#faultIn(seen, await this.#mayUpdatesMakeTags());
    // The run forgets a tag after an acknowledged delete, so a tag that an update made again must be deleted here.
    for (const { tagId, names } of this.#tags.values())
      if (
        this.#wasDeleted(tagId) &&
        seen.entries.some((tag) => tag.tagId === tagId && names.includes(String(tag.name)))
      )
        await this.#target.delete(tagId, { open: true });
    const finding =
      fault === undefined
        ? undefined
        : broken(fault, ...this.#writes.map(({ exchange }) => exchange), ...seen.exchanges);
    return withTimeline(finding, this.#writes, this.#finalStates(seen));
  }

  #finalStates({ entries }: Look): string[] {
    return [...this.#tags].map(([number, { tagId, names }]) => {
      const entry = entries.find((one) => one.tagId === tagId);
      const at = names.indexOf(String(entry?.name));
      const state = entry === undefined ? 'not listed' : at < 0 ? 'something else' : letterOf(at);
      return `tag ${number + 1} is ${state}`;
    });
  }

  #wasDeleted(tagId: string): boolean {
    return this.#writes.some(
      ({ tag, action, exchange }) =>
        action.do === 'delete' && accepted(exchange) && this.#tags.get(tag)?.tagId === tagId,
    );
  }

  /**
   * Requests the list and, for each tag that it shows with one of its new names, the list filtered by that name. For each tag
   * that it lacks, requests the lists filtered by all its names if the list may be a page.
   */
  async #look(): Promise<Look> {
    const list = await this.#target.list();
    const shown = tagsIn(list);
    const isPage = mayBePage(this.#target, list);
    const sought = [...this.#tags.values()].flatMap(({ tagId, names }) => {
      const entry = shown.find((tag) => tag.tagId === tagId);
      if (entry === undefined) return isPage ? names.map((name) => ({ tagId, name, isShown: false })) : [];
      return names.slice(1).flatMap((name) => (name === entry.name ? { tagId, name, isShown: true } : []));
    });
    const found = await Promise.all(
      sought.map(async (one) => ({ ...one, filtered: await this.#target.list(one.name) })),
    );
    const exchanges = [list, ...found.map(({ filtered }) => filtered)];
    return {
      entries: exchanges.flatMap(tagsIn),
      exchanges,
      unfound: found.find((one) => one.isShown && !shows(one.filtered, one))?.name,
    };
  }

  /** What is wrong with the listed tags, as a sentence; undefined if nothing is wrong. */
  #faultIn({ entries, unfound }: Look, updatesMakeTags: boolean): string | undefined {
    const tags = [...this.#tags.values()];
    const ids = new Set(tags.map(({ tagId }) => tagId));
    const names = new Set(tags.flatMap((one) => one.names));
    const stray = entries.find(
      ({ tagId, name }) =>
        !ids.has(tagId) &&
        names.has(String(name)) &&
        // An update of a deleted tag may make a tag with a new tag_id.
        !(updatesMakeTags && this.#mayBeOfUpdate(String(name))),
    );
    if (stray !== undefined) return `a tag named ${quote(stray.name)} is listed, which was never made`;
    for (const [
      number,
      {
        tagId,
        names: [firstName = ''],
      },
    ] of this.#tags) {
      // The target may have given the tag_id of a deleted tag to a younger one.
      const mayBeYounger = this.#wasDeleted(tagId);
      const [shown, another] = new Set(
        entries
          .filter(
            (one) =>
              one.tagId === tagId && !(mayBeYounger && typeof one.name === 'string' && !names.has(one.name)),
          )
          .map(({ name }) => name),
      );
      if (another !== undefined) return `one tag is listed as ${quote(shown)} and as ${quote(another)}`;
      if (shown !== undefined && typeof shown !== 'string') return `a tag is listed as ${quote(shown)}`;
      const operations = this.#writes
        .filter(({ tag }) => tag === number)
        .flatMap(({ action, exchange }) => writeOperations(action, exchange));
      const ending = observedAtEnd({ do: 'shown', name: shown });
      if (!isLinearizable(tagModel(firstName, updatesMakeTags), [...operations, ending]))
        return `tag ${number + 1} is ${shown === undefined ? 'not listed' : `listed as ${quote(shown)}`} in the end, which no order of the operations explains`;
    }
    return unfound === undefined
      ? undefined
      : `a tag is listed as ${quote(unfound)} in the end, but the filter by that name does not find it`;
  }

  /** Whether an update to this name may have come after a delete of its tag. */
  #mayBeOfUpdate(name: string): boolean {
    return this.#writes.some(
      ({ tag, action, exchange }) =>
        action.do === 'rename' &&
        action.name === name &&
        effectOf(exchange) !== 'not done' &&
        this.#mayHaveHappened(tag, 'delete'),
    );
  }

  #mayHaveHappened(number: number, what: 'rename' | 'delete'): boolean {
    return this.#writes.some(
      ({ tag, action, exchange }) =>
        tag === number && action.do === what && effectOf(exchange) !== 'not done',
    );
  }

  /** Whether an update may have made a deleted tag again; true if that is unknown. */
  async #mayUpdatesMakeTags(): Promise<boolean> {
    const isPossible = [...this.#tags.keys()].some(
      (number) => this.#mayHaveHappened(number, 'rename') && this.#mayHaveHappened(number, 'delete'),
    );
    if (!isPossible) return false;
    const answer = await ifDecided(() => learn(this.#target, unknownTagOnUpdate));
    return answer?.makesTag ?? true;
  }
}
