import { setTimeout as sleep } from 'node:timers/promises';
import { accepted, statusOf, type Exchange } from '../http/exchange.ts';
import { whatCame } from '../http/wording.ts';
import { ifDecided, Undecided } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import type { TagOperation } from '../spec/operations.ts';
import { createdIn, listedIn } from '../spec/reading.ts';
import { ask, filterQuery, isOrdinary, pathOf, type RequestOverrides } from '../spec/requests.ts';
import { Bans } from './bans.ts';
import type { Logins } from './logins.ts';
import type { Shared } from './shared.ts';
import { LEAST_IDLE_MS, REFUSALS } from './token-life.ts';

/** Sends tag operations with the token of an account, and replaces the token when it has ended. */
export class Authorised {
  readonly #shared: Shared;
  readonly #logins: Logins;
  readonly #bans: Bans;
  /** For each token, the list under way that shows whether it works. */
  readonly #looks = new Map<Secret, Promise<boolean>>();
  /** For each token, the start of its last accepted request, by `performance.now()`. */
  readonly #lastSuccess = new WeakMap<Secret, number>();
  /** The token that was accepted last. */
  #lastWorking: Secret | undefined;
  /** Whether a token of the run was accepted. */
  #hasWorked = false;
  /** New tokens that were used at once and refused, since the last request that was accepted. */
  readonly #refusedAtOnce = new Set<Secret>();

  constructor(shared: Shared, logins: Logins) {
    this.#shared = shared;
    this.#logins = logins;
    this.#bans = new Bans(shared.client);
  }

  /**
   * Sends an authorised, well-formed request, changed by the overrides.
   *
   * @param mayRepeat whether to send it once more if it may have been refused because of a simultaneous login.
   * @throws Undecided if the token has ended and there is no other.
   */
  async send(
    operation: TagOperation,
    path: string,
    body?: unknown,
    overrides?: RequestOverrides,
    mayRepeat = true,
  ): Promise<Exchange> {
    const put = (token: Secret | undefined): Promise<Exchange> =>
      this.#put(operation, path, { token, body, overrides });
    if (overrides?.token === 'none') return put(undefined);
    const given = overrides?.token ?? overrides?.standIn;
    if (given !== undefined && overrides?.keepsToken === true) return put(given);
    let token = given ?? (await this.#logins.token());
    let exchange = await put(token);
    // This token, which stands in for the run's, may have ended. Any token that works will do: the run's own is sent.
    if (overrides?.standIn !== undefined && (await this.#shared.refusal.mayBe(exchange))) {
      this.#shared.client.retract(exchange);
      const { standIn: _, ...others } = overrides;
      return this.send(operation, path, body, isOrdinary(others) ? undefined : others, mayRepeat);
    }
    if (given === undefined) exchange = await this.#onceKnown(token, exchange, () => put(token));
    for (let renewals = 0; await this.#hasEnded(token, exchange, given !== undefined); renewals++) {
      // Only another login or its age can have ended the new token. If neither did, the refusal has another reason.
      const isRefused = renewals > 0 && this.#logins.isUndisturbed(token);
      const wasUsedAtOnce = this.#ageWhenUsedMs(token, exchange) < LEAST_IDLE_MS;
      if (isRefused && wasUsedAtOnce) this.#refusedAtOnce.add(token);
      // Somebody else may log in, and so end a new token at once, but hardly several in a row.
      const haveEnded = this.#hasWorked || this.#logins.tokens.hasSeenEnd;
      const mayBeChance = haveEnded && this.#refusedAtOnce.size <= MOST_BY_CHANCE;
      const mayHaveEnded = !wasUsedAtOnce || mayBeChance || this.#logins.tokens.mayHaveEnded(token);
      if (isRefused && (renewals >= MOST_RENEWALS || !mayHaveEnded)) {
        if (given === undefined && wasUsedAtOnce) this.#logins.stopRenewing();
        return exchange;
      }
      const fresh = await this.#renewed(token, exchange);
      if (fresh === undefined) return exchange;
      // Retracted first, because the next line may throw, for instance if the budget is used up.
      this.#shared.client.retract(exchange);
      const again = await put(fresh);
      if (accepted(again) && fresh !== token) this.#logins.tokens.noteEnd(token, fresh, exchange);
      [token, exchange] = [fresh, again];
    }
    if (!mayRepeat || !(await this.#worksAgain(token, exchange))) return exchange;
    this.#shared.client.retract(exchange);
    return this.send(operation, path, body, overrides, false);
  }

  /** The age of a token when a request with it was sent, in milliseconds. */
  #ageWhenUsedMs(token: Secret, { startedAt }: Exchange): number {
    return this.#logins.tokens.ageMs(token) - (performance.now() - startedAt);
  }

  /** Whether a refused token works again because another login was given the same token. */
  async #worksAgain(token: Secret, refused: Exchange): Promise<boolean> {
    const { startedAt, durationMs } = refused;
    return (
      (this.#lastSuccess.get(token) ?? 0) > startedAt + durationMs &&
      this.#logins.hasLoggedInSince(startedAt) &&
      (await this.#shared.refusal.mayBe(refused))
    );
  }

  /**
   * A new token may take time to be known everywhere. If it is refused, sends the request again, until the settle time after
   * the login has passed.
   */
  async #onceKnown(token: Secret, refused: Exchange, again: () => Promise<Exchange>): Promise<Exchange> {
    let exchange = refused;
    const isUneven = this.#lastSuccess.has(token);
    for (let pause = this.#shared.settling.mostMs / 50; ; pause *= 2) {
      const left = this.#shared.settling.mostMs - this.#logins.tokens.ageMs(token);
      if (left <= 0 || !(await this.#seemsUnknown(token, exchange, isUneven))) break;
      await sleep(Math.max(1, Math.min(pause, left)));
      const next = await again();
      this.#shared.client.retract(exchange);
      exchange = next;
      if (accepted(next)) this.#shared.settling.noteTokenLag(this.#logins.tokens.ageMs(token), isUneven);
    }
    return exchange;
  }

  /** Whether the refusal may mean that the token is not known here yet. If it was accepted before, only 401 may mean that. */
  async #seemsUnknown(token: Secret, exchange: Exchange, isUneven: boolean): Promise<boolean> {
    return isUneven
      ? statusOf(exchange) === 401 && this.#logins.isUndisturbed(token)
      : !this.#lastSuccess.has(token) && this.#shared.refusal.mayBe(exchange);
  }

  /**
   * Whether a token has ended. One that permits everything has ended if a list refuses it, too. One that may lack a scope
   * can only be judged by its age.
   */
  async #hasEnded(token: Secret, exchange: Exchange, isGiven: boolean): Promise<boolean> {
    try {
      if (this.#isNew(token, exchange, isGiven) || !(await this.#shared.refusal.mayBe(exchange)))
        return false;
      if (isGiven && this.#logins.tokens.mayHaveEnded(token)) return true;
      if (isGiven && !this.#logins.tokens.permitsAll(token)) return false;
      return !(await this.#works(token, exchange.startedAt + exchange.durationMs));
    } catch (error) {
      // The answer may concern the request or the token, and it is not known which.
      if (error instanceof Undecided) this.#shared.client.retract(exchange);
      throw error instanceof Undecided ? error.afterSending() : error;
    }
  }

  /**
   * Whether a refusal cannot mean that the token has ended: it is young, was never accepted, and no login followed it. Where tokens
   * end, even the first one may end before it is used, and some end if they are not used for a while. If the token before it
   * worked, the address may be banned.
   */
  #isNew(token: Secret, refusal: Exchange, isGiven: boolean): boolean {
    const isRefusedList = refusal.ask.operation === 'list' && REFUSALS.has(statusOf(refusal));
    const mayHaveEnded = this.#hasWorked || (isRefusedList && this.#refusedAtOnce.size === 0);
    if (mayHaveEnded && !isGiven) return false;
    const isYoung = this.#ageWhenUsedMs(token, refusal) < LEAST_IDLE_MS && !this.#logins.tokens.hasSeenEnd;
    return isYoung && !this.#lastSuccess.has(token) && this.#logins.isUndisturbed(token);
  }

  /**
   * @param since an accepted request with the token that began after this moment shows that it works. Then no list is sent.
   * @throws Undecided if the target cannot answer the list.
   */
  async #works(token: Secret, since: number): Promise<boolean> {
    // A token that has ended stays so: the look of another caller counts if it shows that.
    const ofAnother = this.#looks.get(token);
    if (ofAnother !== undefined && !(await ofAnother)) return false;
    if ((this.#lastSuccess.get(token) ?? 0) > since) return true;
    const look = this.#look(token).finally(() => this.#looks.delete(token));
    this.#looks.set(token, look);
    return look;
  }

  /** Whether a list with the token is answered as to a token that works. */
  async #look(token: Secret): Promise<boolean> {
    const path = pathOf.list(filterQuery(this.#shared.names.plain()));
    // The answer is open: if the token has ended, it may have any form.
    const list = await this.#put('list', path, { token, overrides: { open: true } });
    if (statusOf(list) >= 500 || list.answer === undefined)
      throw new Undecided(
        'failure',
        `it is not known whether the token has ended: the list ${whatCame(list)}`,
        list,
      );
    return listedIn(list) !== undefined && !(await this.#shared.refusal.mayBe(list));
  }

  async #put(
    operation: TagOperation,
    path: string,
    parts: {
      readonly token: Secret | undefined;
      readonly body?: unknown;
      readonly overrides?: RequestOverrides | undefined;
    },
  ): Promise<Exchange> {
    const contentType =
      operation === 'list' || operation === 'delete' ? this.#shared.contentType[operation] : true;
    const request = ask(operation, path, {
      ...parts,
      contentType,
      extra: this.#shared.settings.extraHeaders,
    });
    // If the run's own token is refused, the request is sent again. For any other token the refusal is final, so wait until
    // the token is known everywhere.
    const isGiven = (parts.overrides?.token ?? parts.overrides?.standIn) !== undefined;
    if (parts.token !== undefined) await this.#untilKnown(parts.token, !isGiven);
    const exchange = await this.#shared.client.send(request);
    // Updates and deletes show nothing but a 200, which some targets answer to an ended token as well.
    const showsTags = listedIn(exchange) !== undefined || createdIn(exchange) !== undefined;
    if (parts.token !== undefined && accepted(exchange) && showsTags) {
      const { startedAt } = exchange;
      this.#lastSuccess.set(parts.token, startedAt);
      this.#lastWorking = parts.token;
      this.#hasWorked ||= !isGiven;
      this.#refusedAtOnce.clear();
      this.#logins.tokens.noteSuccess(parts.token, startedAt);
    }
    return exchange;
  }

  /**
   * If new tokens are refused at first on this target, waits until this one is old enough.
   *
   * @param isAskedAgain whether a refusal is repeated: then it is enough to wait as long as other tokens took.
   */
  async #untilKnown(token: Secret, isAskedAgain: boolean): Promise<void> {
    const { tokenLagMs, mostMs, isTokenLagUneven } = this.#shared.settling;
    if (tokenLagMs === 0 || (this.#lastSuccess.has(token) && !isTokenLagUneven)) return;
    const wait = (isAskedAgain ? tokenLagMs : mostMs) - this.#logins.tokens.ageMs(token);
    if (wait > 0) await sleep(wait);
  }

  /**
   * Another token, or the same one if it works again after a ban.
   *
   * @throws Undecided if there is no other token: then the answer to the ended one says nothing about the request.
   */
  async #renewed(ended: Secret, refusal: Exchange): Promise<Secret | undefined> {
    if ((await this.#bans.current) === true) return ended;
    try {
      return await this.#logins.renew(ended);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      this.#shared.client.retract(refusal);
      // If the right credentials are refused as well, it may be the address that is refused, or the account is locked. If no
      // login is left to find that out, the token may work again.
      const isOver = async (): Promise<boolean> =>
        (await this.#works(ended, performance.now())) ||
        (await ifDecided(() => this.#logins.renew(ended))) !== undefined;
      const { isLockedOut } = this.#logins;
      const lacksLogins =
        error.outcome.because === 'budget' && !(await this.#doesAnotherWork(ended, refusal));
      const mayBeBanned = isLockedOut || lacksLogins;
      if (mayBeBanned && (await this.#bans.outlast(isOver, isLockedOut ? 1 : 0))) return ended;
      const why = `the token has ended, and there is no other: ${error.message}`;
      const { because, exchanges } = error.outcome;
      throw new Undecided(because, why, refusal, ...exchanges).afterSending();
    }
  }

  /** Whether another token works since this one was refused. Then the address is not banned. */
  async #doesAnotherWork(refused: Secret, { startedAt }: Exchange): Promise<boolean> {
    const other = this.#lastWorking;
    const works = async (): Promise<boolean> => other !== undefined && this.#works(other, startedAt);
    return other !== refused && (await ifDecided(works)) === true;
  }
}

/** After so many replacements, a refusal of a token that no login disturbed is final. */
const MOST_RENEWALS = 3;

/** How many new tokens in a row may be refused by chance. */
const MOST_BY_CHANCE = 2;
