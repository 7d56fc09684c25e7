import type { Client } from '../http/client.ts';
import { accepted, jsonOf, statusOf, type Exchange, type HeaderLine } from '../http/exchange.ts';
import { lineOf, whatCame } from '../http/wording.ts';
import type { Masker } from '../judging/masker.ts';
import { Undecided } from '../outcome.ts';
import { Secret } from '../secret.ts';
import { ask, pathOf, type RequestOverrides } from '../spec/requests.ts';

export interface Credentials {
  readonly username: string;
  readonly password: Secret;
}

/** Scopes that give access to all endpoints (2). */
export const FULL = ['api'] as const;

interface Login {
  readonly exchange: Exchange;
  readonly token?: Secret;
}

/** One account of the target: its logins, and its tokens, fetched once for a set of scopes. */
export class Account {
  readonly credentials: Credentials | undefined;
  readonly #client: Client;
  readonly #masker: Masker;
  readonly #extra: readonly HeaderLine[];
  readonly #panelToken: Secret | undefined;
  readonly #logins = new Map<string, Promise<Login>>();
  /** Logins that have been waited for in vain. */
  readonly #waitedFor = new Set<string>();
  #renewable = true;
  /** Logins of any kind. */
  #begun = 0;
  #underWay = 0;
  /** The numbers of the logins that gave these tokens while no other was under way. */
  readonly #fetchedAlone = new WeakMap<Secret, number>();

  constructor(parts: {
    readonly client: Client;
    readonly masker: Masker;
    readonly extra: readonly HeaderLine[];
    readonly credentials?: Credentials | undefined;
    /** A token made in the control panel, which stands in for the login where there are no credentials. */
    readonly panelToken?: Secret | undefined;
  }) {
    this.#client = parts.client;
    this.#masker = parts.masker;
    this.#extra = parts.extra;
    this.credentials = parts.credentials;
    this.#panelToken = parts.panelToken;
  }

  /** Sends a login with any body at all. A token in the answer is a secret from here on. */
  async send(body: unknown, departure?: RequestOverrides): Promise<Exchange> {
    const exchange = await this.#counted(() =>
      this.#client.send(
        ask('login', pathOf.login(), {
          body,
          contentType: true,
          extra: this.#extra,
          ...(departure === undefined ? {} : { departure }),
        }),
      ),
    );
    const token = tokenIn(exchange);
    for (const secret of new Set([...(token === undefined ? [] : [token]), ...tokensWithin(exchange)]))
      this.#masker.add(new Secret(secret, '$TOKEN'));
    return exchange;
  }

  async #counted<T>(login: () => Promise<T>): Promise<T> {
    this.#begun++;
    this.#underWay++;
    try {
      return await login();
    } finally {
      this.#underWay--;
    }
  }

  /** No login that could have ended this token was under way when it was fetched, or began since. */
  isUndisturbed(token: Secret): boolean {
    return this.#fetchedAlone.get(token) === this.#begun;
  }

  /** The login with the right credentials for these scopes, made once in a run. */
  login(scopes: readonly string[] = FULL): Promise<Login> {
    return this.#logins.get(scopes.join(' ')) ?? this.#anew(scopes);
  }

  /** Logs in, and keeps what came of it; but a login whose answer was lost may be answered the next time. */
  #anew(scopes: readonly string[]): Promise<Login> {
    const key = scopes.join(' ');
    const attempt = async (): Promise<Login> => {
      let isLost = true;
      try {
        const login = await this.#login(scopes);
        isLost = this.#mayFareBetter(key, login.exchange);
        return login;
      } finally {
        if (isLost && this.#logins.get(key) === kept) this.#logins.delete(key);
      }
    };
    const kept = attempt();
    this.#logins.set(key, kept);
    return kept;
  }

  /** A connection that broke may hold the next time; to wait for an answer in vain costs much, and is tried twice. */
  #mayFareBetter(key: string, { failure }: Exchange): boolean {
    if (failure?.kind !== 'timeout' && failure?.kind !== 'unreadable') return failure?.kind === 'closed';
    const isFirst = !this.#waitedFor.has(key);
    this.#waitedFor.add(key);
    return isFirst;
  }

  /**
   * A token for these scopes.
   *
   * @throws Undecided where the login gives none.
   */
  async token(scopes: readonly string[] = FULL): Promise<Secret> {
    if (this.credentials === undefined && this.#panelToken !== undefined && scopes === FULL)
      return this.#panelToken;
    const { exchange, token } = await this.login(scopes);
    if (token !== undefined) return token;
    throw new Undecided(
      'failure',
      `there is no token to ask with: ${lineOf(exchange)} with the given credentials ${whatCame(exchange)}${accepted(exchange) ? ' without a usable access_token' : ''}`,
      exchange,
    );
  }

  /** Replaces a token that has stopped working; whoever comes second gets what the first one fetched. */
  async renew(ended: Secret): Promise<Secret | undefined> {
    if (this.credentials === undefined || !this.#renewable) return undefined;
    const { token } = await this.login();
    if (token === ended) void this.#anew(FULL);
    return (await this.login()).token;
  }

  /** A new token fared no better than the old one: fetching more would only use up the budget of logins. */
  renewingIsFutile(): void {
    this.#renewable = false;
  }

  /** Logs in anew for these scopes; the token of that login is the one in use from here on. */
  freshToken(scopes: readonly string[]): Promise<Secret> {
    void this.#anew(scopes);
    return this.token(scopes);
  }

  /** Logs in once more after wrong logins; the token of that login is the one in use from here on. */
  async closeWithLogin(): Promise<void> {
    if (this.credentials === undefined) return;
    this.#client.lastLogin();
    const login = this.#login(FULL);
    if ((await login).token !== undefined) this.#logins.set(FULL.join(' '), login);
  }

  /** The right body of a login. */
  body(scopes: readonly string[] = FULL): Secret {
    return loginBody(this.#given(), scopes);
  }

  #given(): Credentials {
    if (this.credentials === undefined) {
      throw new Undecided('tester', 'no username and password were given, so no login can be asked');
    }
    return this.credentials;
  }

  async #login(scopes: readonly string[]): Promise<Login> {
    const number = this.#underWay === 0 ? this.#begun + 1 : undefined;
    const exchange = await this.send(this.body(scopes));
    const token = tokenIn(exchange);
    const label = scopes.join() === FULL.join() ? '$TOKEN' : `$TOKEN_${scopes.join('_').toUpperCase()}`;
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) return { exchange };
    const secret = new Secret(token, label);
    this.#masker.add(secret);
    if (number !== undefined) this.#fetchedAlone.set(secret, number);
    return { exchange, token: secret };
  }
}

/** A login's body, whose password is shown nowhere. */
export function loginBody({ username, password }: Credentials, scopes: readonly string[]): Secret {
  return new Secret(
    JSON.stringify({ username, password: password.reveal(), scopes }),
    JSON.stringify({ username, password: password.label, scopes }),
  );
}

/** So much of an answer to a login is looked through for tokens that stand where they should not. */
const LOOKED_THROUGH = 200_000;

/** Whatever looks like a token in what a login was answered: it may be a real one, wherever it stands. */
function tokensWithin({ answer, failure }: Exchange): string[] {
  const bytes = answer?.bytes ?? failure?.bytes;
  if (bytes === undefined) return [];
  const text = [...(answer?.headers ?? []).map(([, value]) => value), Buffer.from(bytes).toString('latin1')]
    .join('\n')
    .slice(0, LOOKED_THROUGH);
  const named = [...text.matchAll(/access_token["'=:\s]{1,5}([^"'&\s]{8,4096})/g)].map(
    ([, token = '']) => token,
  );
  return [...named, ...(text.match(/(?<![\w-])[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}/g) ?? [])];
}

/** The token in an answer, whatever its status: something to work with, not yet something that is right. */
export function tokenIn(exchange: Exchange): string | undefined {
  const body = jsonOf(exchange);
  if (statusOf(exchange) === 0 || typeof body !== 'object' || body === null) return undefined;
  const token = (body as { access_token?: unknown }).access_token;
  return typeof token === 'string' && token !== '' ? token : undefined;
}
