import fc from 'fast-check';
import { Draft, type Pattern, PATTERNS } from './patterns.ts';
import { withNamesInOrder, withoutSteps, type Step } from './steps.ts';

/** Generates what determines a case: an order of all patterns, and numbers for the choices within them. */
const draws = fc.record({
  patterns: fc.shuffledSubarray([...PATTERNS], { minLength: PATTERNS.length }),
  picks: fc.infiniteStream(fc.nat()),
});

interface Drafted {
  readonly steps: readonly Step[];
  /** The patterns that the case contains. */
  readonly taken: readonly Pattern[];
}

/** Builds a case from the patterns, in their order, until it has at least `length` steps. */
function drafted(patterns: readonly Pattern[], picks: Iterator<number>, length: number): Drafted {
  const draft = new Draft((count) => Number(picks.next().value) % count);
  const taken: Pattern[] = [];
  for (const pattern of patterns) {
    pattern(draft);
    taken.push(pattern);
    if (draft.steps.length >= length) break;
    draft.look();
  }
  return { steps: withNamesInOrder(draft.steps), taken };
}

const drafts = (length: number): fc.Arbitrary<readonly Step[]> =>
  draws.map(({ patterns, picks }) => drafted(patterns, picks, length).steps);

/**
 * Cases that together contain all patterns: each case first takes the patterns that no earlier case contains. Three
 * such cases are enough for all patterns, while independent cases sometimes miss one.
 */
export function casesWithAllPatterns(
  count: number,
  length: number,
  seed: number,
): readonly (readonly Step[])[] {
  const used = new Set<Pattern>();
  return fc.sample(draws, { seed, numRuns: count }).map(({ patterns, picks }) => {
    const inOrder = [...patterns.filter((one) => !used.has(one)), ...patterns.filter((one) => used.has(one))];
    const { steps, taken } = drafted(inOrder, picks, length);
    for (const one of taken) used.add(one);
    return steps;
  });
}

/** The arbitrary of `cases`. */
class Cases extends fc.Arbitrary<readonly Step[]> {
  readonly #drafts: fc.Arbitrary<readonly Step[]>;

  constructor(length: number) {
    super();
    this.#drafts = drafts(length);
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Step[]> {
    return new fc.Value(this.#drafts.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is readonly Step[] {
    return Array.isArray(value);
  }

  shrink(steps: readonly Step[]): fc.Stream<fc.Value<readonly Step[]>> {
    return fc.stream(smaller(steps)).map((one) => new fc.Value(one, undefined));
  }
}

/**
 * The smaller cases to try when a case fails: first the case without its lists, because every case ends with lists
 * anyway; then the case without its second half, its first half, its quarters and so on, down to single steps.
 */
function* smaller(steps: readonly Step[]): IterableIterator<readonly Step[]> {
  const writes = steps.filter((step) => step.do !== 'list' && step.do !== 'filter');
  if (writes.length < steps.length && writes.length > 0) yield withNamesInOrder(writes);
  for (let count = Math.ceil(steps.length / 2); count >= 1; count = count === 1 ? 0 : Math.ceil(count / 2))
    for (let end = steps.length; end > 0; end -= count) {
      const start = Math.max(0, end - count);
      const left = withoutSteps(steps, start, end - start);
      if (left.length > 0) yield left;
    }
}

/** Generates cases of at least `length` steps, and shrinks them by leaving out steps. */
export const cases = (length: number): fc.Arbitrary<readonly Step[]> => new Cases(length);
