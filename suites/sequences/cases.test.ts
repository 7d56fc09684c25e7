import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases, casesWithAllPatterns } from './cases.ts';
import { describeSteps, MOST_TAGS, NAME_COUNT, NEVER_MADE, withoutSteps, type Step } from './steps.ts';

/** Whether each step uses a tag that an earlier step created, and there are never too many tags. */
function isSound(steps: readonly Step[]): boolean {
  const existing = new Set<number>();
  let made = 0;
  return steps.every((step) => {
    if (step.do === 'create') existing.add(made++);
    if ('name' in step && (step.name < 0 || step.name >= NAME_COUNT)) return false;
    if ('tag' in step && step.tag !== NEVER_MADE && step.tag >= made) return false;
    if (step.do === 'delete') existing.delete(step.tag);
    return existing.size <= MOST_TAGS;
  });
}

describe('generated cases', () => {
  test('are sound and have the right length', () => {
    fc.assert(
      fc.property(cases(12), (steps) => {
        expect(isSound(steps)).toBe(true);
        expect(steps.length).toBeGreaterThanOrEqual(12);
        expect(steps.length).toBeLessThanOrEqual(18);
      }),
    );
  });

  test('are plain values', () => {
    fc.assert(
      fc.property(cases(12), (steps) => {
        expect(JSON.parse(JSON.stringify(steps))).toEqual(steps);
      }),
    );
  });

  test('contain the patterns that faults of state need, in few cases', () => {
    const sampled = fc.sample(cases(12), { seed: 1, numRuns: 200 }).map(describeSteps);
    const withPattern = (pattern: RegExp): number => sampled.filter((text) => pattern.test(text)).length;
    expect(withPattern(/update tag (\d) (.*\n)+.*update tag \1 (.*\n)+.*update tag \1 /)).toBeGreaterThan(80);
    expect(withPattern(/delete tag (\d)\n(.*\n)*\d+\. create/)).toBeGreaterThan(100);
    expect(withPattern(/delete tag (\d)\n\d+\. (delete|rename) tag \1/)).toBeGreaterThan(20);
    expect(withPattern(/never existed/)).toBeGreaterThan(20);
  });

  test('have every pattern among the three that a seed gives', () => {
    const swaps = (steps: readonly Step[]): boolean => {
      const names: number[] = [];
      return steps.some((step, at) => {
        const next = steps[at + 1];
        if (step.do === 'create') names.push(step.name);
        if (step.do !== 'rename' || step.tag === NEVER_MADE) return false;
        const before = names[step.tag];
        names[step.tag] = step.name;
        return (
          next?.do === 'rename' &&
          next.name === before &&
          next.name !== step.name &&
          names[next.tag] === step.name
        );
      });
    };
    const touchesNone = (steps: readonly Step[]): boolean =>
      /never existed|delete tag (\d)\n(?:\d+\. (?:list|filter by .)\n)?\d+\. (?:delete|update) tag \1/.test(
        describeSteps(steps),
      );
    for (let seed = 0; seed < 200; seed++) {
      const three = casesWithAllPatterns(3, 13, seed);
      expect(three.every(isSound)).toBe(true);
      expect(three.some(swaps), `swap, seed ${seed}`).toBe(true);
      expect(three.some(touchesNone), `no tag, seed ${seed}`).toBe(true);
    }
  });

  test('shrink to sound cases, down to the few steps at fault', () => {
    const isFaulty = (steps: readonly Step[]): boolean =>
      /update tag \d.*\n(.*\n)*.*delete tag/.test(describeSteps(steps));
    const { counterexample } = fc.check(
      fc.property(cases(12), (steps) => {
        expect(isSound(steps)).toBe(true);
        return !isFaulty(steps);
      }),
      { seed: 1 },
    );
    expect(describeSteps(counterexample?.[0] ?? [])).toBe(
      '1. create A\n2. update tag 1 to B\n3. delete tag 1',
    );
  });
});

describe('a case without some of its steps', () => {
  const steps: readonly Step[] = [
    { do: 'create', name: 0 },
    { do: 'create', name: 1 },
    { do: 'rename', tag: 1, name: 2 },
    { do: 'delete', tag: 0 },
    { do: 'delete', tag: NEVER_MADE },
  ];

  test('also lacks the steps with a tag that is no longer created', () => {
    expect(describeSteps(withoutSteps(steps, 0, 1))).toBe(
      '1. create A\n2. update tag 1 to B\n3. delete a tag that never existed',
    );
  });

  test('has its names renumbered', () => {
    expect(describeSteps(withoutSteps(steps, 2, 1))).toBe(
      '1. create A\n2. create B\n3. delete tag 1\n4. delete a tag that never existed',
    );
  });
});
