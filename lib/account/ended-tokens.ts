import { slim, type Exchange } from '../http/exchange.ts';
import type { Signs } from './signs.ts';
import { type Issued, LEAST_IDLE_MS } from './token-life.ts';

/** A token that was refused after it had been accepted, while a new token of its account was accepted. */
export interface EndedToken {
  /** What was known of it then. */
  readonly issued: Issued;
  readonly refused: Exchange;
}

/** The tokens of one account that ended, and its logins that gave a token. */
interface TokensOfAccount {
  readonly ended: readonly EndedToken[];
  readonly granted: readonly Exchange[];
}

/** If fewer tokens ended, chance may explain it. */
const LEAST_ENDED = 3;

/**
 * Records tokens that a login of another account ended while they were in use. They are no signs if a token in use ended for
 * any other reason, because then tokens of this target do not last anyway.
 */
export function noteTokensEndedByOthers(accounts: readonly TokensOfAccount[], signs: Signs): void {
  const all = accounts.flatMap((account) =>
    account.ended.filter(wasInUse).map((one) => ({ ...one, login: loginBetween(one, account, accounts) })),
  );
  const found = all.flatMap(({ login, refused }) => (login === undefined ? [] : [{ login, refused }]));
  if (found.length < LEAST_ENDED || found.length < all.length) return;
  for (const { login, refused } of found)
    signs.record(
      'token-ended-by-another',
      'a token that had just worked was refused after a login of the other account, and a new one was accepted',
      login,
      slim(refused),
    );
}

const lastUseOf = ({ issued: { at, usedAt = at } }: EndedToken): number => usedAt;

const wasInUse = (one: EndedToken): boolean => one.refused.startedAt - lastUseOf(one) < LEAST_IDLE_MS;

/** The login of another account between the last use of a token and its refusal, if there was none of its own account. */
function loginBetween(
  one: EndedToken,
  own: TokensOfAccount,
  accounts: readonly TokensOfAccount[],
): Exchange | undefined {
  const isBetween = ({ startedAt, durationMs }: Exchange): boolean =>
    startedAt + durationMs >= lastUseOf(one) && startedAt < one.refused.startedAt;
  if (own.granted.some(isBetween)) return undefined;
  return accounts.flatMap((other) => (other === own ? [] : other.granted)).find(isBetween);
}
