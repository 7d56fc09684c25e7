import { setTimeout as sleep } from 'node:timers/promises';
import type { Masker } from '../judging/masker.ts';
import { outcomeOf, undecided, Undecided, type Outcome } from '../outcome.ts';
import { Permits } from '../permits.ts';
import type { Requirement } from '../requirement.ts';
import { retryIfUnanswered } from './attempt.ts';
import { noteDamage } from './damage.ts';
import type { Conclusion, Ending } from './conclusion.ts';
import { History } from './history.ts';
import { inventory } from './inventory.ts';
import { preflight, type Obstacle } from './preflight.ts';
import { removeAll, type Residue } from './residue.ts';
import { Results, type Found, type Result } from './results.ts';
import {
  PERILOUS,
  PHASES,
  REPEATABLE,
  REPEATED_AT_ONCE,
  REPETITIONS,
  RESERVED_FOR_THE_END,
  type Phase,
} from './schedule.ts';
import type { Session } from './session.ts';
import { Slot } from './slots.ts';
import { Target } from './target.ts';
import { unlessFull, unlessLeftOut, unlessObstructed, unlessUnread } from './undecidable.ts';
import { Work } from './work.ts';

/** How long a run that was ended early waits for requests under way before it tidies up, in milliseconds. */
const GRACE_MS = 2_000;

/** How long removing the run's tags may take, in milliseconds. */
const TIDYING_MS = 30_000;

/**
 * Gives the target as a check meets it.
 *
 * @param again whether it is only asked to see whether a broken requirement is steadily broken.
 */
export type TargetOf = (work: Work, again: boolean) => Target;

/** Why requirements are left out after `--bail`. */
const ENOUGH = 'left out by --bail, because enough requirements had failed';

/** One certification: asks all selected requirements, removes what it made, and concludes. */
export class Run {
  readonly #session: Session;
  readonly #masker: Masker;
  readonly #requirements: readonly Requirement[];
  readonly #maxTimeMs: number;
  readonly #history: History;
  readonly #results: Results;
  readonly #targetOf: TargetOf;
  readonly #works: Work[] = [];
  /** What the phase found where creates may have been refused for the number of tags. */
  readonly #crowded: Found[] = [];
  /** The same of requirements that last until all others have ended. */
  readonly #crowdedToTheEnd: Found[] = [];
  readonly #stopped: Promise<void>;
  #stop: () => void = () => undefined;
  #ended: Ending = 'whole';
  #hasFailedEnough = false;
  #isTidying = false;
  #obstacle: Obstacle | undefined;
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
  }) {
    const { session, requirements } = parts;
    this.#session = session;
    this.#masker = parts.masker;
    this.#requirements = requirements;
    this.#maxTimeMs = parts.maxTimeMs;
    this.#targetOf = parts.targetOf ?? ((work) => new Target(work));
    this.#results = new Results(
      requirements,
      parts.declared ?? new Map(),
      parts.onResult ?? (() => undefined),
    );
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
    for (const work of this.#works) work.abandon(why);
    this.#session.sharedWork.abandon(why);
    this.#stop();
  }

  #whyEnded(): string {
    if (this.#hasFailedEnough) return ENOUGH;
    return this.#ended === 'interrupted'
      ? 'the run was interrupted before this was decided'
      : `the time for the whole run (${this.#maxTimeMs / 1_000} s) ran out before this was decided`;
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
    const gone = this.#ended === 'whole' ? client.stopped : undefined;
    const residue = await this.#tidy(gone);
    const others = await inventory(this.#session);
    if (residue.length === 0) this.#session.ledger.discard();
    await client.close();
    return {
      results: this.#results.conclude(
        this.#obstacle?.slip === undefined ? this.#history : undefined,
        gone,
        unlessLeftOut(undecided('failure', this.#obstacle?.slip ?? this.#whyEnded()), ENOUGH),
      ),
      obstacle: this.#obstacle,
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
    const { client, first } = this.#session;
    await this.#attempt(async () => {
      this.#obstacle = await preflight(this.#session);
    });
    // Whatever else is asked would only show the same slip, and failed logins may lock an account.
    if (this.#obstacle?.slip !== undefined) return;
    // Their tags are set aside, because they keep them until all others have ended.
    const lasting = this.#requirements
      .filter(({ when }) => when === 'throughout')
      .map((requirement) => this.#ask(requirement, new Slot(0)));
    for (const phase of PHASES) await this.#askPhase(phase);
    // A target that counts failed logins in a row starts again from none.
    if (client.budget.traffic.failedLogins > 0) await this.#attempt(() => first.logins.closeWithLogin());
    client.budget.reserve(RESERVED_FOR_THE_END);
    await this.#repeatBroken();
    client.budget.reserve(0);
    this.#session.endOthers();
    await Promise.all(lasting);
    await this.#askCrowded(this.#crowdedToTheEnd);
    await this.#askPhase(PERILOUS);
  }

  async #askPhase({ when, order, reserved }: Phase): Promise<void> {
    const { budget } = this.#session.client;
    const members = this.#requirements.filter((requirement) => (requirement.when ?? 'main') === when);
    budget.reserve(reserved);
    if (order === 'one by one')
      for (const requirement of members) {
        await this.#ask(requirement);
        if (when === 'perilous') await this.#attempt(() => noteDamage(this.#session, requirement.id));
      }
    else await Promise.all(members.map((requirement) => this.#ask(requirement)));
    await this.#askCrowded(this.#crowded);
    budget.reserve(0);
  }

  async #ask(
    requirement: Requirement,
    slot = new Slot(requirement.tags ?? 0, this.#session.slots.tags),
  ): Promise<void> {
    const started = performance.now();
    const { outcome, metQuota } = await this.#outcomeOf(requirement, slot);
    const found = {
      requirement,
      outcome: unlessObstructed(outcome, this.#obstacle),
      durationMs: performance.now() - started,
    };
    const crowded = requirement.when === 'throughout' ? this.#crowdedToTheEnd : this.#crowded;
    if (metQuota && outcome.kind !== 'holds') crowded.push(found);
    else this.#results.add(found);
  }

  /**
   * Asks again what creates that were refused for the number of tags may have kept from being decided: one requirement
   * at a time, with fewer tags.
   */
  async #askCrowded(found: Found[]): Promise<void> {
    const crowded = found.splice(0);
    const { quota, slots, sharedWork } = this.#session;
    if (quota.limit === undefined || crowded.length === 0) {
      for (const one of crowded) this.#results.add(one);
      return;
    }
    sharedWork.forgetCrowded();
    for (const one of crowded) {
      const { requirement } = one;
      const slot = new Slot(requirement.tags ?? 0, slots.tags);
      const { outcome, metQuota } = await this.#outcomeOf(requirement, slot);
      this.#results.add({
        ...one,
        outcome: unlessObstructed(metQuota ? unlessFull(outcome) : outcome, this.#obstacle),
      });
    }
  }

  /** Asks broken requirements again, to tell a steady fault from an intermittent one. */
  async #repeatBroken(): Promise<void> {
    const found = this.#results.broken.filter(
      ({ requirement: { level, when = 'main' } }) => level !== 'advisory' && REPEATABLE.has(when),
    );
    const { sharedWork } = this.#session;
    const lanes = new Permits(found.some(isLarge) ? REPEATED_AT_ONCE.large : REPEATED_AT_ONCE.small);
    for (let time = 1; time <= REPETITIONS && found.length > 0; time++) {
      sharedWork.forget();
      await Promise.all(found.map((one) => lanes.use(1, () => this.#repeat(one))));
    }
  }

  async #repeat({ requirement, outcome: found }: Found): Promise<void> {
    const slot = new Slot(requirement.tags ?? 0, this.#session.slots.tags);
    const path = found.kind === 'broken' ? found.example?.path : undefined;
    const { outcome } = await this.#outcomeOf(requirement, slot, path, true);
    this.#results.repeated(requirement.id, outcome);
  }

  /** Runs one check and removes its tags. What cannot be removed now is tried again at the end of the run. */
  async #outcomeOf(
    requirement: Requirement,
    slot: Slot,
    path?: string,
    isAgain = false,
  ): Promise<{ readonly outcome: Outcome; readonly metQuota: boolean }> {
    const work = new Work(this.#session, requirement.id, requirement.tags ?? 0, { slot, isBrief: isAgain });
    work.path = path;
    this.#works.push(work);
    if (this.#ended !== 'whole') work.abandon(this.#whyEnded());
    const target = this.#targetOf(work, isAgain);
    let outcome: Outcome;
    try {
      outcome = unlessUnread(
        await outcomeOf(() =>
          retryIfUnanswered(
            work,
            () => target.attempt(() => requirement.check(target)),
            // After a failed preflight another attempt would only meet the same obstacle.
            (came) => this.#obstacle !== undefined && ('error' in came || came.result.kind === 'undecided'),
          ),
        ),
      );
    } catch (error) {
      this.#results.faulty(error);
      outcome = undecided('failure', 'a fault of the suite itself kept this from being decided');
    }
    await this.#attempt(() => work.removeTags());
    await slot.leave();
    return { outcome: unlessLeftOut(outcome, ENOUGH), metQuota: work.metQuota };
  }

  /** Runs something whose failure decides nothing; a fault of the suite is noted. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Undecided)) this.#results.faulty(error);
    }
  }
}

/** Only the start of a large answer was kept of a finding. */
const isLarge = ({ outcome }: Found): boolean =>
  outcome.kind === 'broken' && outcome.exchanges.some(({ answer }) => answer?.length !== undefined);
