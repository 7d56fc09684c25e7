import { attemptsWorth, isGatewayError } from '../http/retryable.ts';
import { accepted, slim, type Exchange } from '../http/exchange.ts';
import { WAITS } from '../http/waits.ts';
import { lineOf, whatCame } from '../http/wording.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { FULL_ACCESS, isScope } from '../spec/operations.ts';
import { tokenIn } from '../spec/reading.ts';
import { ask, pathOf, type RequestOverrides } from '../spec/requests.ts';
import { labelOf, loginBody, type Credentials } from './credentials.ts';
import type { Shared } from './shared.ts';
import { wasEndedByLogin } from './token-life.ts';
import { Tokens } from './tokens.ts';

interface Login {
  readonly exchange: Exchange;
  readonly token?: Secret;
}

/** What an account is accessed with. */
export interface Access {
  readonly credentials?: Credentials | undefined;
  /** A token from the control panel, which is used if there are no credentials. */
  readonly panelToken?: Secret | undefined;
}

/** The logins for one set of scopes. */
interface LoginsForScopes {
  /** The login whose result is used. */
  current?: Promise<Login>;
  lastSuccess?: Login;
  /** The number of logins in a row without an answer, and the last of them. */
  lost: number;
  lastLost?: Exchange | undefined;
}

/** The logins of one account, and its tokens. There is one token for each set of scopes, fetched once in a run. */
export class Logins {
  readonly credentials: Credentials | undefined;
  readonly #shared: Shared;
  readonly #panelToken: Secret | undefined;
  readonly #byScopes = new Map<string, LoginsForScopes>();
  /** Whether ended tokens are still replaced. */
  isRenewable = true;
  /** The number of logins that were sent. */
  begun = 0;
  #underWay = 0;
  /** Whether a login was refused. */
  #hasFailed = false;
  /** When the last login ended, by `performance.now()`. */
  #lastEndedAt = Number.NEGATIVE_INFINITY;
  readonly tokens = new Tokens();
  /** The logins that gave a token. */
  readonly granted: Exchange[] = [];
  /** The last login with the right credentials was refused although an earlier one succeeded: the account may be locked. */
  isLockedOut = false;
  /** Waiting for the end of a lock was in vain. */
  #isLockLasting = false;

  constructor(shared: Shared, { credentials, panelToken }: Access) {
    this.#shared = shared;
    this.credentials = credentials;
    this.#panelToken = panelToken;
  }

  /** Sends a login with any body. A token in the answer becomes a secret. */
  async send(body: unknown, overrides?: RequestOverrides): Promise<Exchange> {
    if (body instanceof Secret) this.#concealPassword(body);
    this.begun++;
    this.#underWay++;
    try {
      const parts = { body, contentType: true, extra: this.#shared.settings.extraHeaders, overrides };
      const exchange = await this.#shared.client.send(ask('login', pathOf.login(), parts));
      if (exchange.answer !== undefined && !accepted(exchange)) this.#hasFailed = true;
      if (tokenIn(exchange) !== undefined) {
        this.tokens.noteAnother(exchange.startedAt + exchange.durationMs);
        this.granted.push(slim(exchange));
      }
      return exchange;
    } finally {
      this.#underWay--;
      this.#lastEndedAt = performance.now();
    }
  }

  /** Makes a wrong password a secret, because it may be similar to the right one. The username is no secret. */
  #concealPassword(body: Secret): void {
    const [{ password }, { password: label }] = [body.reveal(), body.label].map(
      (text) => JSON.parse(text) as { readonly password?: unknown },
    ) as [{ readonly password?: unknown }, { readonly password?: unknown }];
    const isUsername = password === this.credentials?.username;
    if (typeof password === 'string' && typeof label === 'string' && label.startsWith('$') && !isUsername)
      this.#shared.masker.add(new Secret(password, label));
  }

  /** Whether no other login was under way when this token was issued, and none has begun since. */
  isUndisturbed(token: Secret): boolean {
    return this.tokens.of(token)?.loginNumber === this.begun;
  }

  /** Whether a login was under way after this moment (by `performance.now()`): it may have changed which tokens work. */
  hasLoggedInSince(moment: number): boolean {
    return this.#underWay > 0 || this.#lastEndedAt > moment;
  }

  /** The login with the right credentials for these scopes, sent once in a run. */
  login(scopes: readonly string[] = FULL_ACCESS): Promise<Login> {
    return this.#of(scopes).current ?? this.#again(scopes);
  }

  /**
   * A token for these scopes, from a login that is sent once in a run. With `fresh`, from a new login, which replaces it.
   * If the login for another one is refused, the earlier token, even if it has ended: the caller finds out.
   *
   * @throws Undecided if the login gives no token.
   */
  async token(scopes: readonly string[] = FULL_ACCESS, fresh = false): Promise<Secret> {
    if (this.credentials === undefined && this.#panelToken !== undefined && scopes === FULL_ACCESS)
      return this.#panelToken;
    const logIn = (): Promise<Login> => (fresh ? this.#again(scopes) : this.login(scopes));
    const first = await logIn();
    // A gateway that lost the answer says nothing about these scopes.
    const { exchange, token } = isGatewayError(first.exchange) ? await logIn() : first;
    const usable = token ?? (fresh ? undefined : this.#of(scopes).lastSuccess?.token);
    if (usable !== undefined) return usable;
    const without = accepted(exchange) ? ' without a usable access_token' : '';
    throw new Undecided(
      'failure',
      `there is no token to ask with: ${lineOf(exchange)} with the given credentials ${whatCame(exchange)}${without}${this.isLockedOut ? LOCKED : ''}`,
      exchange,
    );
  }

  /**
   * A token from a new login, once a lock has ended that wrong logins set on the account.
   *
   * @param pausesMs how long to wait before each attempt, in milliseconds.
   * @throws Undecided if the last attempt gives none.
   */
  async tokenAfterLock([pauseMs = 0, ...more]: readonly number[]): Promise<Secret> {
    await this.#shared.client.pace.wait(pauseMs);
    try {
      return await this.token(FULL_ACCESS, true);
    } catch (error) {
      this.#isLockLasting = this.isLockedOut && more.length === 0;
      if (more.length === 0 || !this.isLockedOut) throw error;
      return this.tokenAfterLock(more);
    }
  }

  /**
   * Replaces an ended token with one for the same scopes.
   *
   * @throws Undecided if that login gives no token.
   */
  async renew(ended: Secret): Promise<Secret | undefined> {
    if (this.credentials === undefined || !this.isRenewable) return undefined;
    const issued = this.tokens.of(ended);
    const scopes = issued?.scopes ?? FULL_ACCESS;
    const { token } = await this.login(scopes);
    // Several callers may come here at once: only the first one logs in.
    let isFirst = false;
    if (token === ended && issued?.isReplaced === false) {
      issued.isReplaced = true;
      this.tokens.hasReplaced = true;
      // If only logins end tokens, the token of the closing login lasts: no login follows it.
      if (!wasEndedByLogin(issued, performance.now())) this.#shared.client.budget.noteTokensEnd();
      isFirst = true;
      void this.#again(scopes);
    }
    const { token: fresh, exchange } = await this.login(scopes);
    if (fresh !== undefined && fresh !== ended) {
      if (isFirst) this.#shared.client.budget.forgiveLogin();
      return fresh;
    }
    // Another login may succeed, so the token may be renewed again. A login without an answer may be worth a retry.
    if (issued !== undefined) issued.isReplaced = false;
    const came = fresh === undefined ? exchange : this.#of(scopes).lastLost;
    throw new Undecided(
      'failure',
      `the login for another one ${came === undefined ? 'gives none' : whatCame(came)}`,
      ...(came === undefined ? [] : [came]),
    );
  }

  /** Whether the run's token may have ended, so that the next request may need another login. */
  get mayLackToken(): boolean {
    const { token } = this.#of(FULL_ACCESS).lastSuccess ?? {};
    return token === undefined || this.tokens.mayHaveEnded(token);
  }

  /** Stops renewing tokens: a new token was refused like the old one, so more logins would only use up the budget. */
  stopRenewing(): void {
    this.isRenewable = false;
  }

  /**
   * Logs in once more after the wrong logins. If they have locked the account, waits for the end of the lock. The run uses
   * the token of this login from then on.
   */
  async closeWithLogin(): Promise<void> {
    if (this.credentials === undefined) return;
    const { budget, pace } = this.#shared.client;
    budget.allowClosingLogin();
    const failedBefore = budget.traffic.failedLogins;
    let login = await this.#login(FULL_ACCESS);
    for (const pauseMs of WAITS.locked.pausesMs.check) {
      if (!this.isLockedOut || this.#isLockLasting) break;
      // The login is sent again, so the refused one does not count.
      budget.forgiveFailedLogins(failedBefore);
      await pace.wait(pauseMs);
      login = await this.#login(FULL_ACCESS);
    }
    this.#isLockLasting = this.isLockedOut;
    if (login.token === undefined) return;
    Object.assign(this.#of(FULL_ACCESS), { lastSuccess: login, current: Promise.resolve(login) });
  }

  #of(scopes: readonly string[]): LoginsForScopes {
    const key = scopes.join(' ');
    const logins = this.#byScopes.get(key) ?? { lost: 0 };
    this.#byScopes.set(key, logins);
    return logins;
  }

  /** Logs in and keeps the result, unless the answer was lost and a retry is worth it. */
  #again(scopes: readonly string[]): Promise<Login> {
    const logins = this.#of(scopes);
    const logIn = async (): Promise<Login> => {
      let login: Login | undefined;
      try {
        login = await this.#login(scopes);
        // A server may close an idle connection just as the client uses it.
        if (login.exchange.failure?.kind === 'closed' && logins.lastSuccess !== undefined)
          login = await this.#login(scopes, { opensConnection: true });
        return login;
      } finally {
        this.#keep(logins, kept, login);
      }
    };
    const kept = logIn();
    logins.current = kept;
    return kept;
  }

  /** @param login undefined if it could not be sent. */
  #keep(logins: LoginsForScopes, kept: Promise<Login>, login: Login | undefined): void {
    const worth = login === undefined ? 0 : attemptsWorth([login.exchange]);
    if (login !== undefined) {
      logins.lost = worth > 1 ? logins.lost + 1 : 0;
      logins.lastLost = worth > 1 ? login.exchange : undefined;
    }
    if (login?.token !== undefined) logins.lastSuccess = login;
    if (logins.current !== kept) return;
    // The earlier token may still work: it is dropped only for another token, or if it is known to have ended.
    const former = login?.token === undefined ? logins.lastSuccess : undefined;
    const hasEnded = former?.token !== undefined && this.tokens.of(former.token)?.isReplaced === true;
    if (former !== undefined && !(hasEnded && login === undefined)) logins.current = Promise.resolve(former);
    else if (login === undefined || (logins.lost > 0 && logins.lost < worth)) delete logins.current;
  }

  async #login(scopes: readonly string[], overrides?: RequestOverrides): Promise<Login> {
    if (this.credentials === undefined)
      throw new Undecided('tester', 'no username and password were given, so no login can be sent');
    const loginNumber = this.#underWay === 0 ? this.begun + 1 : undefined;
    const exchange = await this.send(loginBody(this.credentials, scopes), overrides);
    const token = tokenIn(exchange);
    this.isLockedOut = token === undefined && exchange.answer !== undefined && this.tokens.count > 0;
    if (this.isLockedOut && this.#hasFailed && accepted(exchange) && areDistinct(scopes))
      this.#shared.signs.record(
        'login-without-token',
        `a login with the right credentials ${whatCame(exchange)} without an access_token, after a failed one, although earlier ones were given tokens`,
        exchange,
      );
    // Only visible ASCII characters, without blanks, fit into the header (RFC 9110, 5.5).
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) return { exchange };
    const secret = new Secret(token, labelOf(scopes, this.credentials.password.label));
    this.#shared.masker.add(secret);
    const at = exchange.startedAt + exchange.durationMs;
    this.tokens.add(secret, { at, scopes, loginNumber, isReplaced: false });
    return { exchange, token: secret };
  }
}

/** Whether these are scopes of the specification, each of them once. Whether a login for any other list is accepted is open. */
const areDistinct = (scopes: readonly string[]): boolean =>
  new Set(scopes).size === scopes.length && scopes.every(isScope);

const LOCKED =
  ', although an earlier login succeeded: wrong logins, or many requests, may have locked the account or this address. Unlock it, and exempt it before the next run';
