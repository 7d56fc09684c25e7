import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ALTERED, alteredAt, FOREIGN, namingAccountOf, placesIn } from './bearers.ts';

let drawn = 0;

/**
 * Different bytes at each call, but the same in every run of the tests, because a few random tokens have hardly a place
 * to alter.
 */
const someBytes = (count: number): Buffer =>
  createHash('shake256', { outputLength: count }).update(String(drawn++)).digest();

const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const part = (bytes: number): string => someBytes(bytes).toString('base64url');
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  const text = digits.map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
};

const fromBase32 = (text: string): string => {
  const bits = [...text.replace(/=+$/, '')]
    .map((char) => BASE32.indexOf(char).toString(2).padStart(5, '0'))
    .join('');
  return (bits.match(/.{8}/g) ?? []).join();
};

/** The bytes of each part of the token, as a lenient decoder reads them. */
const decoded = (token: string): string =>
  token
    .split(/[.|:]|--(?=[\da-f]{40}$)/)
    .map((one) => Buffer.from(one, 'base64').toString('hex'))
    .join('.');

const wrapped = (): string =>
  Buffer.from(
    JSON.stringify({
      iv: someBytes(16).toString('base64'),
      value: someBytes(40).toString('base64'),
      mac: someBytes(32).toString('hex'),
      tag: '',
    }),
  ).toString('base64');

/** The decoded values of wrapped JSON. A service may ignore everything around them. */
const unwrapped = (token: string): string => {
  const { iv, value, mac } = JSON.parse(Buffer.from(token, 'base64').toString()) as Record<string, string>;
  return [
    Buffer.from(iv ?? '', 'base64').toString('hex'),
    Buffer.from(value ?? '', 'base64').toString('hex'),
    mac,
  ].join();
};

type Form = readonly [form: string, make: () => string, read: (token: string) => string];

const FORMS: readonly Form[] = [
  ...[16, 20, 31, 32, 33, 48].flatMap((bytes): Form[] => [
    [`base64 of ${bytes} bytes`, () => someBytes(bytes).toString('base64'), decoded],
    [`base64url of ${bytes} bytes`, () => part(bytes), decoded],
    [`a number and a bar before base64url of ${bytes} bytes`, () => `12|${part(bytes)}`, decoded],
    [
      `a JWT with a signature of ${bytes} bytes`,
      () => `${json({ alg: 'HS256' })}.${json({ exp: 1 })}.${part(bytes)}`,
      decoded,
    ],
    [
      `a JWT with a padded signature of ${bytes} bytes`,
      () => `${json({ alg: 'HS256' })}.${json({ exp: 1 })}.${someBytes(bytes).toString('base64')}`,
      decoded,
    ],
    [
      `a JWE of ${bytes} bytes`,
      () => `${json({ alg: 'dir' })}..${part(12)}.${part(bytes)}.${part(16)}`,
      decoded,
    ],
  ]),
  ['a Fernet token', () => Buffer.concat([Buffer.from([128]), someBytes(72)]).toString('base64'), decoded],
  [
    'a payload and a signature',
    () => `${someBytes(40).toString('base64')}--${someBytes(20).toString('hex')}`,
    decoded,
  ],
  ['base32', () => base32(someBytes(22)), fromBase32],
  ['JSON in base64', wrapped, unwrapped],
];

describe('no altered place makes a token that decodes to the same bytes:', () => {
  test.each(FORMS)('%s', (_, make, read) => {
    for (let time = 0; time < 6; time++) {
      const token = make();
      const places = placesIn(token);
      expect(places.length).toBeGreaterThan(4);
      for (const at of places) {
        const altered = alteredAt(token, at);
        let content: string;
        try {
          content = read(altered);
        } catch {
          // A service refuses a token that cannot be decoded.
          continue;
        }
        expect(content, `${token} at ${at}`).not.toBe(read(token));
      }
    }
  });

  test.each(FORMS)('%s, as a bearer that every operation has to refuse', (_, make, read) => {
    for (const { id, from } of [...FOREIGN, ...ALTERED]) {
      for (let time = 0; time < 6; time++) {
        const token = make();
        const altered = from(token);
        if (altered === undefined) continue;
        let content: string;
        try {
          content = read(altered);
        } catch {
          continue;
        }
        expect(content, `${id} of ${token}`).not.toBe(read(token));
      }
    }
  });
});

test.each([2 ** 53, 1e300, -1e300, Infinity, -5, 1.5, '1735689600', null, true, {}, []])(
  'a JWT whose exp is %j is altered or left alone',
  (exp) => {
    const content = `${json({ alg: 'HS256' })}.${json({ exp, scopes: ['api'] })}`;
    const token = `${content}.${createHmac('sha256', 'x').update(content).digest('base64url')}`;
    for (const { from } of [...FOREIGN, ...ALTERED]) expect(from(token)).not.toBe(token);
  },
);

describe('a token in which its holder changed the account', () => {
  const jwt = (claims: object, signature = part(32)): string =>
    `${json({ alg: 'HS256' })}.${json(claims)}.${signature}`;

  test('has the claims of the other account, but its own times, id, scopes and signature', () => {
    const own = { sub: 'first', uid: 7, scopes: ['api'], iat: 1, exp: 2, jti: 'a' };
    const other = { sub: 'second', uid: 8, role: 'admin', scopes: ['user'], iat: 3, exp: 4, jti: 'b' };
    const signature = part(32);
    expect(namingAccountOf(jwt(other), jwt(own, signature))).toBe(
      jwt({ ...own, sub: 'second', uid: 8 }, signature),
    );
  });

  test.each([
    ['tokens name no account', jwt({ scopes: 'api', jti: 'b' }), jwt({ scopes: 'api', jti: 'a' })],
    ['tokens are no JWTs', part(40), part(40)],
  ])('does not exist if %s', (_what, other, own) => {
    expect(namingAccountOf(other, own)).toBeUndefined();
  });
});
