import { describe, expect, test } from 'vitest';
import { lengthsFor } from './lengths.ts';

describe('lengths', () => {
  test('are one more than each usual limit, and only the first and the last of those that are too long', () => {
    expect(lengthsFor(255, false)).toEqual([31, 51, 192, 256, 10_001]);
    expect(lengthsFor(20, false)).toEqual([31, 10_001]);
    expect(lengthsFor(undefined, false)).toEqual([31, 51, 192, 256, 501, 1_001, 10_001]);
  });

  test('include the limits themselves and further ones with the greatest effort', () => {
    expect(lengthsFor(undefined, true)).toEqual(expect.arrayContaining([255, 256, 64, 65]));
    expect(lengthsFor(64, true)).toEqual([20, 21, 30, 31, 32, 33, 40, 41, 50, 51, 64, 65, 10_001]);
  });
});
