import { describe, expect, test } from 'vitest';
import { forge, FORMS } from './forgeries.ts';

describe('an opaque token in another letter case', () => {
  const [inOtherCase] = FORMS.filter(({ label }) => label === 'SIGNATURE_IN_OTHER_CASE');
  const forged = async (token: string): Promise<string | undefined> =>
    inOtherCase === undefined ? 'none' : (await forge(inOtherCase, token))?.token;

  test.each([
    [
      'base64 that has a separator every few characters',
      'aBcDeF-gHiJk_LmNoP-qRsTu',
      'AbCdEf-GhIjK_lMnOp-QrStU',
    ],
    ['letters and digits', 'aBcDeF0123456789', 'AbCdEf0123456789'],
  ])('is another token: %s', async (_, token, other) => {
    expect(await forged(token)).toBe(other);
  });

  test.each([
    ['hexadecimal', '0123456789abcdef0123456789abcdef'],
    ['hexadecimal behind a word', 'AccessToken_0123456789abcdef0123456789abcdef'],
    ['base32', 'MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK'],
  ])('may be the same token: %s', async (_, token) => {
    expect(await forged(token)).toBeUndefined();
  });
});
