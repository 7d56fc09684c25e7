import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { untilAnswered } from './engine/asking-again.ts';
import type { Target } from './engine/target.ts';
import { allOf, undecided, Undecided, type Outcome } from './outcome.ts';
import type { Requirement } from './requirement.ts';

/** What a requirement of many cases consists of: what generates them, and what is asked of each. */
export interface Property<T> {
  /** Generates the cases. Where these depend on the target, it asks here for what it needs to know of it. */
  readonly cases: (target: Target) => fc.Arbitrary<T> | Promise<fc.Arbitrary<T>>;
  /** Cases that are asked before all generated ones, in this order. */
  readonly examples?: (target: Target) => readonly T[] | Promise<readonly T[]>;
  /** How many cases are generated, beside the examples, by effort. */
  readonly runs: { readonly standard: number; readonly thorough: number };
  /** How many cases are under way at once. */
  readonly lanes?: number;
  /** The most tags that one case has alive at once. */
  readonly tagsEach: number;
  /** What the target makes of one case. */
  readonly ask: (target: Target, one: T) => Promise<Outcome>;
  /** One case, for people. */
  readonly tell: (one: T) => string;
  /** A shell script that sends the case, where that is more than the requests which the finding shows. */
  readonly script?: (one: T) => string;
}

type Sentence<R> = R extends unknown
  ? Omit<R, 'check' | 'tags' | 'watch' | 'sign' | 'when' | 'isGenerated'> & {
      /** Where its cases are logins that may fail, they are asked with the others of that kind. */
      readonly when?: 'logins';
    }
  : never;

/** How many smaller cases are tried for one that fails. */
const MOST_SHRINKS = { quick: 0, standard: 25, thorough: 200 } as const;

/** And how many for all properties of a run: where many fail they do so for one reason, and the rest of the run waits. */
const MOST_SHRINKS_IN_ALL = { quick: 0, standard: 40, thorough: 1_000 } as const;

/**
 * Makes a requirement of a property. Its cases follow from the seed of the run; the first that fails is shrunk, one
 * smaller case after another, and reported with the path that leads to it.
 */
export function property<T>(
  parts: Sentence<Exclude<Requirement, { level: 'open' }>> & Property<T>,
): Requirement {
  const { cases, examples, runs, lanes = 1, tagsEach, ask, tell, script, ...sentence } = parts;
  const check = async (target: Target): Promise<Outcome> => {
    const arbitrary = await cases(target);
    const first = (await examples?.(target)) ?? [];
    const parameters = {
      seed: seedOf(`${target.settings.seed}\n${sentence.id}`),
      examples: first.map((one): [T] => [one]),
    };
    let asked = 0;
    const outcomeOf = async (one: T): Promise<Outcome> => {
      try {
        return await target.part(`case ${++asked}`, tagsEach, (part) =>
          untilAnswered(part, () => ask(part, one)),
        );
      } catch (error) {
        // To fast-check what throws has failed.
        if (error instanceof Undecided) return error.outcome;
        throw error;
      }
    };
    const withCase = (outcome: Outcome, one: T, path: string): Outcome =>
      outcome.kind === 'broken'
        ? {
            ...outcome,
            // Where what came belongs to the case, as where requests overlap, whoever asked has told both.
            example: {
              told: outcome.example?.told ?? tell(one),
              path,
              ...(script === undefined ? {} : { script: script(one) }),
            },
          }
        : outcome;

    /** Asks the case that a path leads to, and smaller ones until `most` of them were asked. */
    const shrink = async (path: string, known: Outcome | undefined, most: number): Promise<Outcome> => {
      let left = most;
      const all = await target.shared('smaller cases', 0, () =>
        Promise.resolve({ left: MOST_SHRINKS_IN_ALL[target.settings.effort] }),
      );
      let smallest: { outcome: Outcome; one: T } | undefined;
      const details = await fc.check(
        fc.asyncProperty(arbitrary, async (one) => {
          const isFirst = smallest === undefined;
          if (!isFirst && (left-- <= 0 || all.left-- <= 0)) return true;
          const outcome = isFirst && known !== undefined ? known : await outcomeOf(one);
          if (isFirst || outcome.kind === 'broken') smallest = { outcome, one };
          return outcome.kind !== 'broken';
        }),
        { ...parameters, path, numRuns: 1, endOnFailure: most === 0 },
      );
      if (smallest === undefined) return undecided('tester', `no case is found under the path ${path}`);
      return withCase(smallest.outcome, smallest.one, details.counterexamplePath ?? path);
    };

    if (target.settings.path !== undefined) {
      const nowhere = undecided('tester', `no case is found under the path ${target.settings.path}`);
      return shrink(target.settings.path, undefined, 0).catch((error: unknown) => {
        if (error instanceof Error && error.message.startsWith('Unable to replay')) return nowhere;
        throw error;
      });
    }
    const generated = target.settings.effort === 'thorough' ? runs.thorough : runs.standard;
    const values = fc.sample(arbitrary, {
      seed: parameters.seed,
      examples: [...first],
      numRuns: first.length + generated,
    });
    const outcomes = await inLanes(values, lanes, outcomeOf);
    const failed = outcomes.findIndex((outcome) => outcome?.kind === 'broken');
    // Logins that fail are few, and others need theirs: a smaller case takes the place of one that is no longer asked.
    const unasked = outcomes.filter((outcome) => outcome === undefined).length;
    const most = sentence.when === 'logins' ? unasked : MOST_SHRINKS[target.settings.effort];
    if (failed >= 0) return shrink(String(failed), outcomes[failed], most);
    return allOf(...outcomes.filter((outcome) => outcome !== undefined));
  };
  return {
    effort: 'standard',
    when: 'generated',
    ...sentence,
    isGenerated: true,
    tags: lanes * tagsEach,
    check,
  };
}

/** Asks in several lanes, until one fails: those under way are then still awaited. */
async function inLanes<T>(
  values: readonly T[],
  lanes: number,
  outcomeOf: (one: T) => Promise<Outcome>,
): Promise<readonly (Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = values.map(() => undefined);
  let next = 0;
  let isFailed = false;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < values.length && !isFailed; at = next++) {
      const outcome = await outcomeOf(values[at] as T);
      outcomes[at] = outcome;
      if (outcome.kind === 'broken') isFailed = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, values.length) }, lane));
  return outcomes;
}

/** A seed for fast-check, whose seeds are 32-bit integers. */
export const seedOf = (text: string): number => createHash('sha256').update(text).digest().readInt32BE(0);
