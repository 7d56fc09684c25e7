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

const LONGEST = Array.from({ length: 5 }, () => [4, '!'] as const).flat();

test.each<readonly [what: string, course: readonly (number | '!')[], ms: number]>([
  ['is none as long as nothing is deferred', [50], 0],
  ['doubles with each deferral that comes soon after another', [4, '!', 4, '!', 4, '!'], 80],
  ['stays as it is where deferrals are far apart', [4, '!', 30, '!'], 20],
  ['has a limit', [4, '!', 4, '!', 4, '!', 4, '!', 4, '!', 4, '!', 4, '!'], 250],
  ['is none where the longest one is in vain', [...LONGEST, 22, '!', 22, '!', 22, '!', 4, '!'], 0],
  [
    'is the longest one where deferrals come at once in spite of it',
    [...LONGEST, 4, '!', 4, '!', 4, '!'],
    250,
  ],
  ['falls again after many answers', [4, '!', 4, '!', 200], 25],
])('The interval between requests %s', (_what, course, ms) => {
  expect(after(course)).toBe(ms);
});
