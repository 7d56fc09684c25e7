import { setImmediate as nextCycle } from 'node:timers/promises';
import { accepted, answers, type Exchange, statusOf, type Target, Undecided } from '../../lib/check.ts';

/** The most failed logins in a row for one username: a target may lock the account at the third. */
const MOST_FOR_ONE_USERNAME = 2;

/** The most failed logins in a row, whatever their usernames: a target may throttle the client's address. */
const MOST_IN_A_ROW = 3;

/** The most wrong passwords for one username in a run: a target may count them over a longer time. */
const MOST_WRONG_PASSWORDS = 8;

/** Checks that start together add their logins within so many cycles of the event loop. */
const CYCLES = 10;

/** Wrong credentials are refused with 302 (4.1), or by a validator. */
const USUAL_REFUSALS = [302, 422];

/**
 * What a login presents. A wrong password is one for the username of an account. Unlikely credentials are wrong ones that are
 * sent last, because the budget may have no login left for them. Right credentials may be refused if their form is unusual.
 * A right login has a form that the target must accept, or, if the form is open, probably accepts: both end a row of failed
 * logins.
 */
type Presents =
  | 'a wrong password'
  | 'other wrong credentials'
  | 'unlikely credentials'
  | 'right credentials that may be refused'
  | 'a right login'
  | 'a right login of an open form';

/** A login, or several at once, that waits for its turn. */
interface Waiting {
  readonly accounts: readonly Target[];
  readonly presents: Presents;
  /** @param failed the username of the last refused wrong password, if no other login was sent since. */
  readonly login: (failed: string | undefined) => Promise<readonly Exchange[]>;
  readonly settle: (sent: Promise<readonly Exchange[]>) => void;
}

/**
 * A queue of logins that may be refused. It sends them one after another, with a right login after every few failures,
 * in an order that needs few additional right logins.
 */
class Turns {
  readonly #waiting: Waiting[] = [];
  #isSending = false;
  /** The username of the last refused wrong password, if no other login was sent since. */
  #failed: string | undefined;
  /** The number of failed logins since the last right one. */
  #inARow = 0;
  /** By username, the number of wrong passwords since its last right login. */
  readonly #rows = new Map<string, { readonly account: Target; readonly failed: number }>();
  readonly #wrongPasswords = new Map<string, number>();
  #hasMetLock = false;
  #hasLastingLock = false;
  /** The statuses with which wrong credentials are refused while nothing is locked. */
  readonly #refusals = new Set(USUAL_REFUSALS);

  send(
    accounts: readonly Target[],
    presents: Presents,
    login: Waiting['login'],
  ): Promise<readonly Exchange[]> {
    return new Promise((resolve) => {
      this.#waiting.push({ accounts, presents, login, settle: resolve });
      void this.#sendAll();
    });
  }

  /** @throws Undecided if right credentials were refused. Then a lock may have caused the earlier refusals as well. */
  async confirm(): Promise<void> {
    await this.send([], 'a right login', async () => {
      await this.#endRow();
      if (this.#hasMetLock)
        throw new Undecided(
          'choice',
          'the right credentials were refused for a while, as if the account was locked',
        );
      return [];
    });
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (await this.#untilAllWait(); this.#waiting.length > 0; await this.#untilAllWait()) {
      const next = this.#pick();
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      const sent = this.#send(next);
      next.settle(sent);
      await sent.catch(() => undefined);
    }
    this.#isSending = false;
  }

  /**
   * Waits until no more logins are added.
   */
  async #untilAllWait(): Promise<void> {
    let before: number;
    do {
      before = this.#waiting.length;
      for (let cycle = 0; cycle < CYCLES; cycle++) await nextCycle();
    } while (this.#waiting.length > before);
  }

  #pick(): Waiting {
    const [first] = this.#waiting as [Waiting, ...Waiting[]];
    const ofKind = (presents: Presents): Waiting[] =>
      this.#waiting.filter((one) => one.presents === presents);
    const rowOf = ({ accounts: [account] }: Waiting): number =>
      this.#rows.get(account?.credentials.username ?? '')?.failed ?? 0;
    const hasRoom = this.#inARow < MOST_IN_A_ROW;
    const allPasswords = ofKind('a wrong password');
    const many = ({ accounts: [account] }: Waiting): number =>
      allPasswords.filter((one) => one.accounts[0]?.credentials.username === account?.credentials.username)
        .length;
    const isFitting = (one: Waiting): boolean =>
      // Only one account has a row of failed logins at a time, because ending two rows would take two right logins.
      hasRoom && rowOf(one) < MOST_FOR_ONE_USERNAME && (this.#rows.size === 0 || rowOf(one) > 0);
    // The account with the most waiting wrong passwords comes last, because the run ends the last row with a right
    // login anyway.
    const passwords = allPasswords.filter(isFitting).toSorted((one, other) => many(one) - many(other));
    const others = hasRoom ? ofKind('other wrong credentials') : [];
    // Other logins stand in the middle of a row, so that the right login that ends it follows a wrong password.
    const [wrong] = this.#inARow === 1 ? [...others, ...passwords] : [...passwords, ...others];
    if (wrong !== undefined) return wrong;
    const right = [...ofKind('a right login'), ...ofKind('a right login of an open form')]
      .filter((one) => this.#rows.size === 0 || this.#ends(one) > 0)
      .toSorted((one, other) => this.#ends(other) - this.#ends(one));
    const mayBeRefused = ofKind('right credentials that may be refused');
    return this.#inARow > 0 || this.#rows.size > 0
      ? (right[0] ??
          ofKind('a wrong password')[0] ??
          ofKind('other wrong credentials')[0] ??
          mayBeRefused[0] ??
          first)
      : (mayBeRefused[0] ?? right[0] ?? first);
  }

  /**
   * The number of rows that a right login ends; -1 if a login of both accounts has to wait for the next refused wrong
   * password.
   */
  #ends({ accounts }: Waiting): number {
    if (accounts.length > 1 && this.#failed === undefined) return -1;
    return accounts.filter(({ credentials }) => this.#rows.has(credentials.username)).length;
  }

  async #send(waiting: Waiting): Promise<readonly Exchange[]> {
    const { accounts, presents, login } = waiting;
    const [account] = accounts;
    if (account === undefined) return login(this.#failed);
    const { username } = account.credentials;
    if (presents === 'a right login' || presents === 'a right login of an open form')
      return this.#sendRight(waiting);
    const wrong = this.#wrongPasswords.get(username) ?? 0;
    const failed = this.#rows.get(username)?.failed ?? 0;
    if (presents === 'a wrong password') {
      if (wrong >= MOST_WRONG_PASSWORDS)
        throw new Undecided(
          'budget',
          `${MOST_WRONG_PASSWORDS} wrong passwords were sent for this username, and a run sends no more`,
        );
      if (failed >= MOST_FOR_ONE_USERNAME || this.#inARow >= MOST_IN_A_ROW) await this.#endRow(account);
      this.#wrongPasswords.set(username, wrong + 1);
    } else if (
      (presents === 'right credentials that may be refused' && failed > 0) ||
      this.#inARow >= MOST_IN_A_ROW
    )
      // Ends the row first, because a locked account would refuse the right credentials.
      await this.#endRow(account);
    let exchanges = await login(this.#failed);
    if (presents !== 'right credentials that may be refused' && (await this.#areOfLock(exchanges, account)))
      exchanges = await login(this.#failed);
    if (exchanges.every(isLoggedIn)) this.#noteRight(account);
    else if (presents !== 'right credentials that may be refused') {
      const isCompared = presents === 'a wrong password' && !exchanges.some((one) => statusOf(one) === 422);
      this.#failed = isCompared ? username : undefined;
      this.#inARow++;
      if (presents === 'a wrong password')
        this.#rows.set(username, { account, failed: (this.#rows.get(username)?.failed ?? 0) + 1 });
    }
    return exchanges;
  }

  /**
   * Whether a lock of the account, or a ban of the address, caused the refusal of wrong credentials. Waits until it has ended.
   *
   * @throws Undecided if the lock lasts.
   */
  async #areOfLock(exchanges: readonly Exchange[], account: Target): Promise<boolean> {
    // The status of a refused incomplete login is open, so it does not indicate a lock.
    const refused = exchanges.filter((one) => one.ask.regular && one.answer !== undefined && !accepted(one));
    const status = refused.map(statusOf).find((one) => !this.#refusals.has(one));
    if (status === undefined) return false;
    const hasMetLock = await this.#logIn(account);
    this.#noteRight(account);
    if (!hasMetLock) this.#refusals.add(status);
    return hasMetLock;
  }

  /**
   * Sends a right login. If it is refused, a lock may be the cause: sends it again after a plain login has succeeded.
   */
  async #sendRight({ accounts, presents, login }: Waiting): Promise<readonly Exchange[]> {
    const isClean = this.#inARow === 0 && this.#rows.size === 0;
    let exchanges = await login(this.#failed);
    const isInvalid =
      presents === 'a right login of an open form' && exchanges.some((one) => statusOf(one) === 422);
    if (!exchanges.every(isLoggedIn) && !isClean && !isInvalid) {
      await this.#endRow();
      exchanges = await login(this.#failed);
    }
    if (exchanges.every(isLoggedIn)) accounts.forEach((account) => this.#noteRight(account));
    return exchanges;
  }

  #noteRight({ credentials }: Target): void {
    this.#failed = undefined;
    this.#rows.delete(credentials.username);
    this.#inARow = 0;
  }

  /** @param account the account that logs in if no username had a wrong password. */
  async #endRow(account?: Target): Promise<void> {
    const failed = [...this.#rows.values()].map((row) => row.account);
    const all = failed.length === 0 && this.#inARow > 0 && account !== undefined ? [account] : failed;
    for (const one of all) {
      await this.#logIn(one);
      this.#noteRight(one);
    }
  }

  /**
   * Logs in. If the target has locked the account, waits for the end of the lock: some targets count failed logins over
   * a time, even with successful ones between them.
   *
   * @returns whether there was a lock.
   */
  async #logIn(account: Target): Promise<boolean> {
    try {
      await account.token(undefined, { fresh: true });
      return false;
    } catch (error) {
      if (!(error instanceof Undecided) || this.#hasLastingLock) throw error;
      this.#hasMetLock = true;
      this.#hasLastingLock = true;
      await account.token(undefined, { afterLock: true });
      this.#hasLastingLock = false;
      return true;
    }
  }
}

/** A target may refuse a login with 200. */
const isLoggedIn = (exchange: Exchange): boolean =>
  accepted(exchange) && answers.token(exchange) !== undefined;

const turnsOf = (target: Target): Promise<Turns> =>
  target.shared('turns of logins', 0, () => Promise.resolve(new Turns()), { isKept: true });

/**
 * Queues a login that may be refused, and sends it when it is its turn.
 *
 * @param target the first account, whichever account the login is for.
 * @throws Undecided if no more may be sent for this username, or if the target has locked the account.
 */
export async function loginInTurn(
  target: Target,
  account: Target,
  presents: Presents,
  login: () => Promise<Exchange>,
): Promise<Exchange> {
  const turns = await turnsOf(target);
  const [exchange] = await turns.send([account], presents, async () => [await login()]);
  if (exchange === undefined) throw new Error('a login was answered by no exchange');
  return exchange;
}

/** Queues right logins of several accounts, and sends them at the same time when it is their turn. */
export async function loginsInTurn(
  target: Target,
  accounts: readonly Target[],
  logins: Waiting['login'],
): Promise<readonly Exchange[]> {
  return (await turnsOf(target)).send(accounts, 'a right login', logins);
}

/** @throws Undecided if the target has locked an account. Then the lock may have caused all refusals since. */
export async function confirmUnlocked(target: Target): Promise<void> {
  await (await turnsOf(target)).confirm();
}
