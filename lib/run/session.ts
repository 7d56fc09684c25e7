import { Account } from '../account/account.ts';
import type { Ledger } from '../account/ledger.ts';
import { Names } from '../account/names.ts';
import { Settling } from '../account/settling.ts';
import type { ContentType, Shared } from '../account/shared.ts';
import { TokenRefusal } from '../account/token-refusal.ts';
import { Signs } from '../account/signs.ts';
import type { TagRecord } from '../account/tag-record.ts';
import { concealTokens } from '../account/token-search.ts';
import { WriteOutage } from '../account/write-outage.ts';
import type { Effort } from '../effort.ts';
import type { Client } from '../http/client.ts';
import type { Exchange, HeaderLine } from '../http/exchange.ts';
import type { Masker } from '../judging/masker.ts';
import type { Lack } from '../outcome.ts';
import type { Secret } from '../secret.ts';
import type { Listed } from '../spec/reading.ts';
import { Losses } from './losses.ts';
import { Quota } from './quota.ts';
import { SharedWork, type Doing } from './shared-work.ts';
import { Slots } from './slots.ts';

export interface SessionSettings {
  readonly base: URL;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
  readonly panelToken?: Secret | undefined;
  readonly second?: { readonly username: string; readonly password: Secret } | undefined;
  readonly extraHeaders: readonly HeaderLine[];
  readonly allowsHttp: boolean;
  readonly seed: string;
  /** Leads to the one case of a property that is asked; undefined: all cases. */
  readonly path?: string | undefined;
  readonly effort: Effort;
  readonly settleMs: number;
  readonly maxLiveTags: number;
  /** The most that a run may take, in milliseconds. */
  readonly maxTimeMs: number;
  /** The most requests per second; undefined: no limit. */
  readonly maxRps?: number | undefined;
}

/** The first step of the preflight that failed. */
export interface Obstacle {
  readonly step: 'reach the target' | 'log in' | 'list' | 'create' | 'find what was created' | 'delete';
  readonly why: string;
  readonly exchanges: readonly Exchange[];
  /** If the tester may have given a wrong address or wrong credentials: what it looks like, and what to check. */
  readonly slip?: string | undefined;
}

/** Why a run no longer waits for its checks. */
interface Over {
  readonly because: Lack;
  readonly why: string;
}

/** If deletes have no effect, a run makes at most this many times as many tags as it may have at once. */
const MOST_LEFT_FACTOR = 2;

/** The requests to remove a tag: to look for it, to delete it, and to do both again. */
const TIDYING_EACH = 4;

/** The requests for the login, and for the lists before and after. */
const TIDYING_LISTS = 6;

/** How many tags are looked up or removed at the same time while tidying up: each may take a large list. */
export const AT_ONCE = 4;

/**
 * Tidying up takes so many requests one after another, and two more for each group of tags that are removed at the same time.
 */
const TIDYING_ROUNDS = 3;

/**
 * With more tags of strangers, an unfiltered list takes longer than several filtered ones. With fewer, these would use up the
 * requests of a run.
 */
const SHORT_LIST = 1_000;

/** The state of one run: its accounts, its client, and everything that checks share. */
export class Session implements Shared {
  readonly settings: SessionSettings;
  readonly client: Client;
  readonly masker: Masker;
  readonly ledger: Ledger;
  readonly names = new Names();
  readonly signs = new Signs();
  readonly contentType: ContentType = { list: true, delete: true };
  readonly refusal = new TokenRefusal(
    () => this.first.list(undefined, { token: 'none' }),
    () => this.contentType.list,
  );
  readonly settling: Settling;
  readonly slots: Slots;
  readonly writeOutage: WriteOutage;
  readonly quota: Quota;
  readonly losses: Losses;
  readonly sharedWork: SharedWork;
  /** Checks and shared work that have ended, until there was a second attempt to remove their tags. */
  readonly ended = new Set<Doing>();
  readonly first: Account;
  readonly second: Account | undefined;
  /** If deletes have no effect, the run makes no more tags once this many are left. */
  readonly mostLeft: number;
  /** Resolves when all checks have ended, except those of requirements `throughout`. */
  readonly othersDone: Promise<void>;
  haveOthersEnded = false;
  endOthers: () => void = () => undefined;
  /** Logins kept for the phase `logins`. */
  loginsKept = 0;
  /** A tag that stays unchanged until the end of the run. */
  keeper: { readonly tagId: string; readonly name: string } | undefined;
  /** The list before the run made its first tag; undefined if it could not be read. */
  before: readonly Listed[] | undefined;
  /** The step at which the preflight failed. */
  obstacle: Obstacle | undefined;
  /** Set when the run ends: from then on checks and shared work ask for nothing more. */
  over: Over | undefined;
  /** The first fault of the suite itself: then no verdict of this run can be trusted. */
  fault: Error | undefined;

  constructor(settings: SessionSettings, client: Client, masker: Masker, ledger: Ledger) {
    const { username, password, panelToken, second, settleMs, maxLiveTags } = settings;
    this.settings = settings;
    this.client = client;
    this.masker = masker;
    this.ledger = ledger;
    this.settling = new Settling(settleMs, this.signs, ({ ask }) => {
      client.budget.forgive(ask.operation);
    });
    this.slots = new Slots(maxLiveTags);
    this.writeOutage = new WriteOutage(client, this.slots.creating, () => this.first);
    this.quota = new Quota(settleMs);
    this.sharedWork = new SharedWork(this.ended);
    this.mostLeft = maxLiveTags * MOST_LEFT_FACTOR;
    this.othersDone = new Promise((resolve) => {
      this.endOthers = () => {
        this.haveOthersEnded = true;
        resolve();
      };
    });
    const usernames = [username, second?.username].filter((one) => one !== undefined);
    this.losses = new Losses({
      isLiving: (tagId) => this.accounts.some(({ tags }) => isThere(tags.withId(tagId))),
      usernames,
    });
    // This listener comes first, so that the masker knows each token before another listener writes it.
    client.listeners.push({ ended: (exchange) => concealTokens(exchange, masker, usernames) }, this.losses);
    client.budget.tidying = () => this.#tidying();
    const credentials = username === undefined || password === undefined ? undefined : { username, password };
    this.first = new Account('first', this, { credentials, panelToken });
    this.second = second === undefined ? undefined : new Account('second', this, { credentials: second });
  }

  /** Notes a fault of the suite. The first one is kept. */
  noteFault(error: unknown): void {
    this.fault ??= error instanceof Error ? error : new Error(String(error));
  }

  get accounts(): readonly Account[] {
    return this.second === undefined ? [this.first] : [this.first, this.second];
  }

  /** Whether the preflight could not delete its tag. */
  get deletesFail(): boolean {
    return this.obstacle?.step === 'delete';
  }

  /** The most tags that a list shows; undefined as long as lists are not known to be pages. */
  get pageSize(): number | undefined {
    return this.settling.pageSize;
  }

  /** Whether unfiltered lists show all tags, and few of strangers. */
  get hasShortLists(): boolean {
    return this.pageSize === undefined && (this.before?.length ?? Infinity) <= SHORT_LIST;
  }

  /** Whether lists have shown deleted tags again that earlier lists had left out. */
  get deletedReappear(): boolean {
    return this.accounts.some(({ tags }) => tags.deleted.deletedReappear);
  }

  /** How many more tags of the run may exist now. */
  get tagsLeft(): number {
    return this.settings.maxLiveTags - this.#count(({ state }) => state === 'alive');
  }

  /** Whether lists have shown that deletes have a lasting effect. */
  get deletesWork(): boolean {
    return this.accounts.some(({ tags }) => tags.deleted.hasSeenDeletesWork) && !this.deletedReappear;
  }

  /** How many tags may be left on the target: all, as long as it is not known whether deletes have an effect. */
  get mayBeLeft(): number {
    if (!this.deletesWork) return this.#count(({ state }) => state !== 'refused');
    // Hardly any target makes tags of updates. Lists show whether this one does.
    const makesByUpdate = this.#count(({ isOfUpdate, isSeen }) => isOfUpdate && isSeen) > 0;
    return this.#count((tag) => isThere(tag) || (isUnnamed(tag) && (makesByUpdate || !tag.isOfUpdate)));
  }

  /**
   * The number of requests to remove the run's tags. If lists are pages, each tag that may exist has to be looked for by its
   * name.
   */
  #tidying(): number {
    const unclear = this.pageSize === undefined ? 0 : this.#count(({ state }) => state === 'intended');
    const most = this.#count(isThere) * TIDYING_EACH + unclear;
    return most === 0 ? 0 : most + TIDYING_LISTS;
  }

  get hasTimeForOneMore(): boolean {
    return this.client.leftMs > this.tidyingMs(1);
  }

  /** How long it takes to remove the run's tags, and so many more, in milliseconds: see `Forecast` for limited rates. */
  tidyingMs(more = 0): number {
    const tags = this.#count(isThere) + more;
    const rounds = tags === 0 ? 0 : TIDYING_ROUNDS + 2 * Math.ceil(tags / AT_ONCE);
    return rounds * this.client.timeLimit.usualMs;
  }

  #count(isCounted: (record: TagRecord) => boolean): number {
    let count = 0;
    for (const { tags } of this.accounts) for (const record of tags.records) if (isCounted(record)) count++;
    return count;
  }
}

const isThere = (record: TagRecord | undefined): boolean =>
  record?.state === 'alive' || record?.state === 'deleting' || record?.outlivedDelete === true;

/**
 * Whether the create is under way, lists do not show which tag it made although it was acknowledged, or no list could be
 * read that shows whether it made one.
 */
const isUnnamed = ({ state, isUnderWay, creation, mayBeRefused, isUnfound }: TagRecord): boolean =>
  state === 'intended' && (isUnderWay || (creation === undefined ? !isUnfound : !mayBeRefused));
