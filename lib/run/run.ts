import { setTimeout as sleep } from 'node:timers/promises';
import { noteTokensEndedByOthers } from '../account/ended-tokens.ts';
import { noteRefusedCreates, noteRefusedUpdates } from '../account/refused-at-random.ts';
import { undecided, type Lack } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import { Checking } from './checking.ts';
import { Forecast } from '../http/forecast.ts';
import { History } from './history.ts';
import { inventory, type Inventory } from './inventory.ts';
import { removeAll, type Residue } from './residue.ts';
import { unmatchedTags } from './unmatched.ts';
import { Results, type Result } from './results.ts';
import type { Obstacle, Session } from './session.ts';
import type { TargetOf } from './single-checks.ts';
import { SporadicErrors } from './sporadic-errors.ts';
import { Target } from './target.ts';

type Ending = 'whole' | 'cut short' | 'interrupted';

/** The result of the whole run. */
export interface Conclusion {
  readonly results: readonly Result[];
  readonly obstacle?: Obstacle | undefined;
  readonly ended: Ending;
  readonly residue: readonly Residue[];
  readonly inventory?: Inventory | undefined;
  /** The first fault of the suite itself: then no verdict of this run can be trusted. */
  readonly fault?: Error | undefined;
  readonly durationMs: number;
}

/** Why requirements are undecided whose checks have not ended. */
const ENDED = { because: 'failure', why: 'the run ended before this was decided' } as const;

/** How long a run that ends early waits for requests under way before it tidies up, in milliseconds. */
const GRACE_MS = 2_000;

/** How long removing the run's tags may take at most, in milliseconds, and at least, even if the time of the run is over. */
const TIDYING_MS = { most: 30_000, least: 1_000 };

/** The least time kept for tidying up that the report mentions, in milliseconds. */
const TOLD_MS = 5_000;

/** The interval at which the run looks at the time that is left, in milliseconds. */
const LOOK_MS = 1_000;

interface RunParts {
  readonly session: Session;
  readonly requirements: readonly Requirement[];
  /** The share of all requirements of the effort that these are, from 0 to 1. */
  readonly share: number;
  /** Declared answers, by the keys of their questions. */
  readonly declared?: ReadonlyMap<string, unknown> | undefined;
  readonly onResult?: ((result: Result) => void) | undefined;
  /** Called with a sentence that the tester should read at once. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  readonly targetOf?: TargetOf | undefined;
}

/** One run: checks all selected requirements, removes its tags, and concludes. */
export class Run {
  readonly #session: Session;
  readonly #history: History;
  readonly #results: Results;
  readonly #checking: Checking;
  readonly #forecast: Forecast;
  readonly #sporadicErrors = new SporadicErrors();
  readonly #stopped: Promise<void>;
  #stop: () => void = () => undefined;
  #ended: Ending = 'whole';
  #isTidying = false;
  #conclusion: Promise<Conclusion> | undefined;

  constructor({
    session,
    requirements,
    share,
    declared = new Map(),
    onResult = () => undefined,
    onNotice = () => undefined,
    targetOf = (work) => new Target(work),
  }: RunParts) {
    this.#session = session;
    this.#results = new Results(
      requirements,
      declared,
      onResult,
      (error) => session.noteFault(error),
      session.losses,
    );
    this.#checking = new Checking(session, requirements, this.#results, targetOf);
    this.#history = new History(requirements, session.signs);
    this.#forecast = new Forecast({ ...session.settings, share }, onNotice);
    session.client.listeners.push(this.#history, this.#forecast, this.#sporadicErrors);
    session.loginsKept = requirements.reduce((sum, { logins = 0 }) => sum + logins, 0);
    this.#stopped = new Promise((resolve) => (this.#stop = resolve));
  }

  /** The result of one selected requirement, as soon as it is known. */
  result(id: string): Promise<Result> {
    return this.#results.of(id);
  }

  /** Starts the run; a second call returns the same one. */
  conclude(): Promise<Conclusion> {
    this.#conclusion ??= this.#conclude();
    return this.#conclusion;
  }

  /** Ends the run early. Undecided requirements stay undecided, and the run's tags are removed. */
  interrupt(): void {
    this.#end('interrupted', 'the run was interrupted before this was decided');
  }

  /** Ends the run early, because the tester wants no more failures. */
  bail(): void {
    this.#end('cut short', 'left out by --bail, because enough requirements had failed', 'tester');
  }

  #end(ended: Ending, why: string, because: Lack = 'failure'): void {
    if (this.#ended !== 'whole') return;
    this.#ended = ended;
    this.#session.over = { because, why };
    // An interrupted run tidies up as well, so there is nothing to stop.
    if (this.#isTidying) return;
    this.#session.client.stop(why, because);
    this.#stop();
  }

  #outOfTime(keptMs: number): string {
    const kept =
      keptMs < TOLD_MS ? '' : `, without ${Math.round(keptMs / 1_000)} s that were kept to remove its tags`;
    const why = `the time for the whole run (${this.#session.settings.maxTimeMs / 1_000} s) ran out before this was decided${kept}`;
    const { said } = this.#forecast;
    return said === undefined ? why : `${why}. ${said}`;
  }

  async #conclude(): Promise<Conclusion> {
    const started = performance.now();
    await this.#check();
    this.#isTidying = true;
    const { client, obstacle } = this.#session;
    const gone = this.#ended === 'whole' ? client.stopped : undefined;
    const residue = await this.#tidy(gone);
    const others = await inventory(
      this.#session,
      residue.map(({ name }) => name),
    );
    if (residue.length === 0) this.#session.ledger.discard();
    await client.close();
    const { accounts, pageSize, over = ENDED } = this.#session;
    for (const account of accounts)
      account.contradictions.conclude(pageSize !== undefined, (tagId) =>
        accounts.some(({ tags }) => tags !== account.tags && tags.withId(tagId) !== undefined),
      );
    const isQuiet = accounts.every(({ ownership }) => !ownership.haveStrangersChanged);
    const { signs } = this.#session;
    if (client.transport.hasUnasked === true)
      signs.record('unasked-bytes', 'bytes that belong to no request came on a connection after its answers');
    // Other users of the account may have filled a quota, or kept the target busy.
    if (isQuiet) {
      this.#sporadicErrors.conclude(signs);
      noteRefusedCreates(
        accounts.map(({ tags }) => tags.records),
        signs,
      );
    }
    noteRefusedUpdates(accounts, signs);
    noteTokensEndedByOthers(
      accounts.map(({ logins: { tokens, granted } }) => ({ ended: tokens.ended, granted })),
      signs,
    );
    const slip = obstacle?.slip;
    return {
      results: this.#results.conclude(
        slip === undefined ? this.#history : undefined,
        gone,
        slip === undefined ? undecided(over.because, over.why) : undecided('failure', slip),
      ),
      obstacle,
      ended: gone === undefined ? this.#ended : 'cut short',
      residue,
      inventory: others,
      fault: this.#session.fault,
      durationMs: performance.now() - started,
    };
  }

  /** Runs the checks, until they have ended or the run ends early. */
  async #check(): Promise<void> {
    const session = this.#session;
    this.#forecast.start();
    session.client.endWithin(session.settings.maxTimeMs);
    const stopWatching = this.#endInTime();
    const done = new AbortController();
    const grace = (): Promise<void> =>
      sleep(GRACE_MS, undefined, { signal: done.signal }).catch(() => undefined);
    await Promise.race([this.#checking.all(), this.#stopped.then(grace)]);
    session.client.cutOff.now();
    // Shared work may still be under way, and could make tags during the tidying.
    session.over ??= ENDED;
    await Promise.race([session.sharedWork.settled(), grace()]);
    done.abort();
    stopWatching();
  }

  async #tidy(gone: string | undefined): Promise<Residue[]> {
    const { client, accounts } = this.#session;
    const mostMs = Math.max(TIDYING_MS.least, Math.min(TIDYING_MS.most + this.#tidyingMs, client.leftMs));
    if (gone === undefined) client.tidy(mostMs);
    const tooLong = setTimeout(() => client.stop('removing what the run made took too long'), mostMs);
    const removed = await Promise.all(accounts.map((account) => removeAll(account, this.#session)));
    const residue = removed.flat();
    for (const account of accounts) residue.push(...(await unmatchedTags(account, this.#session, residue)));
    clearTimeout(tooLong);
    return residue;
  }

  /** Ends the run early enough to remove its tags. Returns a function that cancels this. */
  #endInTime(): () => void {
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const look = (): void => {
      const keptMs = Math.min(this.#tidyingMs, this.#session.settings.maxTimeMs / 2);
      const leftMs = this.#session.settings.maxTimeMs - keptMs - (performance.now() - started);
      if (leftMs <= 0) this.#end('cut short', this.#outOfTime(keptMs));
      else timer = setTimeout(look, Math.min(leftMs, LOOK_MS));
    };
    look();
    return () => clearTimeout(timer);
  }

  /** The time that removing the run's tags takes, in milliseconds. */
  get #tidyingMs(): number {
    const { client } = this.#session;
    return this.#session.tidyingMs() + this.#forecast.limitedMs(client.budget.tidying());
  }
}
