import { accepted, type Exchange, type Target, Undecided } from '../../lib/check.ts';

/** A target may lock an account, or an address, at the third failed login in a row. */
const MOST_IN_A_ROW = 2;

/** A target may also count the wrong passwords for one username over a longer time. */
const MOST_WRONG_PASSWORDS = 8;

/**
 * What a login that may be refused presents: a wrong password for the username of an account, something else that is
 * wrong, or the right credentials in an unusual form, where only a lock would change the answer.
 */
type Presents = 'a wrong password' | 'other wrong credentials' | 'the right credentials';

/** Sends logins that may be refused one after another, with a right login after every few failures. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #inARow = 0;
  /** The accounts whose right login ends the row, by username. */
  readonly #failed = new Map<string, Target>();
  readonly #wrongPasswords = new Map<string, number>();

  send(account: Target, presents: Presents, login: () => Promise<Exchange>): Promise<Exchange> {
    return this.#inTurn(async () => {
      const { username } = account.credentials;
      const wrong = this.#wrongPasswords.get(username) ?? 0;
      if (presents === 'a wrong password' && wrong >= MOST_WRONG_PASSWORDS)
        throw new Undecided(
          'budget',
          `${MOST_WRONG_PASSWORDS} wrong passwords were sent for this username, and a run sends no more`,
        );
      if (presents === 'the right credentials' || this.#inARow >= MOST_IN_A_ROW) await this.#endRow();
      if (presents === 'a wrong password') this.#wrongPasswords.set(username, wrong + 1);
      const exchange = await login();
      if (!accepted(exchange) && presents !== 'the right credentials') {
        this.#inARow++;
        this.#failed.set(username, account);
      }
      return exchange;
    });
  }

  /** @throws Undecided where the right credentials are refused: earlier answers may then have been those of a lock. */
  confirm(): Promise<void> {
    return this.#inTurn(() => this.#endRow());
  }

  async #endRow(): Promise<void> {
    for (const [username, account] of this.#failed) {
      await account.token(undefined, { fresh: true });
      this.#failed.delete(username);
    }
    this.#inARow = 0;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

const turnsOf = (target: Target): Promise<Turns> =>
  target.shared('turns of logins', 0, () => Promise.resolve(new Turns()), { isKept: true });

/**
 * Sends a login that may be refused when it is its turn.
 *
 * @param target the first account, whichever account the login is for.
 * @throws Undecided where no more may be sent for this username, or where the target has locked the account.
 */
export async function loginInTurn(
  target: Target,
  account: Target,
  presents: Presents,
  login: () => Promise<Exchange>,
): Promise<Exchange> {
  return (await turnsOf(target)).send(account, presents, login);
}

/** @throws Undecided where the target has locked an account, so that what it answered since tells nothing else. */
export async function confirmUnlocked(target: Target): Promise<void> {
  await (await turnsOf(target)).confirm();
}
