import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { allOf, outcomeOf, undecided, type Outcome } from './outcome.ts';
import type { Requirement } from './requirement.ts';
import type { Target } from './run/target.ts';

/** A requirement that is checked with many cases: how to generate the cases, and how to check one. */
interface Property<T> {
  /** Generates the cases. It may ask the target what the cases depend on. */
  readonly cases: (target: Target) => fc.Arbitrary<T> | Promise<fc.Arbitrary<T>>;
  /** Cases to check before the generated ones, in this order. */
  readonly examples?: (target: Target) => readonly T[] | Promise<readonly T[]>;
  /** The number of generated cases, by effort. The examples are additional. */
  readonly runs: { readonly standard: number; readonly thorough: number };
  /** How many cases are checked at the same time. */
  readonly lanes?: number;
  /** The most tags that one case has at once. */
  readonly tagsEach: number;
  /**
   * Checks one case.
   *
   * @param at the place of the case, from 0. A smaller case has the place of the one that it was made of.
   */
  readonly ask: (target: Target, one: T, at: number) => Promise<Outcome>;
  /** One case in words. */
  readonly tell: (one: T) => string;
  /** A shell script that sends the case, if the exchanges of the finding do not show all of it. */
  readonly script?: (one: T) => string;
}

type Sentence<R> = R extends unknown
  ? Omit<R, 'check' | 'tags' | 'watch' | 'signs' | 'when' | 'isGenerated'> & {
      /**
       * `logins` if the cases are logins that may fail, `perilous` if they may break a target, `sequences` if they take so many
       * requests that they come last where the budget is short; by default `generated`.
       */
      readonly when?: 'sequences' | 'names' | 'logins' | 'perilous';
    }
  : never;

/** The most smaller cases to try for one failing case, and for all failing cases of a run together. */
const MOST_SHRINKS = { quick: 0, standard: 15, thorough: 200 } as const;
const MOST_SHRINKS_OF_RUN = { quick: 0, standard: 15, thorough: 1_000 } as const;

/**
 * Makes a requirement of a property. The seed of the run determines the cases. The first case that fails is shrunk, and
 * reported with its path.
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
      const outcomeOfCase = (one: T, at: number, isBrief?: true): Promise<Outcome> =>
        outcomeOf(() =>
          target.part(tagsEach, (part) => ask(part, one, at), isBrief === undefined ? {} : { isBrief }),
        );
      const search = new Search<T>(target, arbitrary, parameters, outcomeOfCase, { tell, script });
      if (path !== undefined) return search.replay(path);
      const generated = effort === 'thorough' ? runs.thorough : runs.standard;
      const values = fc.sample(arbitrary, {
        ...parameters,
        examples: [...first],
        numRuns: first.length + generated,
      });
      const outcomes = await inLanes(values, lanes, outcomeOfCase);
      const failed = outcomes.findIndex((outcome) => outcome?.kind === 'broken');
      if (failed < 0) return ofMost(outcomes.filter((outcome) => outcome !== undefined));
      // Failed logins are limited, and other checks need them. Shrinking may only use the logins of cases that were left out.
      const unasked = outcomes.filter((outcome) => outcome === undefined).length;
      const most = sentence.when === 'logins' ? unasked : MOST_SHRINKS[effort];
      return search.shrink(String(failed), outcomes[failed], most);
    },
  };
}

/** Finds a case by its path, and smaller cases that fail as well. */
class Search<T> {
  readonly #target: Target;
  readonly #arbitrary: fc.Arbitrary<T>;
  readonly #parameters: { readonly seed: number; readonly examples: [T][] };
  readonly #ask: (one: T, at: number, isBrief?: true) => Promise<Outcome>;
  readonly #words: Pick<Property<T>, 'tell'> & { readonly script: Property<T>['script'] | undefined };

  constructor(
    target: Target,
    arbitrary: fc.Arbitrary<T>,
    parameters: { readonly seed: number; readonly examples: [T][] },
    ask: (one: T, at: number, isBrief?: true) => Promise<Outcome>,
    words: Pick<Property<T>, 'tell'> & { readonly script: Property<T>['script'] | undefined },
  ) {
    this.#target = target;
    this.#arbitrary = arbitrary;
    this.#parameters = parameters;
    this.#ask = ask;
    this.#words = words;
  }

  /** Checks only the case with this path. */
  async replay(path: string): Promise<Outcome> {
    try {
      return await this.shrink(path, undefined, 0);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('Unable to replay')) return this.#nowhere(path);
      throw error;
    }
  }

  /**
   * Checks the case with this path, and then smaller ones.
   *
   * @param known the outcome of that case, if it was checked already.
   * @param most the most smaller cases to check.
   */
  async shrink(path: string, known: Outcome | undefined, most: number): Promise<Outcome> {
    let left = most;
    const at = Number.parseInt(path, 10) || 0;
    const { effort } = this.#target.settings;
    const ofRun = await this.#target.shared('smaller cases', 0, () =>
      Promise.resolve({ left: MOST_SHRINKS_OF_RUN[effort] }),
    );
    let smallest: { outcome: Outcome; one: T } | undefined;
    let isCutShort = false as boolean;
    const details = await fc.check(
      fc.asyncProperty(this.#arbitrary, async (one) => {
        const isFirst = smallest === undefined;
        if (!isFirst && (left-- <= 0 || ofRun.left-- <= 0)) {
          isCutShort = true;
          return true;
        }
        const outcome = isFirst ? (known ?? (await this.#ask(one, at))) : await this.#ask(one, at, true);
        if (!isFirst && outcome.kind === 'undecided') isCutShort = true;
        if (isFirst || outcome.kind === 'broken') smallest = { outcome, one };
        return outcome.kind !== 'broken';
      }),
      { ...this.#parameters, path, numRuns: 1, endOnFailure: most === 0 },
    );
    if (smallest === undefined) return this.#nowhere(path);
    const outcome = this.#withCase(smallest.outcome, smallest.one, details.counterexamplePath ?? path);
    return isCutShort && outcome.kind === 'broken' && outcome.example !== undefined
      ? { ...outcome, example: { ...outcome.example, isCutShort: true } }
      : outcome;
  }

  #nowhere(path: string): Outcome {
    return undecided('tester', `no case is found under the path ${path}`);
  }

  #withCase(outcome: Outcome, one: T, path: string): Outcome {
    if (outcome.kind !== 'broken') return outcome;
    const { tell, script } = this.#words;
    // If requests overlap, the check has described the case and its result itself.
    const told = outcome.example?.told ?? tell(one);
    return { ...outcome, example: { told, path, ...(script === undefined ? {} : { script: script(one) }) } };
  }
}

/**
 * The outcome of all cases. Those that the budget left out do not count, unless they are the majority. Those that it cut off
 * while they had found no effect so far do count.
 */
function ofMost(outcomes: readonly Outcome[]): Outcome {
  const isLeftOut = (one: Outcome): boolean =>
    one.kind === 'undecided' && one.because === 'budget' && one.exchanges.length === 0;
  const asked = outcomes.filter((outcome) => !isLeftOut(outcome));
  return allOf(...(asked.length * 2 >= outcomes.length ? asked : outcomes));
}

/** Checks cases in several lanes until one fails. It still waits for the cases under way. */
async function inLanes<T>(
  values: readonly T[],
  lanes: number,
  ask: (one: T, at: number) => Promise<Outcome>,
): Promise<readonly (Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = values.map(() => undefined);
  let next = 0;
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < values.length && !hasFailed; at = next++) {
      const outcome = await ask(values[at] as T, at);
      outcomes[at] = outcome;
      if (outcome.kind === 'broken') hasFailed = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, values.length) }, lane));
  return outcomes;
}

/**
 * Random values that are the same in every run with the same seed.
 *
 * @param id what the values are for. Values for different ids are independent.
 */
export const drawn = <T>({ settings }: Target, id: string, values: fc.Arbitrary<T>, count = 1): T[] =>
  fc.sample(values, { seed: seedOf(`${settings.seed}\n${id}`), numRuns: count });

/** A seed for fast-check, which takes 32-bit integers. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readInt32BE(0);
