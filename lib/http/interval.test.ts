import { expect, test } from 'vitest';
import { Interval } from './interval.ts';

/** The interval after requests that are answered, and deferred (`!`) in between. */
function after(course: readonly (number | '!')[]): number {
  const interval = new Interval();
  for (const one of course) {
    if (one === '!') interval.deferred();
    else for (let at = 0; at < one; at++) interval.answered();
  }
  return interval.ms;
}

test.each([
  ['is none as long as nothing is deferred', [50], 0],
  ['doubles with each deferral that comes soon after another', [4, '!', 4, '!', 4, '!'], 80],
  ['stays as it is where deferrals are far apart', [4, '!', 30, '!'], 20],
  ['has a limit', [4, '!', 4, '!', 4, '!', 4, '!', 4, '!', 4, '!', 4, '!'], 250],
  ['falls again after many answers', [4, '!', 4, '!', 200], 25],
] as const)('The interval between requests %s', (_what, course, ms) => {
  expect(after(course)).toBe(ms);
});
