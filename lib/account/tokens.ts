import type { Exchange } from '../http/exchange.ts';
import type { Secret } from '../secret.ts';
import { FULL_ACCESS } from '../spec/operations.ts';
import type { EndedToken } from './ended-tokens.ts';
import { type Issued, lifetimeMs, wasEndedByLogin } from './token-life.ts';

/** The tokens that logins of this run issued for one account, and what is known of how long they live. */
export class Tokens {
  readonly #issued = new Map<Secret, Issued>();
  /** The least age at which a token had ended, in milliseconds. */
  #endsAfterMs = Number.POSITIVE_INFINITY;
  /** The greatest age at which a token was accepted, in milliseconds. */
  #worksUntilMs = 0;
  /** The longest time after another login at which a token still worked, in milliseconds; 0 if none did. */
  outlivedMs = 0;
  /** Whether a token that had ended was replaced. */
  hasReplaced = false;
  /** Whether a token of this run has ended, for any reason. */
  hasSeenEnd = false;
  /** Whether another login has ended a token, at once or a little later. */
  endsEarlier = false;
  readonly ended: EndedToken[] = [];

  /** Whether tokens of this account end during a run: one has, or says that it will. */
  get endSoon(): boolean {
    return (
      this.hasSeenEnd || [...this.#issued.keys()].some((token) => (lifetimeMs(token) ?? Infinity) <= SHORT_MS)
    );
  }

  /** The number of tokens. */
  get count(): number {
    return this.#issued.size;
  }

  /** Adds a token. */
  add(token: Secret, issued: Issued): void {
    this.#issued.set(token, issued);
  }

  /** What is known of a token; undefined for one that this run did not fetch. */
  of(token: Secret): Issued | undefined {
    return this.#issued.get(token);
  }

  /** The account was issued another token at this moment (by `performance.now()`). */
  noteAnother(at: number): void {
    for (const issued of this.#issued.values()) issued.followedAt ??= at;
  }

  /**
   * Whether a token of this run may have expired. Other tokens of this age have, or it says so itself (RFC 7519,
   * 4.1.4). Or tokens end on this target, and none of this age was accepted.
   */
  mayHaveEnded(token: Secret): boolean {
    const age = this.ageMs(token);
    if (age === Infinity) return false;
    const ends = Math.min(this.#endsAfterMs, lifetimeMs(token) ?? Number.POSITIVE_INFINITY);
    return age >= ends - AGE_MARGIN_MS || (this.hasReplaced && age > this.#worksUntilMs);
  }

  /** A request with this token, which began at this moment (by `performance.now()`), was accepted. */
  noteSuccess(token: Secret, startedAt: number): void {
    const issued = this.#issued.get(token);
    const { at = startedAt, followedAt = startedAt } = issued ?? {};
    if (issued !== undefined) issued.usedAt = startedAt;
    this.#worksUntilMs = Math.max(this.#worksUntilMs, startedAt - at);
    this.outlivedMs = Math.max(this.outlivedMs, startedAt - followedAt);
  }

  /** The age of a token in milliseconds; infinite for one that this run did not fetch. */
  ageMs(token: Secret): number {
    return performance.now() - (this.#issued.get(token)?.at ?? Number.NEGATIVE_INFINITY);
  }

  /** Whether a token of this run permits all four operations. */
  permitsAll(token: Secret): boolean {
    return this.#issued.get(token)?.scopes.includes(FULL_ACCESS[0]) === true;
  }

  /** A token was refused, and its replacement accepted. If no other login came between, the token expired. */
  noteEnd(ended: Secret, fresh: Secret, refused: Exchange): void {
    const [before, after] = [this.#issued.get(ended), this.#issued.get(fresh)];
    if (before === undefined || after === undefined) return;
    this.hasSeenEnd = true;
    this.ended.push({ issued: { ...before }, refused });
    if (after.loginNumber === (before.loginNumber ?? 0) + 1)
      this.#endsAfterMs = Math.min(this.#endsAfterMs, performance.now() - before.at);
    this.endsEarlier ||= wasEndedByLogin(before, after.at);
  }
}

/** A run most likely takes longer than a token of this lifetime, in milliseconds. */
const SHORT_MS = 10_000;

/** A token this close to its end counts as ended: it may end before it is used. */
const AGE_MARGIN_MS = 500;
