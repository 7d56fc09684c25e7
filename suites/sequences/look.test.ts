import { expect, test } from 'vitest';
import { isAlike } from './look.ts';

test.each([
  ['cttlglrpbgvbmv', 'ctltdgvbgphmvq', true],
  ['CTTLGLRPBGVBMV', 'ctltdgvbgphmvq', true],
  ['ctzqhjcdnrpdlj', 'ctltdgvbgphmvq', false],
  ['ctmjdnqhvdcgpz', 'ctghmgzhcmqtpd', true],
  ['ctmjdnqhvdcgpz', 'ctghmgzhcmqtpl', false],
  ['groceries', 'ctltdgvbgphmvq', false],
])('a filter by similarity may show %s for %s: %s', (name, filter, expected) => {
  expect(isAlike(name, filter)).toBe(expected);
});
