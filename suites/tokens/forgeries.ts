import { createHmac, generateKeyPair, sign, type KeyPairKeyObjectResult } from 'node:crypto';
import { promisify } from 'node:util';
import { swappedCase } from '../neighbours.ts';
import { jwtOf } from './bearers.ts';

/** A way to make, from a valid JWT, one that the service did not sign. */
export interface Forgery {
  /** Completes "a JWT …". */
  readonly what: string;
  /** Completes the placeholder of the token in evidence, `$TOKEN_…`. */
  readonly label: string;
  /** Makes the token, or returns undefined if the valid one cannot be changed in this way. */
  readonly from: (jwt: ParsedJwt) => string | undefined | Promise<string>;
  /** The same for a token that is not a JWT. */
  readonly ofOpaque?: {
    readonly what: string;
    /** @param another another valid token of the account, if there is one. */
    readonly from: (token: string, another: string | undefined) => string | undefined;
  };
  readonly effort?: 'thorough';
}

/** A JWT and the parts of its text. */
interface ParsedJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly payload: string;
  readonly signature: string;
  readonly text: string;
}

/**
 * A valid token forged in this way, and what it is; undefined if it cannot be changed in this way.
 *
 * @param another another valid token of the account, if there is one.
 */
export async function forge(
  { what, from, ofOpaque }: Forgery,
  valid: string,
  another?: string,
): Promise<{ readonly token: string; readonly what: string } | undefined> {
  const jwt = parsedJwt(valid);
  const token = jwt === undefined ? ofOpaque?.from(valid, another) : await from(jwt);
  if (token === undefined || token === valid || token === another) return undefined;
  return { token, what: jwt === undefined ? `a token ${ofOpaque?.what}` : `a JWT ${what}` };
}

/** The parts of a JWT, or undefined if the token is not one. */
function parsedJwt(token: string): ParsedJwt | undefined {
  const jwt = jwtOf(token);
  if (jwt === undefined) return undefined;
  const header: unknown = JSON.parse(Buffer.from(jwt.header, 'base64url').toString());
  if (typeof header !== 'object' || header === null) return undefined;
  return { ...jwt, header: header as Record<string, unknown>, text: token };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT with another header. `signed` makes the signature of its content. */
const withHeader = (
  { header, payload }: ParsedJwt,
  more: object,
  signed: (content: string) => string,
): string => {
  const content = `${encoded({ ...header, ...more })}.${payload}`;
  return `${content}.${signed(content)}`;
};

let keyPair: Promise<KeyPairKeyObjectResult> | undefined;

/** A key pair that no service knows. It is generated only once, because that takes as long as hundreds of requests. */
const unknownKeyPair = (): Promise<KeyPairKeyObjectResult> =>
  (keyPair ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 }));

/** Signs with an empty key, which is what a failed lookup of a key may return. */
const withEmptyKey = (content: string): string =>
  createHmac('sha256', '').update(content).digest('base64url');

const unsigned = (label: string, alg: string, effort?: 'thorough'): Forgery => ({
  label,
  what: `without a signature, whose header names the algorithm ${JSON.stringify(alg)}`,
  from: (jwt) => withHeader(jwt, { alg }, () => ''),
  ...(effort === undefined ? {} : { effort }),
});

const withKeyId = (label: string, kid: string, what: string, effort?: 'thorough'): Forgery => ({
  label,
  what: `whose header names ${what} as its key, signed with an empty key`,
  from: (jwt) => withHeader(jwt, { alg: 'HS256', kid }, withEmptyKey),
  ...(effort === undefined ? {} : { effort }),
});

const withAlgorithm = (alg: string): Forgery => ({
  label: `ALGORITHM_${alg.toUpperCase()}`,
  what: `whose header names the algorithm ${alg}`,
  from: (jwt) => (jwt.header['alg'] === alg ? undefined : withHeader(jwt, { alg }, () => jwt.signature)),
  effort: 'thorough',
});

/** The hash functions of the algorithms with a secret other than HS256. */
const HASHES: Readonly<Record<string, string>> = { HS384: 'sha384', HS512: 'sha512' };

/**
 * Signs with a secret that somebody may guess. The header gets another member, which a service has to ignore (RFC 7515, 4),
 * because the token would otherwise be the valid one if the guess is right.
 */
const withSecret = (secret: string, effort?: 'thorough'): Forgery => ({
  label: `SECRET_${secret.toUpperCase().replace(/\W/g, '_')}`,
  what: `whose header the service has not signed, signed with the secret ${JSON.stringify(secret)}`,
  from: (jwt) => {
    const own = String(jwt.header['alg']);
    const alg = own in HASHES ? own : 'HS256';
    const signed = (content: string): string =>
      createHmac(HASHES[alg] ?? 'sha256', secret)
        .update(content)
        .digest('base64url');
    return withHeader(jwt, { alg, note: 'forged' }, signed);
  },
  ...(effort === undefined ? {} : { effort }),
});

/** Secrets of examples and of services that nobody has configured, beside the likeliest one. */
const COMMON_SECRETS: readonly string[] = [
  'your-256-bit-secret',
  'changeme',
  'password',
  'key',
  'jwt-secret',
  'jwt_secret',
  'supersecret',
  'secretkey',
  'mysecret',
  'shhhhh',
  'test',
];

/** Forgeries of the header, which states how to verify the token (RFC 7515, 4.1). */
export const HEADERS: readonly Forgery[] = [
  unsigned('UNSIGNED_IN_OTHER_CASE', 'nOnE'),
  unsigned('UNSIGNED_IN_TITLE_CASE', 'None', 'thorough'),
  unsigned('UNSIGNED_IN_CAPITALS', 'NONE', 'thorough'),
  unsigned('UNSIGNED_WITHOUT_NAME', '', 'thorough'),
  {
    what: 'whose header names no algorithm',
    label: 'ALGORITHM_MISSING',
    from: (jwt) => withHeader(jwt, { alg: undefined }, () => ''),
    effort: 'thorough',
  },
  {
    what: 'whose header names another algorithm and no type',
    label: 'ALGORITHM_OTHER',
    // Some code verifies only what says that it is a JWT.
    from: (jwt) => {
      const alg = jwt.header['alg'] === 'RS256' ? 'HS256' : 'RS256';
      return withHeader(jwt, { alg, typ: undefined }, () => jwt.signature);
    },
  },
  ...['HS384', 'HS512', 'ES256', 'PS256', 'EdDSA', 'X'].map(withAlgorithm),
  withKeyId('KEY_UNKNOWN', 'no-such-key', 'an unknown key'),
  // The signature is that of the original header.
  {
    what: 'whose header names an empty key, with the signature of another header',
    label: 'KEY_NAMELESS',
    from: (jwt) => withHeader(jwt, { alg: 'HS256', kid: '' }, () => jwt.signature),
  },
  withKeyId('KEY_OF_FILE', '../../../../../../../dev/null', 'an empty file'),
  withSecret('secret'),
  ...COMMON_SECRETS.map((secret) => withSecret(secret, 'thorough')),
  withKeyId('KEY_OF_QUERY', "x' UNION SELECT '' -- ", 'a query', 'thorough'),
  {
    what: 'whose header names no key, signed with an empty key',
    label: 'KEY_MISSING',
    from: (jwt) =>
      'kid' in jwt.header ? withHeader(jwt, { alg: 'HS256', kid: undefined }, withEmptyKey) : undefined,
  },
  {
    what: 'whose header holds the key that it is signed with',
    label: 'KEY_ENCLOSED',
    from: async (jwt) => {
      const { publicKey, privateKey } = await unknownKeyPair();
      const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
      return withHeader(jwt, { alg: 'RS256', jwk }, (content) =>
        sign('sha256', Buffer.from(content), privateKey).toString('base64url'),
      );
    },
  },
  {
    what: 'whose header holds the secret that it is signed with',
    label: 'SECRET_ENCLOSED',
    from: (jwt) => {
      const secret = 'a secret that the service does not know';
      const jwk = { kty: 'oct', k: Buffer.from(secret).toString('base64url'), alg: 'HS256' };
      return withHeader(jwt, { alg: 'HS256', jwk }, (content) =>
        createHmac('sha256', secret).update(content).digest('base64url'),
      );
    },
  },
];

const reversed = (text: string): string => text.split('').toReversed().join('');

/** A part of a token with at least this length is random. */
const LONG = 16;

/**
 * A token that is not a JWT up to its last separator, which often stands in front of a signature or a secret; undefined if it
 * has none.
 */
const upToSeparator = (
  token: string,
): { readonly before: string; readonly separator: string } | undefined => {
  const [, before = '', separator] = /^(.+)(--|[.|:~$,;!])[^.|:~$,;!]{8,}$/.exec(token) ?? [];
  return separator === undefined ? undefined : { before, separator };
};

/**
 * Whether a random part of a token uses both letter cases. Hexadecimal and base32, which mean the same in either case, use only
 * one. Base64 may have separators anywhere.
 */
function hasBothCases(token: string): boolean {
  const parts = token.split(/[^a-z\d]+/i).filter((part) => /[a-z]/.test(part) && /[A-Z]/.test(part));
  return parts.join('').length >= LONG;
}

const MORE = 'AAAAAAAA';

/** One that every check of a signature or a secret refuses. */
const REVERSED: Forgery = {
  what: 'with the characters of its signature in reverse order',
  label: 'SIGNATURE_REVERSED',
  from: ({ text, signature }) => `${text.slice(0, -signature.length)}${reversed(signature)}`,
  ofOpaque: { what: 'with its characters in reverse order', from: reversed },
};

/** One that every check of a signature refuses, and whose header names an algorithm of the same kind as most. */
export const OTHER_HASH: Forgery = {
  ...REVERSED,
  what: 'whose header names another hash function, with the characters of its signature in reverse order',
  label: 'HASH_OTHER',
  from: (jwt) =>
    withHeader(jwt, { alg: jwt.header['alg'] === 'HS512' ? 'HS256' : 'HS512' }, () =>
      reversed(jwt.signature),
    ),
};

/** Forgeries by the form of the whole token. */
export const FORMS: readonly Forgery[] = [
  {
    what: 'of its first two segments alone',
    label: 'SEGMENTS_CUT',
    from: ({ text }) => text.slice(0, text.lastIndexOf('.')),
    ofOpaque: {
      what: 'without its last separator and what is behind it',
      from: (token) => upToSeparator(token)?.before,
    },
  },
  {
    what: 'without its signature',
    label: 'LAST_PART_EMPTY',
    // Another requirement sends such a JWT.
    from: () => undefined,
    ofOpaque: {
      what: 'with nothing behind its last separator',
      from: (token) => {
        const { before, separator } = upToSeparator(token) ?? {};
        return separator === undefined ? undefined : `${before}${separator}`;
      },
    },
  },
  {
    what: 'with the signature of another',
    label: 'LAST_PART_OF_ANOTHER',
    // A JWT with a signature that does not fit is sent by another requirement.
    from: () => undefined,
    ofOpaque: {
      what: 'that goes on behind its last separator as another token does',
      from: (token, another = '') => {
        const { before, separator } = upToSeparator(token) ?? {};
        const other = upToSeparator(another);
        return separator === undefined || other === undefined
          ? undefined
          : `${before}${separator}${another.slice(other.before.length + other.separator.length)}`;
      },
    },
  },
  {
    what: 'with more characters behind its signature',
    label: 'SIGNATURE_EXTENDED',
    from: ({ text }) => `${text}${MORE}`,
    ofOpaque: {
      what: 'with more characters at its end',
      // Behind padding, a lenient decoder may ignore them.
      from: (token) => (token.endsWith('=') ? undefined : `${token}${MORE}`),
    },
  },
  {
    what: 'with its signature in another letter case',
    label: 'SIGNATURE_IN_OTHER_CASE',
    from: ({ text, signature }) => {
      const other = swappedCase(signature);
      return other === signature ? undefined : `${text.slice(0, -signature.length)}${other}`;
    },
    ofOpaque: {
      what: 'in another letter case',
      from: (token) => (hasBothCases(token) ? swappedCase(token) : undefined),
    },
  },
  REVERSED,
  {
    what: 'in lower case',
    label: 'IN_LOWER_CASE',
    from: ({ text }) => (text.toLowerCase() === text ? undefined : text.toLowerCase()),
    effort: 'thorough',
  },
];
