import type { Exchange } from '../http/exchange.ts';
import type { Outcome } from '../outcome.ts';
import { Permits } from '../permits.ts';
import {
  ACCOUNT_FULL,
  canBeRepeated,
  casePathOf,
  CREATES_USED_UP,
  isLarge,
  isUndecidedForNow,
  restsOnPassingRefusal,
  restsOnRefusedCreate,
  undecidedBecause,
  unlessObstructed,
  type Found,
} from './doubt.ts';
import type { Results } from './results.ts';
import { REPEATABLE } from './schedule.ts';
import type { Session } from './session.ts';
import type { SingleChecks } from './single-checks.ts';

/** If more requirements could not be decided, none of them is checked again. */
const MOST_UNDECIDED = 10;

/** How often a finding is checked again that rests on a refused create, or on an update that was refused with 409. */
const MOST_RECHECKS = 2;

/** How often a broken requirement is checked again, to tell a steady fault from an intermittent one. */
const REPETITIONS = 3;

/** How many are checked again at the same time; fewer if answers are large, because each is kept in memory for a while. */
const AT_ONCE = { small: 16, large: 4 };

/**
 * Why a finding is checked again before it counts. `full account`: the target may have refused a create for the number of
 * tags. `undecided`: another check, or trouble that has passed since, may have been in the way. `passing refusal`: it rests
 * on a create or an update that the target may have refused only for the moment.
 */
type Reason = 'full account' | 'undecided' | 'passing refusal';

interface Waiting {
  readonly found: Found;
  readonly reason: Reason;
}

/** Repeats checks whose findings may not be due to a fault of the target, and passes the findings to the results. */
export class Rechecks {
  readonly #session: Session;
  readonly #results: Results;
  readonly #single: SingleChecks;
  #waiting: readonly Waiting[] = [];

  constructor(session: Session, results: Results, single: SingleChecks) {
    this.#session = session;
    this.#results = results;
    this.#single = single;
  }

  /**
   * Adds a finding to the results, unless it has to be checked again.
   *
   * @param metQuota whether a create of the check may have been refused for the number of tags.
   */
  take(found: Found, metQuota = false): void {
    const reason = this.#reasonFor(found, metQuota);
    if (reason === undefined) this.#results.add(found);
    else this.#waiting = [...this.#waiting, { found, reason }];
  }

  #reasonFor(found: Found, metQuota: boolean): Reason | undefined {
    const { outcome } = found;
    const isAllWell = outcome.kind === 'holds' && outcome.warning === undefined;
    if (metQuota && !isAllWell) return 'full account';
    if (isUndecidedForNow(found)) return 'undecided';
    return this.#session.obstacle === undefined && restsOnPassingRefusal(outcome)
      ? 'passing refusal'
      : undefined;
  }

  /** Takes the findings from the queue that wait for this reason. Checks `throughout` end only after all others. */
  #due(reason: Reason): readonly Found[] {
    const isDue = ({ found, reason: why }: Waiting): boolean =>
      why === reason && (found.requirement.when !== 'throughout' || this.#session.haveOthersEnded);
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((one) => !isDue(one));
    return due.map(({ found }) => found);
  }

  /**
   * Checks everything again that may be checked again by now, one by one.
   *
   * @param canWait whether this is called again later, with more requests left. Then findings that lack requests now stay in
   * the queue.
   */
  async all(canWait = false): Promise<void> {
    await this.ofFullAccount();
    await this.#undecided(canWait);
    await this.#ofPassingRefusals();
  }

  /** Checks again what may be due to a full account, with fewer tags. */
  async ofFullAccount(): Promise<void> {
    const due = this.#due('full account');
    const { quota, sharedWork, obstacle } = this.#session;
    if (quota.limit === undefined || due.length === 0) return due.forEach((one) => this.take(one));
    sharedWork.forgetOverQuota();
    await quota.untilForgotten();
    for (const one of due) {
      const { outcome, metQuota } = await this.#single.outcomeOf(one.requirement);
      const again = metQuota ? undecidedBecause(ACCOUNT_FULL, outcome) : outcome;
      this.take({ ...one, outcome: unlessObstructed(again, obstacle) });
    }
  }

  /** Checks again what could not be decided. If that is much, it most likely has one cause, and nothing is checked again. */
  async #undecided(canWait: boolean): Promise<void> {
    const due = this.#due('undecided');
    this.#session.sharedWork.forgetFailed('failure');
    for (const one of due) {
      const isWorthIt = due.length <= MOST_UNDECIDED && !this.#isHopeless(one.outcome);
      const { outcome } = isWorthIt ? await this.#single.outcomeOf(one.requirement, { isLast: true }) : one;
      if (canWait && outcome.kind === 'undecided' && outcome.because === 'budget') this.take(one);
      else this.#results.add(outcome.kind === 'undecided' ? one : { ...one, outcome });
    }
  }

  /**
   * Checks again what rests on a refused create, or on an update to a taken name. All users of an account may share a quota
   * (8), which may be full for a moment, or be used up, and any of them may have the name for a moment. Such a finding counts
   * if it comes each time, and other creates are accepted.
   */
  async #ofPassingRefusals(): Promise<void> {
    for (const one of this.#due('passing refusal')) {
      let { outcome } = one;
      const times = canBeRepeated(one) ? MOST_RECHECKS : 0;
      for (let time = 1; time <= times && restsOnPassingRefusal(outcome); time++) {
        this.#session.sharedWork.forget();
        const path = casePathOf(outcome);
        const again = await this.#single.outcomeOf(one.requirement, { path, isLast: true });
        if (again.outcome.kind !== 'undecided') ({ outcome } = again);
      }
      const isUsedUp = this.#session.quota.isUsedUp && restsOnRefusedCreate(outcome);
      this.#results.add({ ...one, outcome: isUsedUp ? undecidedBecause(CREATES_USED_UP, outcome) : outcome });
    }
  }

  /** Whether each repetition would take the time until a request counts as unanswered. */
  #isHopeless(outcome: Outcome): boolean {
    const isHopeless = (one: Exchange): boolean => this.#session.losses.isHopeless(one);
    return (outcome.kind === 'broken' || outcome.kind === 'undecided') && outcome.exchanges.some(isHopeless);
  }

  /** Checks broken requirements again, to tell a steady fault from an intermittent one. */
  async ofBroken(): Promise<void> {
    const { sharedWork } = this.#session;
    const broken = this.#results.broken.filter(
      ({ requirement: { level, when = 'main' }, outcome }) =>
        level !== 'advisory' && REPEATABLE.has(when) && !this.#isHopeless(outcome),
    );
    const lanes = new Permits(broken.some(isLarge) ? AT_ONCE.large : AT_ONCE.small);
    const repeat = async ({ requirement, outcome: found }: Found): Promise<void> => {
      const how = { path: casePathOf(found), isBrief: true };
      const { outcome } = await this.#single.outcomeOf(requirement, how);
      this.#results.repeated(requirement.id, outcome);
    };
    for (let time = 1; time <= REPETITIONS && broken.length > 0; time++) {
      sharedWork.forget();
      await Promise.all(broken.map((one) => lanes.use(1, () => repeat(one))));
    }
  }
}
