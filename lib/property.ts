import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { allOf, outcomeOf, undecided, type Outcome } from './outcome.ts';
import type { Requirement } from './requirement.ts';
import type { Target } from './run/target.ts';

/** What a requirement of many cases consists of: what generates them, and what is asked of each. */
interface Property<T> {
  /** Generates the cases. Where they depend on the target, it asks here what it needs to know. */
  readonly cases: (target: Target) => fc.Arbitrary<T> | Promise<fc.Arbitrary<T>>;
  /** Cases that are asked before all generated ones, in this order. */
  readonly examples?: (target: Target) => readonly T[] | Promise<readonly T[]>;
  /** How many cases are generated beside the examples, by effort. */
  readonly runs: { readonly standard: number; readonly thorough: number };
  /** How many cases are under way at once. */
  readonly lanes?: number;
  /** The most tags that one case has at once. */
  readonly tagsEach: number;
  /** Asks one case of the target. */
  readonly ask: (target: Target, one: T) => Promise<Outcome>;
  /** One case in words. */
  readonly tell: (one: T) => string;
  /** A shell script that sends the case, where the exchanges of the finding do not show all of it. */
  readonly script?: (one: T) => string;
}

type Sentence<R> = R extends unknown
  ? Omit<R, 'check' | 'tags' | 'watch' | 'sign' | 'when' | 'isGenerated'> & {
      /** `logins` where the cases are logins that may fail, `perilous` where they may break a target; by default `generated`. */
      readonly when?: 'names' | 'logins' | 'perilous';
    }
  : never;

/** The most smaller cases that are tried for one failing case, and for all failing cases of a run. */
const MOST_SHRINKS = { quick: 0, standard: 15, thorough: 200 } as const;
const MOST_SHRINKS_OF_RUN = { quick: 0, standard: 15, thorough: 1_000 } as const;

/**
 * Makes a requirement of a property. Its cases follow from the seed of the run. The first that fails is shrunk, and
 * reported with the path that leads to it.
 */
export function property<T>(
  parts: Sentence<Exclude<Requirement, { level: 'open' }>> & Property<T>,
): Requirement {
  const { cases, examples, runs, lanes = 1, tagsEach, ask, tell, script, ...sentence } = parts;
  return {
    effort: 'standard',
    when: 'generated',
    ...sentence,
    isGenerated: true,
    tags: lanes * tagsEach,
    check: async (target) => {
      const { path, effort, seed } = target.settings;
      const arbitrary = await cases(target);
      const first = (await examples?.(target)) ?? [];
      const parameters = {
        seed: seedOf(`${seed}\n${sentence.id}`),
        examples: first.map((one): [T] => [one]),
      };
      const outcomeOfCase = (one: T, isBrief?: true): Promise<Outcome> =>
        outcomeOf(() =>
          target.part(tagsEach, (part) => ask(part, one), isBrief === undefined ? {} : { isBrief }),
        );
      const search = new Search<T>(target, arbitrary, parameters, outcomeOfCase, { tell, script });
      if (path !== undefined) return search.replay(path);
      const generated = effort === 'thorough' ? runs.thorough : runs.standard;
      const values = fc.sample(arbitrary, {
        ...parameters,
        examples: [...first],
        numRuns: first.length + generated,
      });
      const outcomes = await inLanes(values, lanes, (one) => outcomeOfCase(one));
      const failed = outcomes.findIndex((outcome) => outcome?.kind === 'broken');
      if (failed < 0) return ofMost(outcomes.filter((outcome) => outcome !== undefined));
      // Failed logins are limited, and other checks need them: smaller cases may use the logins of cases that were left out.
      const unasked = outcomes.filter((outcome) => outcome === undefined).length;
      const most = sentence.when === 'logins' ? unasked : MOST_SHRINKS[effort];
      return search.shrink(String(failed), outcomes[failed], most);
    },
  };
}

/** Finds cases by their paths, and smaller ones that fail as well. */
class Search<T> {
  readonly #target: Target;
  readonly #arbitrary: fc.Arbitrary<T>;
  readonly #parameters: { readonly seed: number; readonly examples: [T][] };
  readonly #ask: (one: T, isBrief?: true) => Promise<Outcome>;
  readonly #words: Pick<Property<T>, 'tell'> & { readonly script: Property<T>['script'] | undefined };

  constructor(
    target: Target,
    arbitrary: fc.Arbitrary<T>,
    parameters: { readonly seed: number; readonly examples: [T][] },
    ask: (one: T, isBrief?: true) => Promise<Outcome>,
    words: Pick<Property<T>, 'tell'> & { readonly script: Property<T>['script'] | undefined },
  ) {
    this.#target = target;
    this.#arbitrary = arbitrary;
    this.#parameters = parameters;
    this.#ask = ask;
    this.#words = words;
  }

  /** Asks just the case that a path leads to. */
  async replay(path: string): Promise<Outcome> {
    try {
      return await this.shrink(path, undefined, 0);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('Unable to replay')) return this.#nowhere(path);
      throw error;
    }
  }

  /**
   * Asks the case that a path leads to, and then smaller ones.
   *
   * @param known the outcome of that case, where it was asked already.
   * @param most how many smaller cases are asked.
   */
  async shrink(path: string, known: Outcome | undefined, most: number): Promise<Outcome> {
    let left = most;
    const { effort } = this.#target.settings;
    const ofRun = await this.#target.shared('smaller cases', 0, () =>
      Promise.resolve({ left: MOST_SHRINKS_OF_RUN[effort] }),
    );
    let smallest: { outcome: Outcome; one: T } | undefined;
    const details = await fc.check(
      fc.asyncProperty(this.#arbitrary, async (one) => {
        const isFirst = smallest === undefined;
        if (!isFirst && (left-- <= 0 || ofRun.left-- <= 0)) return true;
        const outcome = isFirst ? (known ?? (await this.#ask(one))) : await this.#ask(one, true);
        if (isFirst || outcome.kind === 'broken') smallest = { outcome, one };
        return outcome.kind !== 'broken';
      }),
      { ...this.#parameters, path, numRuns: 1, endOnFailure: most === 0 },
    );
    if (smallest === undefined) return this.#nowhere(path);
    return this.#withCase(smallest.outcome, smallest.one, details.counterexamplePath ?? path);
  }

  #nowhere(path: string): Outcome {
    return undecided('tester', `no case is found under the path ${path}`);
  }

  #withCase(outcome: Outcome, one: T, path: string): Outcome {
    if (outcome.kind !== 'broken') return outcome;
    const { tell, script } = this.#words;
    // If requests overlap, the check itself describes the case and its result.
    const told = outcome.example?.told ?? tell(one);
    return { ...outcome, example: { told, path, ...(script === undefined ? {} : { script: script(one) }) } };
  }
}

/** The outcome of all cases. Those that the budget left unasked do not count, as long as they are not the larger part. */
function ofMost(outcomes: readonly Outcome[]): Outcome {
  const asked = outcomes.filter((outcome) => outcome.kind !== 'undecided' || outcome.because !== 'budget');
  return allOf(...(asked.length * 2 >= outcomes.length ? asked : outcomes));
}

/** Asks in several lanes until one case fails. Cases under way then are still awaited. */
async function inLanes<T>(
  values: readonly T[],
  lanes: number,
  ask: (one: T) => Promise<Outcome>,
): Promise<readonly (Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = values.map(() => undefined);
  let next = 0;
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < values.length && !hasFailed; at = next++) {
      const outcome = await ask(values[at] as T);
      outcomes[at] = outcome;
      if (outcome.kind === 'broken') hasFailed = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, values.length) }, lane));
  return outcomes;
}

/**
 * Values that the seed of the run draws, the same ones in every run with this seed.
 *
 * @param id what they are drawn for: what another id draws is independent of it.
 */
export const drawn = <T>({ settings }: Target, id: string, values: fc.Arbitrary<T>, count = 1): T[] =>
  fc.sample(values, { seed: seedOf(`${settings.seed}\n${id}`), numRuns: count });

/** A seed for fast-check, which takes 32-bit integers. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readInt32BE(0);
