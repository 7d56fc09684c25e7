import { loginBody, type Credentials } from '../account/credentials.ts';
import type { Exchange } from '../http/exchange.ts';
import { WAITS } from '../http/waits.ts';
import { Undecided } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import { FULL_ACCESS } from '../spec/operations.ts';
import { filterQuery, namesInBody, type RequestOverrides } from '../spec/requests.ts';
import type { Work } from './work.ts';

/** The five operations for a check. The tags that they make are removed when the check ends. */
export class Operations {
  protected readonly work: Work;

  constructor(work: Work) {
    this.work = work;
  }

  /** The login with the right credentials for these scopes, by default `api`; sent once in a run. */
  async login(scopes?: readonly string[]): Promise<Exchange> {
    const { exchange } = await this.work.account.logins.login(scopes);
    return this.work.noted(exchange);
  }

  /** Sends a login with any body, by default the one that asks for `api` with the right credentials. */
  async sendLogin(
    body: unknown = loginBody(this.credentials, FULL_ACCESS),
    overrides?: RequestOverrides,
  ): Promise<Exchange> {
    return this.work.noted(this.work.account.logins.send(body, overrides));
  }

  /** @throws Undecided if no username and password were given. */
  get credentials(): Credentials {
    const { credentials } = this.work.ownAccount.logins;
    if (credentials !== undefined) return credentials;
    throw new Undecided('tester', 'no username and password were given, so no login can be sent');
  }

  /**
   * A token for these scopes, from a login that is sent once in a run.
   *
   * @param options.fresh whether to send a new login, which replaces that one.
   * @param options.afterLock the same for `api`, once a lock has ended that wrong logins set on the account.
   * @throws Undecided if the login gives no token, or the lock outlasts the wait.
   */
  async token(scopes?: readonly string[], { fresh = false, afterLock = false } = {}): Promise<Secret> {
    const { logins } = this.work.account;
    return afterLock ? logins.tokenAfterLock(WAITS.locked.pausesMs.check) : logins.token(scopes, fresh);
  }

  /**
   * Sends a create.
   *
   * @param body any value. It is sent as JSON, and a `RawBody` unchanged.
   * @param names the names that the tag may get, if the body does not show them.
   */
  async create(
    body: unknown,
    overrides?: RequestOverrides,
    names: readonly string[] = namesInBody(body),
  ): Promise<Exchange> {
    return this.work.create(body, names, this.work.withStandIn('create', overrides));
  }

  /**
   * Sends an update.
   *
   * @param name the name that the tag may get, if the body does not show it.
   */
  async rename(
    tagId: string,
    body: unknown,
    overrides?: RequestOverrides,
    name: string | undefined = namesInBody(body)[0] || undefined,
  ): Promise<Exchange> {
    return this.work.rename(tagId, body, name, this.work.withStandIn('rename', overrides));
  }

  async delete(tagId: string, overrides?: RequestOverrides): Promise<Exchange> {
    return this.work.noted(this.work.account.delete(tagId, this.work.withStandIn('delete', overrides)));
  }

  /**
   * Lists the tags, all or filtered.
   *
   * @param filter a name; or an encoded query, such as `tag=a&tag=b`, whose answer is open.
   */
  async list(filter?: string | { readonly query: string }, overrides?: RequestOverrides): Promise<Exchange> {
    const { account } = this.work;
    if (typeof filter === 'object')
      return this.work.noted(account.list(filter.query, { ...overrides, open: true }));
    const query = filter === undefined ? undefined : filterQuery(filter);
    return this.work.noted(account.list(query, this.work.withStandIn('list', overrides)));
  }
}
