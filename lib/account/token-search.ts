import type { Exchange } from '../http/exchange.ts';
import type { Masker } from '../judging/masker.ts';
import { Secret } from '../secret.ts';
import { tokenIn } from '../spec/reading.ts';

/** How much of an answer is searched, in characters. */
const SEARCHED = 200_000;

const NAMED = /access_token["'=:\s]{1,5}([^"'&\s]{8,4096})/g;
const JWT = /(?<![\w-])[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}/g;

/** Matches a JSON member, also inside a JSON string. A message about a missing access_token does not match. */
const MEMBER = /access_token\\?["']\s*:\s*\\?["']([^"'&\s]{16,4096})/g;

/**
 * Makes everything that looks like a token in an answer a secret, in headers and body, because it may be a real token.
 *
 * The answer to another request may belong to a login, because targets and proxies mix up answers. In such an answer only
 * a member access_token counts: names of tags may look like tokens, and messages mention them.
 */
export function concealTokens(exchange: Exchange, masker: Masker): void {
  for (const token of tokensWithin(exchange)) masker.add(new Secret(token, '$TOKEN'));
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
  const token = isLogin ? tokenIn(exchange) : undefined;
  const named = [...text.matchAll(isLogin ? NAMED : MEMBER)].map(([, found = '']) => asRead(found));
  const formed = isLogin ? (text.match(JWT) ?? []) : [];
  return new Set([...(token === undefined ? [] : [token]), ...named, ...formed]);
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
