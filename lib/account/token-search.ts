import { memberOf, type Ask, type Exchange } from '../http/exchange.ts';
import type { Masker } from '../judging/masker.ts';
import { Secret } from '../secret.ts';

/** How much of an answer is searched, in characters. */
const SEARCHED = 200_000;

const NAMED = /access_token["'=:\s]{1,5}([^"'&\s]{8,4096})/g;
const JWT = /(?<![\w-])[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}/g;

/** Matches a JSON member, also inside a JSON string. A message about a missing access_token does not match. */
const MEMBER = /access_token\\?["']\s*:\s*\\?["']([^"'&\s]{16,4096})/g;

/**
 * Makes the token of a request a secret, and everything that looks like a token in its answer, in headers and body, because it
 * may be a real token.
 *
 * The answer to another request may belong to a login, because targets and proxies mix up answers. In such an answer only
 * a member access_token counts: names of tags may look like tokens, and messages mention them.
 *
 * @param usernames are no secrets, even where a check sends them as tokens.
 */
export function concealTokens(exchange: Exchange, masker: Masker, usernames: readonly string[]): void {
  for (const token of tokensWithin(exchange)) masker.add(new Secret(token, '$TOKEN'));
  const sent = sentToken(exchange.ask);
  if (sent === undefined || usernames.includes(sent.reveal()) || masker.knows(sent.reveal())) return;
  masker.add(sent);
}

/** A shorter token is a word, and no altered form of a token. */
const FEWEST_SENT = 20;

/** The token of a request, which may be an altered form of a valid one that tells most of it. */
function sentToken({ headers }: Ask): Secret | undefined {
  const [, value] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  if (!(value instanceof Secret)) return undefined;
  const [scheme = '', ...rest] = value.reveal().split(' ');
  const token = rest.join(' ');
  return token.length < FEWEST_SENT ? undefined : new Secret(token, value.label.slice(scheme.length + 1));
}

/** Everything that looks like a token in an answer. */
export function tokensWithin(exchange: Exchange): ReadonlySet<string> {
  const { answer, failure, ask } = exchange;
  const { buffer, byteOffset, byteLength } = answer?.bytes ?? failure?.bytes ?? new Uint8Array();
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const isLogin = ask.operation === 'login';
  if (!isLogin && !bytes.includes('access_token')) return new Set();
  const text = [...(answer?.headers ?? []).map(([, value]) => value), bytes.toString('latin1')]
    .join('\n')
    .slice(0, SEARCHED);
  const tokens = isLogin ? textsIn(memberOf(exchange, 'access_token')) : [];
  const named = [...text.matchAll(isLogin ? NAMED : MEMBER)].map(([, found = '']) => asRead(found));
  const formed = isLogin ? (text.match(JWT) ?? []) : [];
  return new Set([...tokens, ...named, ...formed]);
}

/** All texts in a value, which has to be a string but may be anything else. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string') texts.push(one);
    else if (typeof one === 'object' && one !== null) left.push(...Object.values(one));
  }
  return texts;
}

/** A token without JSON escapes. The masker derives the other forms of a secret from this one. */
function asRead(written: string): string {
  try {
    const read = String(JSON.parse(`"${written}"`));
    return JSON.stringify(read) === `"${written}"` ? read : written;
  } catch {
    return written;
  }
}
