import type { Account } from '../account/account.ts';
import { isRunName, PLAIN_LETTERS } from '../account/names.ts';

/** A target may refuse further tags from this many on: a run then goes on with fewer. */
const LEAST_QUOTA = 8;

/** Where fewer tags may have existed, a refusal has another reason than their number. */
const LEAST_TAGS = 4;

/** Finds out from refused creates whether the target limits the number of tags. */
export class Quota {
  readonly #mostAlive = new Map<Account, number>();
  #isMet = false;

  /** The most tags that the run may have at once, where a create with a plain name was refused for their number. */
  get limit(): number | undefined {
    return this.#isMet ? Math.max(LEAST_QUOTA, ...this.#mostAlive.values()) : undefined;
  }

  /** A create was accepted: the target allows as many tags as are alive now. */
  accepted(account: Account): void {
    const alive = account.tags.records.filter(({ state }) => state === 'alive').length;
    this.#mostAlive.set(account, Math.max(alive, this.#mostAlive.get(account) ?? 0));
  }

  /** The most tags that may exist now: those of creates and deletes under way may, too. */
  mayExist(account: Account): number {
    return account.tags.records.filter(
      ({ state, isUnfound }) =>
        state === 'alive' || state === 'deleting' || (state === 'intended' && !isUnfound),
    ).length;
  }

  /**
   * A well-formed create was refused.
   *
   * @param mayHaveExisted the most tags that may have existed at the time.
   * @returns whether that may be due to their number. It is where a plain name was refused, which has nothing else wrong.
   */
  refused(account: Account, body: unknown, mayHaveExisted: number): boolean {
    const mostAlive = this.#mostAlive.get(account);
    // A target that accepts no create at all has another reason.
    if (mostAlive === undefined || mayHaveExisted < Math.max(LEAST_TAGS, mostAlive)) return false;
    this.#isMet ||= isPlain(body);
    return true;
  }
}

/** Whether a body gives a plain name and nothing else. */
function isPlain(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Object.keys(body).join() !== 'name') return false;
  const { name } = body as { readonly name: unknown };
  return typeof name === 'string' && name.length === PLAIN_LETTERS && isRunName(name);
}
