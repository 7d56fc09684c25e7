import { setTimeout as sleep } from 'node:timers/promises';
import type { Masker } from '../judging/masker.ts';
import { undecided } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import { Asking, ENOUGH, type TargetOf } from './asking.ts';
import type { Conclusion, Ending } from './conclusion.ts';
import { History } from './history.ts';
import { inventory } from './inventory.ts';
import { preflight } from './preflight.ts';
import { removeAll, type Residue } from './residue.ts';
import { Results, type Result } from './results.ts';
import type { Session } from './session.ts';
import { unlessLeftOut } from './undecidable.ts';

/** How long a run that was ended early waits for requests under way before it tidies up, in milliseconds. */
const GRACE_MS = 2_000;

/** How long removing the run's tags may take, in milliseconds. */
const TIDYING_MS = 30_000;

/** One certification: asks all selected requirements, removes what it made, and concludes. */
export class Run {
  readonly #session: Session;
  readonly #masker: Masker;
  readonly #maxTimeMs: number;
  readonly #history: History;
  readonly #results: Results;
  readonly #asking: Asking;
  readonly #advice: () => string | undefined;
  readonly #stopped: Promise<void>;
  #stop: () => void = () => undefined;
  #ended: Ending = 'whole';
  #hasFailedEnough = false;
  #isTidying = false;
  #conclusion: Promise<Conclusion> | undefined;

  constructor(parts: {
    readonly session: Session;
    readonly masker: Masker;
    readonly requirements: readonly Requirement[];
    readonly maxTimeMs: number;
    /** Declared answers, by the keys of their questions. */
    readonly declared?: ReadonlyMap<string, unknown> | undefined;
    readonly onResult?: ((result: Result) => void) | undefined;
    readonly targetOf?: TargetOf | undefined;
    /** What to do where the time does not suffice, as far as it is known. */
    readonly advice?: () => string | undefined;
  }) {
    const { session, requirements } = parts;
    this.#session = session;
    this.#masker = parts.masker;
    this.#maxTimeMs = parts.maxTimeMs;
    this.#advice = parts.advice ?? (() => undefined);
    this.#results = new Results(
      requirements,
      parts.declared ?? new Map(),
      parts.onResult ?? (() => undefined),
    );
    this.#asking = new Asking({ session, requirements, results: this.#results, targetOf: parts.targetOf });
    this.#history = new History(requirements, session.signs);
    session.client.listener = this.#history;
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

  /** Ends the run early. What is undecided stays so, and the run's tags are removed. */
  interrupt(): void {
    this.#end('interrupted');
  }

  /** Ends the run early, because more failures would tell the tester nothing new. */
  bail(): void {
    if (this.#ended === 'whole') this.#hasFailedEnough = true;
    this.#end('cut short');
  }

  #end(ended: Ending): void {
    if (this.#ended !== 'whole') return;
    this.#ended = ended;
    // What is left to do is what an interrupted run does as well.
    if (this.#isTidying) return;
    const why = this.#whyEnded();
    this.#session.client.stop(why);
    this.#asking.stop(why);
    this.#stop();
  }

  #whyEnded(): string {
    if (this.#hasFailedEnough) return ENOUGH;
    if (this.#ended === 'interrupted') return 'the run was interrupted before this was decided';
    const why = `the time for the whole run (${this.#maxTimeMs / 1_000} s) ran out before this was decided`;
    const advice = this.#advice();
    return advice === undefined ? why : `${why}. ${advice}`;
  }

  async #conclude(): Promise<Conclusion> {
    const started = performance.now();
    const timer = setTimeout(() => this.#end('cut short'), this.#maxTimeMs);
    const grace = new AbortController();
    const graceOver = async (): Promise<void> => {
      await this.#stopped;
      await sleep(GRACE_MS, undefined, { signal: grace.signal }).catch(() => undefined);
    };
    await Promise.race([this.#askAll(), graceOver()]);
    // Work that many checks share may still be under way, and would make tags behind the back of the tidying.
    this.#session.sharedWork.abandon(this.#whyEnded());
    await Promise.race([
      this.#session.sharedWork.settled(),
      sleep(GRACE_MS, undefined, { signal: grace.signal }),
    ]).catch(() => undefined);
    grace.abort();
    clearTimeout(timer);
    this.#isTidying = true;
    const { client } = this.#session;
    const { obstacle } = this.#asking;
    const gone = this.#ended === 'whole' ? client.stopped : undefined;
    const residue = await this.#tidy(gone);
    const others = await inventory(this.#session);
    if (residue.length === 0) this.#session.ledger.discard();
    await client.close();
    const { accounts, pageSize } = this.#session;
    for (const { contradictions } of accounts) contradictions.conclude(pageSize !== undefined);
    return {
      results: this.#results.conclude(
        obstacle?.slip === undefined ? this.#history : undefined,
        gone,
        unlessLeftOut(undecided('failure', obstacle?.slip ?? this.#whyEnded()), ENOUGH),
      ),
      obstacle,
      ended: gone === undefined ? this.#ended : 'cut short',
      residue,
      inventory: others,
      fault: this.#results.fault,
      durationMs: performance.now() - started,
    };
  }

  async #tidy(gone: string | undefined): Promise<Residue[]> {
    const { client, accounts } = this.#session;
    if (gone === undefined) client.tidy(TIDYING_MS);
    const tooLong = setTimeout(() => client.stop('removing what the run made took too long'), TIDYING_MS);
    const residue = await Promise.all(
      accounts.map((account) => removeAll(account, this.#session, this.#masker)),
    );
    clearTimeout(tooLong);
    return residue.flat();
  }

  async #askAll(): Promise<void> {
    const asking = this.#asking;
    await asking.attempt(async () => {
      asking.obstacle = await preflight(this.#session);
    });
    // Whatever else is asked would only show the same slip, and failed logins may lock an account.
    if (asking.obstacle?.slip === undefined) await asking.all();
  }
}
