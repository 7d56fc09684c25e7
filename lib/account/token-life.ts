import type { Secret } from '../secret.ts';

/** What is known of a token that a login gave. */
export interface Issued {
  /** When it was issued, by `performance.now()`. */
  readonly at: number;
  readonly scopes: readonly string[];
  /** The number of its login, if no other login was under way at the time. */
  readonly undisturbed: number | undefined;
  /** When the next token of the account was issued. */
  followedAt?: number;
  /** When the last request with it began that was accepted. */
  usedAt?: number;
  /** Another login was made to replace it. */
  isReplaced: boolean;
}

/** Tokens live longer than this, in milliseconds. */
export const LEAST_LIFETIME_MS = 5_000;

/** A token that is not used for longer than this may have ended because of that, in milliseconds. */
export const LEAST_IDLE_MS = 1_000;

/** Whether only another login can have ended a token by that moment: it was young, and in use. */
export const wasEndedByLogin = (
  { at, usedAt = at, followedAt = Infinity }: Issued,
  moment: number,
): boolean => followedAt < moment && moment - at < LEAST_LIFETIME_MS && moment - usedAt < LEAST_IDLE_MS;

/** How long a JWT says that it lives, in milliseconds, or undefined. */
export function lifetimeMs(token: Secret): number | undefined {
  const payload = token.reveal().split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const { exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      exp?: unknown;
      iat?: unknown;
    };
    const ms = typeof exp === 'number' && typeof iat === 'number' ? (exp - iat) * 1_000 : 0;
    // A token that works although it says that it ended before it began says nothing about its lifetime.
    return ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}
