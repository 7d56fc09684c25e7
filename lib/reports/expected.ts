import type { Evidence } from '../judging/evidence.ts';
import { expectedBody } from '../spec/expected.ts';
import { operationOf } from './operation.ts';

/** What a sentence about a finding says of the header that was expected, and that header. */
const HEADERS: readonly (readonly [said: RegExp, header: string])[] = [
  [/Content-Type names (?!the charset)|without Content-Type/, 'Content-Type: application/json'],
  [/without Cache-Control|, not no-store$/, 'Cache-Control: no-store'],
  [/plain http, not https/, 'Location: https://...'],
];

/** What sentences say of requests that should have been refused. */
const REFUSED = /, a success\b|to a bearer token|without a token\b|\bcould (?:list|create|update|delete)\b/;

/**
 * The status and body, or the header, that was expected in place of what came, as the sentence of a finding says it;
 * undefined if it is about an effect.
 */
export function expectedIn(reason: string, exchanges: readonly Evidence[]): string | undefined {
  const header = HEADERS.find(([said]) => said.test(reason))?.[1];
  if (header !== undefined) return header;
  const decisive = exchanges.find(({ decides }) => decides === true);
  const operation = decisive === undefined ? undefined : operationOf(decisive);
  if (decisive === undefined || operation === undefined) return undefined;
  if (!/\byet\b/.test(reason) && REFUSED.test(reason) && isSuccess(decisive))
    return 'a refusal, such as 400 to 499, without effect';
  const other = /\banswered \d{3}, not (\d{3})\b/.exec(reason)?.[1];
  const same = /\banswered (\d{3}), but (?!the (?:tag|name|filter)\b)/.exec(reason)?.[1];
  const given = other ?? (same === undefined || /^[345]/.test(same) ? undefined : same);
  if (given === undefined) return undefined;
  const body = expectedBody(operation, Number(given), nameIn(decisive));
  return body === undefined ? given : `${given} ${body}`;
}

const isSuccess = ({ answer }: Evidence): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300;

/** The name in the body of a request, as JSON. */
function nameIn({ request: { body } }: Evidence): string | undefined {
  try {
    const value: unknown = JSON.parse(body ?? '');
    return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
      ? JSON.stringify(value.name)
      : undefined;
  } catch {
    return undefined;
  }
}
