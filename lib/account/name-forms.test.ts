import { describe, expect, test } from 'vitest';
import { bearsLettersOf } from './name-forms.ts';

const UUID = '46fff7b0-ead5-4579-a0b0-39d579f3b272';

describe('a mangled name', () => {
  test.each([
    ['letters', 'ctqkzvxwjhpbnd', 'CCTQKZVXWJHPBND!'],
    ['digits', 'n 940271553', '940271553'],
    ['a UUID', UUID, `4${UUID}`],
  ])('is told by %s of the name that was given', (_what, given, shown) => {
    expect(bearsLettersOf(shown, { names: new Set(['x', given]) })).toBe(true);
  });

  test.each([
    ['no random part is left', 'ctqkzvxwjhpbnd', 'ct'],
    ['a UUID is another one', UUID, UUID.replace('46', '64')],
  ])('is not told where %s', (_what, given, shown) => {
    expect(bearsLettersOf(shown, { names: new Set([given]) })).toBe(false);
  });
});
