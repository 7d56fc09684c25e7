import { header, type Answer, type Exchange } from './exchange.ts';
import { WAITS } from './waits.ts';

/**
 * Milliseconds to wait before the request is sent again; undefined if the answer does not defer it. Deferrals are 429, 503
 * with or without `Retry-After` (RFC 9110, 15.6.4), and 403 with it, which some targets answer to too many writes.
 *
 * @param deferrals how often this request was deferred before.
 */
export function deferralMs({ answer, ask }: Exchange, deferrals: number): number | undefined {
  if (answer === undefined) return undefined;
  const asked = retryAfterMs(answer);
  // A 403 to a login may mean a locked account, and locks last longer than the pauses of a run.
  const isOfWrites = answer.status === 403 && asked !== undefined && ask.operation !== 'login';
  if (answer.status !== 429 && answer.status !== 503 && !isOfWrites) return undefined;
  const { firstMs, mostMs, timesAtOnce } = WAITS.deferred;
  // A target that asks for no pause, and then defers the same request again, does not say how long to wait.
  const isUnsaid = asked === undefined || (asked === 0 && deferrals >= timesAtOnce);
  const first = isUnsaid ? firstMs.unsaid : firstMs.said;
  const backoff = first * 2 ** deferrals * (0.75 + Math.random() / 2);
  return Math.max(asked ?? 0, Math.min(backoff, mostMs));
}

/** Whether an answer says how long to wait. */
export const saysHowLong = ({ answer }: Exchange): boolean =>
  answer !== undefined && retryAfterMs(answer) !== undefined;

/** RFC 9110, 10.2.3: seconds, or a date, which is compared with the answer's own Date if it has one. */
function retryAfterMs(answer: Answer): number | undefined {
  const value = header(answer, 'retry-after');
  if (value === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  const now = Date.parse(header(answer, 'date') ?? '');
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
