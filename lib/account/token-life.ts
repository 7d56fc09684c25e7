import type { Secret } from '../secret.ts';

/** What is known of a token from a login. */
export interface Issued {
  /** When it was issued, by `performance.now()`. */
  readonly at: number;
  readonly scopes: readonly string[];
  /** The number of its login, if no other login overlapped it. */
  readonly loginNumber: number | undefined;
  /** When the account was issued another token. */
  followedAt?: number;
  /** When its last accepted request began. */
  usedAt?: number;
  /** Another login was made to replace it. */
  isReplaced: boolean;
}

/** A younger token is not expected to expire, in milliseconds. */
const LEAST_LIFETIME_MS = 5_000;

/** A token that was unused for longer may have ended because of that, in milliseconds. */
export const LEAST_IDLE_MS = 1_000;

/** Statuses with which targets often refuse a token. */
export const REFUSALS: ReadonlySet<number> = new Set([
  301, 302, 303, 307, 308, 401, 402, 403, 407, 419, 440, 498, 499,
]);

/** Whether only another login can have ended a token by this moment: it was young, and in use. */
export const wasEndedByLogin = (
  { at, usedAt = at, followedAt = Infinity }: Issued,
  moment: number,
): boolean => followedAt < moment && moment - at < LEAST_LIFETIME_MS && moment - usedAt < LEAST_IDLE_MS;

/** The lifetime that a JWT states, in milliseconds; undefined if it states none. */
export function lifetimeMs(token: Secret): number | undefined {
  const payload = token.reveal().split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const { exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      exp?: unknown;
      iat?: unknown;
    };
    const ms = typeof exp === 'number' && typeof iat === 'number' ? (exp - iat) * 1_000 : 0;
    // An expiry before the issue says nothing about the lifetime.
    return ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}
