import { type Exchange, jsonOf } from '../../lib/check.ts';

/** Says where the answer to a refused login holds something in the form of a token, or returns undefined. */
export function tokenLeak(refused: Exchange, right: Exchange): string | undefined {
  const body = jsonOf(refused);
  if (isObject(body) && body['access_token'] !== undefined && body['access_token'] !== null) {
    return 'the body holds an access_token';
  }
  const real = jsonOf(right);
  const token = isObject(real) && typeof real['access_token'] === 'string' ? real['access_token'] : undefined;
  const path = token === undefined ? undefined : pathOfStringLike(body, token);
  return path === undefined ? undefined : `${path} has the form of a token`;
}

/** Longer strings are not matched: on what a target may send, the pattern could take too long or overflow the stack. */
const LONGEST_JWT = 16_384;
const isJwt = (text: string): boolean =>
  text.length <= LONGEST_JWT && /^[\w-]{10,}\.[\w-]{10,}\.[\w-]+$/.test(text);

/** The path to the first string in a JSON value that has the form of the token. */
function pathOfStringLike(value: unknown, token: string, path = ''): string | undefined {
  if (typeof value === 'string') {
    const isAlike = isJwt(token)
      ? isJwt(value)
      : token.length >= 20 && value.length >= token.length * 0.9 && !/\s/.test(value) && /\d/.test(value);
    return isAlike ? path.slice(1) : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = pathOfStringLike(item, token, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
