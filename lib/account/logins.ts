import { attemptsWorth } from '../http/attempts.ts';
import type { Client } from '../http/client.ts';
import { accepted, type Exchange, type HeaderLine } from '../http/exchange.ts';
import { lineOf, whatCame } from '../http/wording.ts';
import type { Masker } from '../judging/masker.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { FULL_ACCESS } from '../spec/operations.ts';
import { tokenIn } from '../spec/reading.ts';
import { ask, pathOf, type RequestOverrides } from '../spec/requests.ts';
import { type Issued, lifetimeMs, wasEndedByLogin } from './token-life.ts';
import { concealTokens } from './token-search.ts';

export interface Credentials {
  readonly username: string;
  readonly password: Secret;
}

interface Login {
  readonly exchange: Exchange;
  readonly token?: Secret;
}

/** The logins of one account, and its tokens: one for each set of scopes, fetched once in a run. */
export class Logins {
  readonly credentials: Credentials | undefined;
  readonly #client: Client;
  readonly #masker: Masker;
  readonly #extra: readonly HeaderLine[];
  readonly #panelToken: Secret | undefined;
  readonly #known = new Map<string, Promise<Login>>();
  /** The last login for these scopes that gave a token. */
  readonly #successful = new Map<string, Login>();
  /** How often in a row a login for these scopes got no answer. */
  readonly #lost = new Map<string, number>();
  #isRenewable = true;
  #begun = 0;
  #underWay = 0;
  /** When the last login was answered, by `performance.now()`. */
  #lastEndedAt = Number.NEGATIVE_INFINITY;
  /** The tokens of this run. */
  readonly #issued = new Map<Secret, Issued>();
  /** The least age at which a token is known to have ended, in milliseconds. */
  #endsAfterMs = Number.POSITIVE_INFINITY;
  /** The greatest age at which a token was accepted, in milliseconds. */
  #worksUntilMs = 0;
  /** How long after the login that followed it a token was accepted at most, in milliseconds. */
  #outlivedMs = 0;
  #hasReplaced = false;
  #hasSeenEnd = false;
  #endsEarlier = false;
  #isLockedOut = false;

  constructor(parts: {
    readonly client: Client;
    readonly masker: Masker;
    readonly extraHeaders: readonly HeaderLine[];
    readonly credentials?: Credentials | undefined;
    /** A token from the control panel, which stands in for the login if there are no credentials. */
    readonly panelToken?: Secret | undefined;
  }) {
    this.#client = parts.client;
    this.#masker = parts.masker;
    this.#extra = parts.extraHeaders;
    this.credentials = parts.credentials;
    this.#panelToken = parts.panelToken;
  }

  /** Sends a login with any body. A token in the answer is a secret from then on. */
  async send(body: unknown, overrides?: RequestOverrides): Promise<Exchange> {
    if (body instanceof Secret) this.#concealPassword(body);
    this.#begun++;
    this.#underWay++;
    try {
      const parts = { body, contentType: true, extra: this.#extra, overrides };
      const exchange = await this.#client.send(ask('login', pathOf.login(), parts));
      concealTokens(exchange, this.#masker);
      const at = exchange.startedAt + exchange.durationMs;
      if (tokenIn(exchange) !== undefined)
        for (const issued of this.#issued.values()) issued.followedAt ??= at;
      return exchange;
    } finally {
      this.#underWay--;
      this.#lastEndedAt = performance.now();
    }
  }

  /** A wrong password may be nearly the right one, so it is a secret, too. The username is none. */
  #concealPassword(body: Secret): void {
    const [{ password }, { password: label }] = [body.reveal(), body.label].map(
      (text) => JSON.parse(text) as { readonly password?: unknown },
    ) as [{ readonly password?: unknown }, { readonly password?: unknown }];
    const isUsername = password === this.credentials?.username;
    if (typeof password === 'string' && typeof label === 'string' && label.startsWith('$') && !isUsername)
      this.#masker.add(new Secret(password, label));
  }

  /** Whether no login that could have ended this token was under way when it was issued, or has begun since. */
  isUndisturbed(token: Secret): boolean {
    return this.#issued.get(token)?.undisturbed === this.#begun;
  }

  /** Whether a login may have changed since then, by `performance.now()`, which tokens work. */
  hasLoggedInSince(moment: number): boolean {
    return this.#underWay > 0 || this.#lastEndedAt > moment;
  }

  /** The login with the right credentials for these scopes, made once in a run. */
  login(scopes: readonly string[] = FULL_ACCESS): Promise<Login> {
    return this.#known.get(scopes.join(' ')) ?? this.#again(scopes);
  }

  /**
   * A token for these scopes, from a login made once in a run; with `fresh`, from a new login, and in use from then on.
   *
   * @throws Undecided if the login gives none.
   */
  async token(scopes: readonly string[] = FULL_ACCESS, fresh = false): Promise<Secret> {
    if (this.credentials === undefined && this.#panelToken !== undefined && scopes === FULL_ACCESS)
      return this.#panelToken;
    const { exchange, token } = await (fresh ? this.#again(scopes) : this.login(scopes));
    if (token !== undefined) return token;
    const without = accepted(exchange) ? ' without a usable access_token' : '';
    throw new Undecided(
      'failure',
      `there is no token to ask with: ${lineOf(exchange)} with the given credentials ${whatCame(exchange)}${without}`,
      exchange,
    );
  }

  /**
   * Whether a token of this run may have ended by its age: tokens as old have, or it says so itself (RFC 7519, 4.1.4), or
   * tokens end on this target and none as old was accepted.
   */
  mayHaveEnded(token: Secret): boolean {
    const issued = this.#issued.get(token);
    if (issued === undefined) return false;
    const age = performance.now() - issued.at;
    const ends = Math.min(this.#endsAfterMs, lifetimeMs(token) ?? Number.POSITIVE_INFINITY);
    return age >= ends - AGE_MARGIN_MS || (this.#hasReplaced && age > this.#worksUntilMs);
  }

  /** A request with this token that began at that moment (by `performance.now()`) was accepted. */
  noteSuccess(token: Secret, startedAt: number): void {
    const issued = this.#issued.get(token);
    const { at = startedAt, followedAt = startedAt } = issued ?? {};
    if (issued !== undefined) issued.usedAt = startedAt;
    this.#worksUntilMs = Math.max(this.#worksUntilMs, startedAt - at);
    this.#outlivedMs = Math.max(this.#outlivedMs, startedAt - followedAt);
  }

  /** How long after another login of the account a token still worked, in milliseconds; 0 if none was seen to. */
  get outlivedMs(): number {
    return this.#outlivedMs;
  }

  /** Whether a token of this run has ended, for whatever reason. */
  get hasSeenEnd(): boolean {
    return this.#hasSeenEnd;
  }

  /** Whether a token in use has ended after another login, younger than tokens are that end by age: at once or a little later. */
  get endsEarlier(): boolean {
    return this.#endsEarlier;
  }

  /** How long ago a token was issued, in milliseconds; endless for one that this run did not fetch. */
  ageMs(token: Secret): number {
    return performance.now() - (this.#issued.get(token)?.at ?? Number.NEGATIVE_INFINITY);
  }

  /** Whether a token of this run permits all four operations. */
  permitsAll(token: Secret): boolean {
    return this.#issued.get(token)?.scopes.includes(FULL_ACCESS[0]) === true;
  }

  /**
   * Replaces a token that no longer works by one for the same scopes. Of several callers the first one logs in.
   *
   * @throws Undecided if that login gives none.
   */
  async renew(ended: Secret): Promise<Secret | undefined> {
    if (this.credentials === undefined || !this.#isRenewable) return undefined;
    const issued = this.#issued.get(ended);
    const scopes = issued?.scopes ?? FULL_ACCESS;
    const { token } = await this.login(scopes);
    // Several callers may come here at once: only the first one logs in.
    if (token === ended && issued?.isReplaced === false) {
      issued.isReplaced = true;
      this.#hasReplaced = true;
      // A token that only a login ends stays until the end: the login that closes the run is the last one.
      if (!wasEndedByLogin(issued, performance.now())) this.#client.budget.noteTokensEnd();
      void this.#again(scopes);
    }
    const { token: fresh, exchange } = await this.login(scopes);
    if (fresh !== undefined && fresh !== ended) return fresh;
    // Another login may not fail. One without an answer may be a reason to ask again.
    if (issued !== undefined) issued.isReplaced = false;
    const came = fresh === undefined ? [exchange] : [];
    throw new Undecided('failure', 'the login for another one gives none', ...came);
  }

  /** The last login with the right credentials gave no token, though an earlier one did: wrong ones may have locked it. */
  get isLockedOut(): boolean {
    return this.#isLockedOut;
  }

  /** A token was refused where the one that replaced it was accepted. If no other login came between, it ended by age. */
  noteEnd(ended: Secret, fresh: Secret): void {
    const [before, after] = [this.#issued.get(ended), this.#issued.get(fresh)];
    if (before === undefined || after === undefined) return;
    this.#hasSeenEnd = true;
    if (after.undisturbed === (before.undisturbed ?? 0) + 1)
      this.#endsAfterMs = Math.min(this.#endsAfterMs, performance.now() - before.at);
    this.#endsEarlier ||= wasEndedByLogin(before, after.at);
  }

  /** A new token fared no better than the old one: more logins would only use up the budget. */
  stopRenewing(): void {
    this.#isRenewable = false;
  }

  /** Logs in once more after the wrong logins. Its token is in use from then on. */
  async closeWithLogin(): Promise<void> {
    if (this.credentials === undefined) return;
    this.#client.budget.allowClosingLogin();
    const login = await this.#login(FULL_ACCESS);
    if (login.token === undefined) return;
    const key = FULL_ACCESS.join(' ');
    this.#successful.set(key, login);
    this.#known.set(key, Promise.resolve(login));
  }

  /** Logs in and keeps the result, unless the answer was lost and another attempt is worth it. */
  #again(scopes: readonly string[]): Promise<Login> {
    const key = scopes.join(' ');
    const logIn = async (): Promise<Login> => {
      let login: Login | undefined;
      try {
        login = await this.#login(scopes);
        return login;
      } finally {
        this.#keep(key, kept, login);
      }
    };
    const kept = logIn();
    this.#known.set(key, kept);
    return kept;
  }

  /** @param login undefined: it could not be sent. */
  #keep(key: string, kept: Promise<Login>, login: Login | undefined): void {
    const worth = login === undefined ? 0 : attemptsWorth([login.exchange]);
    const lost = worth > 1 ? (this.#lost.get(key) ?? 0) + 1 : 0;
    if (login !== undefined) this.#lost.set(key, lost);
    if (login?.token !== undefined) this.#successful.set(key, login);
    if (this.#known.get(key) !== kept) return;
    // The token before it may still work: it is given up only for another one, or if it is known to have ended.
    const former = login?.token === undefined ? this.#successful.get(key) : undefined;
    const hasEnded = former?.token !== undefined && this.#issued.get(former.token)?.isReplaced === true;
    const isWorthAnother = login === undefined || (lost > 0 && lost < worth);
    if (former !== undefined && !(hasEnded && login === undefined))
      this.#known.set(key, Promise.resolve(former));
    else if (isWorthAnother) this.#known.delete(key);
  }

  async #login(scopes: readonly string[]): Promise<Login> {
    if (this.credentials === undefined)
      throw new Undecided('tester', 'no username and password were given, so no login can be asked');
    const undisturbed = this.#underWay === 0 ? this.#begun + 1 : undefined;
    const exchange = await this.send(loginBody(this.credentials, scopes));
    const token = tokenIn(exchange);
    this.#isLockedOut = token === undefined && exchange.answer !== undefined && this.#issued.size > 0;
    // Nothing else can stand in a header (RFC 6750, 2.1).
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) return { exchange };
    const secret = new Secret(token, labelOf(scopes, this.credentials.password.label));
    this.#masker.add(secret);
    const at = exchange.startedAt + exchange.durationMs;
    this.#issued.set(secret, { at, scopes, undisturbed, isReplaced: false });
    return { exchange, token: secret };
  }
}

/** A token may end between the look at its age and its use. */
const AGE_MARGIN_MS = 500;

/** The name of a token for shells. It tells the accounts apart as the labels of their passwords do. */
const labelOf = (scopes: readonly string[], passwordLabel: string): string => {
  const account = passwordLabel.startsWith('$SECOND_') ? '$SECOND_' : '$';
  return scopes.join() === FULL_ACCESS.join()
    ? `${account}TOKEN`
    : `${account}TOKEN_${scopes.join('_').toUpperCase()}`;
};

/** The body of a login. Its password is shown nowhere. */
export function loginBody({ username, password }: Credentials, scopes: readonly string[]): Secret {
  return new Secret(
    JSON.stringify({ username, password: password.reveal(), scopes }),
    JSON.stringify({ username, password: password.label, scopes }),
  );
}
