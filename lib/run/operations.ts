import type { Credentials } from '../account/logins.ts';
import type { Exchange } from '../http/exchange.ts';
import { Undecided } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import { filterQuery, namesIn, type RequestOverrides } from '../spec/requests.ts';
import type { Work } from './work.ts';

/** The five operations as one check asks them: what they make is removed when the check ends. */
export class Operations {
  protected readonly work: Work;

  constructor(work: Work) {
    this.work = work;
  }

  /**
   * Something that the run knows and a check asks for: what takes no request, and can be written as JSON.
   *
   * @param _what names it in a record of the run.
   */
  protected known<T>(_what: string, look: () => T): T {
    return look();
  }

  /** The login with the right credentials for these scopes, by default `api`; made once in a run. */
  async login(scopes?: readonly string[]): Promise<Exchange> {
    const { exchange } = await this.work.account.logins.login(scopes);
    return this.work.noted(exchange);
  }

  /** Sends a login with any body. */
  async sendLogin(body: unknown, overrides?: RequestOverrides): Promise<Exchange> {
    return this.work.noted(this.work.account.logins.send(body, overrides));
  }

  /** @throws Undecided if no username and password were given. */
  get credentials(): Credentials {
    const { credentials } = this.work.ownAccount.logins;
    if (credentials !== undefined) return credentials;
    throw new Undecided('tester', 'no username and password were given, so no login can be asked');
  }

  /**
   * A token for these scopes, from a login made once in a run; with `fresh`, from a new login, and in use from then on.
   *
   * @throws Undecided if the login gives none.
   */
  async token(scopes?: readonly string[], { fresh = false } = {}): Promise<Secret> {
    return this.work.account.logins.token(scopes, fresh);
  }

  /**
   * Creates a tag, or tries to.
   *
   * @param body any value; sent as JSON, or as it is where it is a `RawBody`.
   * @param names the names that the tag may get, if the body does not show them.
   */
  async create(
    body: unknown,
    overrides?: RequestOverrides,
    names: readonly string[] = namesIn(body),
  ): Promise<Exchange> {
    return this.work.create(body, names, overrides);
  }

  /** @param name the name that the tag may get, if the body does not show it. */
  async rename(
    tagId: string,
    body: unknown,
    overrides?: RequestOverrides,
    name: string | undefined = namesIn(body)[0] || undefined,
  ): Promise<Exchange> {
    return this.work.rename(tagId, body, name, overrides);
  }

  async delete(tagId: string, overrides?: RequestOverrides): Promise<Exchange> {
    return this.work.noted(this.work.account.delete(tagId, overrides));
  }

  /**
   * Lists the tags; with a filter, those that it lets through.
   *
   * @param filter a name; or a query as it is sent, such as `tag=a&tag=b`, whose answer is open.
   */
  async list(filter?: string | { readonly query: string }, overrides?: RequestOverrides): Promise<Exchange> {
    const { account } = this.work;
    if (typeof filter === 'object')
      return this.work.noted(account.list(filter.query, { ...overrides, open: true }));
    const query = filter === undefined ? undefined : filterQuery(filter);
    return this.work.noted(account.list(query, overrides));
  }
}
