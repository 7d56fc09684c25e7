import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from './cases.ts';
import { NAMES, NEVER, TAGS, tell, without, type Step } from './steps.ts';

/** Whether every step names a tag that an earlier one has created, and no more are there than may be. */
function isSound(steps: readonly Step[]): boolean {
  const there = new Set<number>();
  let made = 0;
  return steps.every((step) => {
    if (step.do === 'create') there.add(made++);
    if ('name' in step && (step.name < 0 || step.name >= NAMES)) return false;
    if ('tag' in step && step.tag !== NEVER && step.tag >= made) return false;
    if (step.do === 'delete') there.delete(step.tag);
    return there.size <= TAGS;
  });
}

describe('cases', () => {
  test('are sound, and as long as they are to be', () => {
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

  test('hold what faults of state are made of, few as they are', () => {
    const sampled = fc.sample(cases(12), { seed: 1, numRuns: 20 }).map(tell);
    const withPattern = (pattern: RegExp): number => sampled.filter((told) => pattern.test(told)).length;
    expect(withPattern(/rename tag (\d) (.*\n)+.*rename tag \1 (.*\n)+.*rename tag \1 /)).toBeGreaterThan(8);
    expect(withPattern(/delete tag (\d)\n(.*\n)*\d+\. create/)).toBeGreaterThan(10);
    expect(withPattern(/delete tag (\d)\n\d+\. (delete|rename) tag \1/)).toBeGreaterThan(2);
    expect(withPattern(/never was/)).toBeGreaterThan(2);
  });

  test('shrink to sound ones, down to the few steps that matter', () => {
    const isFaulty = (steps: readonly Step[]): boolean =>
      /rename tag \d.*\n(.*\n)*.*delete tag/.test(tell(steps));
    const { counterexample } = fc.check(
      fc.property(cases(12), (steps) => {
        expect(isSound(steps)).toBe(true);
        return !isFaulty(steps);
      }),
      { seed: 1 },
    );
    expect(tell(counterexample?.[0] ?? [])).toBe('1. create A\n2. rename tag 1 to B\n3. delete tag 1');
  });
});

describe('without some of its steps a case', () => {
  const steps: readonly Step[] = [
    { do: 'create', name: 0 },
    { do: 'create', name: 1 },
    { do: 'rename', tag: 1, name: 2 },
    { do: 'delete', tag: 0 },
    { do: 'delete', tag: NEVER },
  ];

  test('lacks also what was done with a tag that is no longer created', () => {
    expect(tell(without(steps, 0, 1))).toBe(
      '1. create A\n2. rename tag 1 to B\n3. delete a tag that never was',
    );
  });

  test('counts its names anew', () => {
    expect(tell(without(steps, 2, 1))).toBe(
      '1. create A\n2. create B\n3. delete tag 1\n4. delete a tag that never was',
    );
  });
});
