import { expect, test } from 'vitest';
import { numbersIn, rangesOf } from './ranges.ts';

test.each([
  [[], ''],
  [[3], '3'],
  [[9, 7, 8, 3], '3 7-9'],
  [[1, 2, 4, 5], '1-2 4-5'],
])('%j is written %j, and read again', (numbers, text) => {
  expect(rangesOf(numbers)).toBe(text);
  expect(numbersIn(text)).toEqual(numbers.toSorted((one, other) => one - other));
});
