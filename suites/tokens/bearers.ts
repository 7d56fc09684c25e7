import { createHmac, randomBytes } from 'node:crypto';
import { answers } from '../../lib/check.ts';

/** An invalid bearer token, made from a valid token or from nothing. */
export interface Bearer {
  readonly id: string;
  /** Completes "A bearer token …". */
  readonly what: string;
  readonly cause: string;
  /** Makes the text after `Bearer `, or undefined if a token of this form cannot be altered in this way. */
  readonly from: (token: string) => string | undefined;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

interface Jwt {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The parts of a signed JWT (RFC 7519), or undefined if the token is not one. */
export function jwtOf(token: string): Jwt | undefined {
  const [header, payload, signature, ...more] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0)
    return undefined;
  const [head, claims] = [header, payload].map(
    (part) => answers.readJson(Buffer.from(part, 'base64url')).value,
  );
  return head !== undefined && typeof claims === 'object' && claims !== null
    ? { header, payload, signature, claims: claims as Record<string, unknown> }
    : undefined;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Another character of the same kind. */
function other(char: string): string {
  const kinds = ['0123456789', LETTERS, LETTERS.toUpperCase()];
  const kind = kinds.find((chars) => chars.includes(char));
  // A hexadecimal letter becomes another one, so that a hexadecimal token stays hexadecimal.
  const narrow = kind === undefined ? undefined : kind.slice(0, /[a-f]/i.test(char) ? 6 : kind.length);
  return narrow === undefined ? char : (narrow[(narrow.indexOf(char) + 1) % narrow.length] ?? char);
}

/** The first place at or after `from` where another character makes another token. */
const place = (token: string, from: number): number | undefined =>
  alterable(token).find((at) => at >= Math.floor(from));

/**
 * The places in a token where another character makes another token, whatever its encoding. The last place of each part
 * is left out: in base64 or base32, the last character may contain unused bits.
 */
function alterable(token: string): readonly number[] {
  if (token !== known.token) known = { token, places: placesOf(token) };
  return known.places;
}

/** The places of the latest token, because cases need them for the same token many times. */
let known: { readonly token: string; readonly places: readonly number[] } = { token: '', places: [] };

function placesOf(token: string): number[] {
  const isBase64 = jwtOf(token) !== undefined;
  const places = [...token].flatMap((char, at) => {
    const next = token[at + 1] ?? '';
    const isInside = isBase64 ? /[\w-]/.test(next) : /[a-z\d]/i.test(next);
    return isInside && alteration(char, isBase64) !== char ? at : [];
  });
  const inside = insideWrappedJson(token);
  return inside === undefined ? places : places.filter(inside);
}

/**
 * For a token that is a JSON object in base64, such as Laravel's encrypted strings, tells whether a place lies within a
 * value of that object. A service checks the values and may ignore other characters. Undefined for other tokens.
 */
function insideWrappedJson(token: string): ((at: number) => boolean) | undefined {
  const text = Buffer.from(token, 'base64').toString('latin1');
  if (!/^[\w+/-]+=*$/.test(token) || !/^\{.*\}$/s.test(text)) return undefined;
  const values = [...text.matchAll(/:\s*"([^"\\]{16,})"/g)].map(({ 0: { length }, index, 1: value = '' }) => {
    const end = index + length - 1;
    // The last character of a base64 value may contain unused bits.
    return { start: end - value.length, end: end - (/=*$/.exec(value)?.[0].length ?? 0) - 1 };
  });
  return (at) => {
    const [first, last] = [Math.floor((at * 6) / 8), Math.floor((at * 6 + 5) / 8)];
    return values.some(({ start, end }) => first >= start && last < end);
  };
}

/**
 * The places to alter: those where another character makes another token and which, in a JWT, belong to the signature
 * or, in other tokens, to the last half.
 */
export function placesIn(token: string): number[] {
  const jwt = jwtOf(token);
  const first = jwt === undefined ? Math.ceil(token.length / 2) : token.length - jwt.signature.length;
  return alterable(token).filter((at) => at >= first);
}

/** The token with another character of the same kind in one place; the token itself if that place is not alterable. */
export const alteredAt = (token: string, at: number): string =>
  alterable(token).includes(at)
    ? token.slice(0, at) + alteration(token[at] ?? '', jwtOf(token) !== undefined) + token.slice(at + 1)
    : token;

/** In base64url these two characters are digits; in other tokens they may be separators. */
const SWAPPED: Readonly<Record<string, string>> = { '-': '_', _: '-' };

const alteration = (char: string, isBase64: boolean): string =>
  (isBase64 ? SWAPPED[char] : undefined) ?? other(char);

/** Each character replaced by another of its kind. */
const reshaped = (text: string): string => [...text].map(other).join('');

const inSignature =
  (share: number) =>
  (token: string): string | undefined => {
    const jwt = jwtOf(token);
    if (jwt === undefined) return undefined;
    const at = place(token, token.length - jwt.signature.length + (jwt.signature.length - 2) * share);
    return at === undefined ? undefined : alteredAt(token, at);
  };

const withClaims =
  (change: (claims: Jwt['claims']) => object | undefined) =>
  (token: string): string | undefined => {
    const jwt = jwtOf(token);
    const claims = jwt === undefined ? undefined : change(jwt.claims);
    return jwt === undefined || claims === undefined
      ? undefined
      : `${jwt.header}.${encoded(claims)}.${jwt.signature}`;
  };

/** Claims that differ between any two tokens (RFC 7519, 4.1), and therefore name no account. */
const OF_ONE_TOKEN: readonly string[] = ['exp', 'iat', 'nbf', 'jti', 'auth_time', 'nonce', 'sid'];

/** A JWT with the claims that name the account of another one, or undefined if there are none. */
export function namingAccountOf(other: string, token: string): string | undefined {
  const theirs = Object.entries(jwtOf(other)?.claims ?? {}).filter(
    ([name, value]) =>
      !OF_ONE_TOKEN.includes(name) && (typeof value === 'string' || typeof value === 'number'),
  );
  const named = withClaims((claims) =>
    theirs.some(([name, value]) => name in claims && claims[name] !== value)
      ? { ...claims, ...Object.fromEntries(theirs.filter(([name]) => name in claims)) }
      : undefined,
  );
  return named(token);
}

const inOpaque =
  (share: number) =>
  (token: string): string | undefined => {
    const at = jwtOf(token) === undefined ? place(token, token.length * share) : undefined;
    return at === undefined ? undefined : alteredAt(token, at);
  };

const YEAR_S = 31_536_000;

const NOT_VERIFIED = 'The token is decoded, but its signature is not verified.';

/** Bearer tokens that the service never issued. */
export const FOREIGN: readonly Bearer[] = [
  {
    id: 'empty',
    what: 'that is empty',
    cause: 'The guard checks that the header exists, but not its value.',
    from: () => '',
  },
  {
    id: 'made-up',
    what: 'that is made up',
    cause:
      'Any bearer token is accepted, or one that cannot be parsed gives a user without an account, for whom no restriction applies.',
    from: () => randomBytes(24).toString('base64url'),
  },
  {
    id: 'never-issued',
    what: 'of the right form that was never issued',
    cause: 'The form of the token is checked, but not whether this server issued it.',
    from: (token) => {
      const jwt = jwtOf(token);
      if (jwt === undefined) return reshaped(token);
      const content = `${jwt.header}.${jwt.payload}`;
      return `${content}.${createHmac('sha256', randomBytes(32)).update(content).digest('base64url')}`;
    },
  },
];

/** Valid tokens with one alteration, which never decode to the same bytes. */
export const ALTERED: readonly Bearer[] = [
  {
    id: 'payload-changed',
    what: 'whose payload was changed',
    cause: NOT_VERIFIED,
    from: withClaims((claims) => ({ ...claims, note: 'x' })),
  },
  {
    id: 'expiry-later',
    what: 'whose expiry was moved to a later time',
    cause: NOT_VERIFIED,
    from: withClaims((claims) =>
      // Far beyond 2^53, adding a year does not change the number.
      typeof claims['exp'] === 'number' && Number.isSafeInteger(Math.round(claims['exp']) + YEAR_S)
        ? { ...claims, exp: claims['exp'] + YEAR_S }
        : undefined,
    ),
  },
  {
    id: 'signature-start-changed',
    what: 'whose signature differs at its start',
    cause: NOT_VERIFIED,
    from: inSignature(0),
  },
  {
    id: 'signature-end-changed',
    what: 'whose signature differs towards its end',
    cause: 'Only the first bytes of the signature are compared.',
    from: inSignature(0.8),
  },
  {
    id: 'signature-stripped',
    what: 'whose signature was removed',
    cause: 'A token without a signature counts as one that needs none.',
    from: (token) => {
      const jwt = jwtOf(token);
      return jwt === undefined ? undefined : `${jwt.header}.${jwt.payload}.`;
    },
  },
  {
    id: 'algorithm-none',
    what: 'whose header says that it has no signature',
    cause: 'The algorithm is read from the token itself, and the library supports "none".',
    from: (token) => {
      const jwt = jwtOf(token);
      return jwt === undefined ? undefined : `${encoded({ alg: 'none', typ: 'JWT' })}.${jwt.payload}.`;
    },
  },
  {
    id: 'half-way-changed',
    what: 'that differs half-way',
    cause: 'Only the start of the token is looked up or compared.',
    from: inOpaque(0.55),
  },
  {
    id: 'end-changed',
    what: 'that differs towards its end',
    cause: 'Only the start of the token is looked up or compared.',
    from: inOpaque(0.85),
  },
  {
    id: 'end-cut',
    what: 'whose end was cut off',
    cause: 'The token is compared only up to the length that was sent.',
    // A token without its padding may lawfully be accepted.
    from: (token) => {
      const bare = token.replace(/=+$/, '');
      const end = bare.length - bare.lastIndexOf('.') - 1;
      // What is left of the last part consists of whole bytes in base64 and in hex, so that a strict decoder accepts it.
      return bare.length > 20 ? bare.slice(0, -8 - (end % 4)) : undefined;
    },
  },
];

/** The bearer tokens that the effort `quick` sends. They show whether tokens are verified at all, and completely. */
export const QUICK = ['never-issued', 'signature-end-changed', 'end-changed'];
