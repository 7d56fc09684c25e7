import { outcomeOf, undecided, Undecided, type Outcome } from '../outcome.ts';
import { Permits } from '../permits.ts';
import type { Requirement } from '../requirement.ts';
import { LEVELS, type Level } from '../level.ts';
import { isDoubted, isLarge, isSpoilt, pathOf, restsOnRefusedCreate } from './asked-again.ts';
import { retryIfUnanswered } from './attempt.ts';
import { noteDamage } from './damage.ts';
import { preflight, type Obstacle } from './preflight.ts';
import type { Found, Results } from './results.ts';
import {
  DOUBTED_AGAIN,
  MOST_SPOILT,
  PERILOUS,
  phasesOf,
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

/**
 * Gives the target as a check meets it.
 *
 * @param again whether it is only asked to see whether a broken requirement is steadily broken.
 */
export type TargetOf = (work: Work, again: boolean) => Target;

/** How a requirement is asked. */
interface How {
  /** Room for its tags, by default among those of all checks. */
  readonly slot?: Slot;
  /** Leads to the one case of a property that is asked. */
  readonly path?: string | undefined;
  /** It is only asked to see whether it is steadily broken. */
  readonly isAgain?: boolean;
  /** It may use up the room for tags if deletes have no effect. */
  readonly isLast?: boolean;
}

/** Why requirements are left out after `--bail`. */
export const ENOUGH = 'left out by --bail, because enough requirements had failed';

/** Asks the requirements of a run, phase by phase, and hands over what was found. */
export class Asking {
  readonly #session: Session;
  readonly #requirements: readonly Requirement[];
  readonly #results: Results;
  readonly #targetOf: TargetOf;
  readonly #works: Work[] = [];
  /** What the phase found if creates may have been refused for the number of tags. */
  readonly #crowded: Found[] = [];
  /** The same of requirements that last until all others have ended. */
  readonly #crowdedToTheEnd: Found[] = [];
  /** What could not be decided while others were asked. */
  readonly #spoilt: Found[] = [];
  /** What is found wrong with a create that was refused. */
  readonly #doubted: Found[] = [];
  /** Checks that have ended, until their tags were tried to be removed once more. */
  readonly #ended = new Set<Work>();
  #whyStopped: string | undefined;
  #obstacle: Obstacle | undefined;

  constructor(parts: {
    readonly session: Session;
    readonly requirements: readonly Requirement[];
    readonly results: Results;
    readonly targetOf?: TargetOf | undefined;
  }) {
    this.#session = parts.session;
    this.#requirements = parts.requirements;
    this.#results = parts.results;
    this.#targetOf = parts.targetOf ?? ((work) => new Target(work));
  }

  /** What kept the preflight from succeeding. */
  get obstacle(): Obstacle | undefined {
    return this.#obstacle;
  }

  /** Ends the checks under way. What is asked from now on stays undecided. */
  stop(why: string): void {
    this.#whyStopped = why;
    for (const work of this.#works) work.abandon(why);
    this.#session.sharedWork.abandon(why);
  }

  /** Asks all requirements, once a preflight has shown what the target is. */
  async all(): Promise<void> {
    const { client, first } = this.#session;
    await this.#attempt(async () => {
      this.#obstacle = await preflight(this.#session);
    });
    this.#session.deletesFail = this.#obstacle?.step === 'delete';
    // Whatever else is asked would only show the same slip, and failed logins may lock an account.
    if (this.#obstacle?.slip !== undefined) return;
    // Their tags are set aside, because they keep them until all others have ended.
    const lasting = this.#requirements
      .filter(({ when }) => when === 'throughout')
      .map((requirement) => this.#ask(requirement, { slot: new Slot(0), isLast: true }));
    const { deletesFail } = this.#session;
    const fillsAccount = this.#requirements.some(({ when }) => when === 'full');
    for (const phase of phasesOf({ deletesFail, fillsAccount })) await this.#askPhase(phase);
    // A target that counts failed logins in a row starts again from none.
    if (client.budget.traffic.failedLogins > 0) await this.#attempt(() => first.logins.closeWithLogin());
    client.budget.reserve(RESERVED_FOR_THE_END);
    await this.#askSpoilt();
    await this.#askDoubted();
    await this.#repeatBroken();
    client.budget.reserve(0);
    this.#session.endOthers();
    await Promise.all(lasting);
    await this.#askCrowded(this.#crowdedToTheEnd);
    await this.#askDoubted();
    await this.#askPhase(PERILOUS);
  }

  async #askPhase({ members: whens, order, reserved }: Phase): Promise<void> {
    const { budget } = this.#session.client;
    const members = this.#inOrder(this.#requirements.filter(({ when = 'main' }) => whens.includes(when)));
    budget.reserve(reserved);
    if (order === 'one by one')
      for (const requirement of members) {
        await this.#ask(requirement);
        if (requirement.when === 'perilous')
          await this.#attempt(() => noteDamage(this.#session, requirement.id));
      }
    else await Promise.all(members.map((requirement) => this.#ask(requirement)));
    budget.reserve(0);
    await this.#removeLeft();
    budget.reserve(reserved);
    await this.#askCrowded(this.#crowded);
    budget.reserve(0);
    await this.#removeLeft();
  }

  /**
   * Asks first what may have no room for its tags later. If deletes fail, tags stay: requirements about deletes come first.
   * After a failed preflight, requirements about creates come first if their answers do not tell whether a tag was made,
   * then the required ones.
   */
  #inOrder(requirements: readonly Requirement[]): readonly Requirement[] {
    const first = this.#obstacle?.step === 'create' ? '4.2' : '4.5';
    const levels: readonly Level[] = this.#obstacle === undefined ? [] : LEVELS;
    const rank = ({ section, level }: Requirement): number =>
      section === first ? -1 : Math.max(0, levels.indexOf(level));
    return requirements.toSorted((one, other) => rank(one) - rank(other));
  }

  /**
   * Removes tags that take the room of others: requests that the phase kept for later ones may have been missing, or lists
   * may have shown the tag late.
   */
  async #removeLeft(): Promise<void> {
    const unclean = [...this.#ended].filter(({ isClean }) => !isClean);
    const left = [...unclean, ...this.#session.sharedWork.takeUnclean()];
    // A target that refuses a delete refuses it again: there is one more attempt, and no other.
    for (const work of unclean) this.#ended.delete(work);
    await Promise.all(left.map((work) => this.#attempt(() => work.removeTags())));
  }

  async #ask(requirement: Requirement, how: How = {}): Promise<void> {
    const started = performance.now();
    const { outcome, metQuota } = await this.#outcomeOf(requirement, how);
    const found = {
      requirement,
      outcome: unlessObstructed(outcome, this.#obstacle),
      durationMs: performance.now() - started,
    };
    const crowded = requirement.when === 'throughout' ? this.#crowdedToTheEnd : this.#crowded;
    const isAllWell = outcome.kind === 'holds' && outcome.warning === undefined;
    if (metQuota && !isAllWell) crowded.push(found);
    else this.#take(found);
  }

  /** Takes a finding as it is, unless it is to be asked again. */
  #take(found: Found): void {
    if (isSpoilt(found)) this.#spoilt.push(found);
    else if (this.#obstacle === undefined && isDoubted(found)) this.#doubted.push(found);
    else this.#results.add(found);
  }

  /**
   * Asks again what creates that were refused for the number of tags may have kept from being decided: one requirement
   * at a time, with fewer tags.
   */
  async #askCrowded(found: Found[]): Promise<void> {
    const crowded = found.splice(0);
    const { quota, sharedWork } = this.#session;
    if (quota.limit === undefined || crowded.length === 0) {
      for (const one of crowded) this.#take(one);
      return;
    }
    sharedWork.forgetCrowded();
    for (const one of crowded) {
      const { requirement } = one;
      const { outcome, metQuota } = await this.#outcomeOf(requirement);
      this.#results.add({
        ...one,
        outcome: unlessObstructed(metQuota ? unlessFull(outcome) : outcome, this.#obstacle),
      });
    }
  }

  /**
   * Asks again, one by one, what could not be decided while others were asked: if something else is broken, that may
   * have been in the way. Of many such requirements none is asked again: they most likely have one cause.
   */
  async #askSpoilt(): Promise<void> {
    const spoilt = this.#spoilt.splice(0);
    for (const one of spoilt) {
      const isSomeBroken = this.#results.broken.length > 0;
      const isWorthIt = spoilt.length <= MOST_SPOILT && (isSomeBroken || restsOnRefusedCreate(one.outcome));
      const again = isWorthIt ? await this.#outcomeOf(one.requirement, { isLast: true }) : one;
      const outcome = again.outcome.kind === 'undecided' ? one.outcome : again.outcome;
      this.#results.add({ ...one, outcome });
    }
  }

  /**
   * Asks again, one by one, what was found wrong with a create that was refused: the number of tags may be limited for all
   * users of an account (8), and full for a moment. Such a finding counts if it comes each time.
   */
  async #askDoubted(): Promise<void> {
    for (const one of this.#doubted.splice(0)) {
      let { outcome } = one;
      for (let time = 1; time <= DOUBTED_AGAIN && restsOnRefusedCreate(outcome); time++) {
        this.#session.sharedWork.forget();
        const again = await this.#outcomeOf(one.requirement, { path: pathOf(outcome), isLast: true });
        if (again.outcome.kind !== 'undecided') ({ outcome } = again);
      }
      this.#results.add({ ...one, outcome });
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
    const { outcome } = await this.#outcomeOf(requirement, { path: pathOf(found), isAgain: true });
    this.#results.repeated(requirement.id, outcome);
  }

  /** Runs one check and removes its tags. What cannot be removed now is tried again at the end of the run. */
  async #outcomeOf(
    { id, check, tags = 0, when }: Requirement,
    { slot = new Slot(tags, this.#session.slots.tags), path, isAgain = false, isLast = false }: How = {},
  ): Promise<{ readonly outcome: Outcome; readonly metQuota: boolean }> {
    const work = new Work(this.#session, id, tags, { slot, isBrief: isAgain, isLast, path });
    this.#works.push(work);
    if (this.#whyStopped !== undefined) work.abandon(this.#whyStopped);
    const target = this.#targetOf(work, isAgain);
    // Room for tags comes before the turn to log in: a check that had the turn and waited for room could wait for one that
    // has room and waits for the turn.
    if (when === 'logins') await slot.enter();
    let outcome: Outcome;
    try {
      outcome = unlessUnread(
        await outcomeOf(() =>
          retryIfUnanswered(
            work,
            () => target.attempt(() => check(target)),
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
    this.#ended.add(work);
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
