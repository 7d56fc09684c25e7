import { Permits } from '../permits.ts';
import type { Requirement } from '../requirement.ts';
import { LEVELS, type Level } from '../level.ts';
import { noteDamage } from './damage.ts';
import {
  ACCOUNT_FULL,
  CREATES_USED_UP,
  isLarge,
  isRecheckable,
  isWorthRechecking,
  casePathOf,
  restsOnRefusedCreate,
  undecidedBecause,
  unlessObstructed,
} from './doubt.ts';
import { preflight } from './preflight.ts';
import type { Found, Results } from './results.ts';
import {
  MOST_RECHECKS,
  MOST_UNDECIDED,
  PERILOUS,
  phasesOf,
  REPEATABLE,
  REPEATED_AT_ONCE,
  REPETITIONS,
  RESERVED_FOR_THE_END,
  type Phase,
} from './schedule.ts';
import type { Session } from './session.ts';
import { SingleChecks, type How, type TargetOf } from './single-checks.ts';

/** Checks the requirements of a run, phase by phase, and passes the findings to the results. */
export class Checking {
  readonly #session: Session;
  readonly #requirements: readonly Requirement[];
  readonly #results: Results;
  readonly #single: SingleChecks;
  /** Findings of this phase to check again, because the target may have refused a create for the number of tags. */
  readonly #overQuota: Found[] = [];
  /** The same of requirements `throughout`. */
  readonly #overQuotaToTheEnd: Found[] = [];
  /** Findings that could not be decided while other checks were running. */
  readonly #undecided: Found[] = [];
  /** Findings that rest on a refused create. */
  readonly #doubtful: Found[] = [];
  /** The same of requirements `throughout`, whose checks wait until all others have ended. */
  readonly #doubtfulToTheEnd: Found[] = [];

  constructor(parts: {
    readonly session: Session;
    readonly requirements: readonly Requirement[];
    readonly results: Results;
    readonly targetOf?: TargetOf | undefined;
  }) {
    this.#session = parts.session;
    this.#requirements = parts.requirements;
    this.#results = parts.results;
    this.#single = new SingleChecks(parts);
  }

  /** Checks all requirements, after a preflight. */
  async all(): Promise<void> {
    const { client, first } = this.#session;
    await this.#single.attempt(async () => {
      this.#session.obstacle = await preflight(this.#session);
    });
    // Further checks would only show the same slip, and failed logins may lock an account.
    if (this.#session.obstacle?.slip !== undefined) return;
    // Room for their tags is set aside, because they keep them until all other checks have ended.
    const lasting = this.#requirements
      .filter(({ when }) => when === 'throughout')
      .map((requirement) => this.#check(requirement, { isLast: true }));
    const { deletesFail } = this.#session;
    const fillsAccount = this.#requirements.some(({ when }) => when === 'full');
    for (const phase of phasesOf({ deletesFail, fillsAccount })) await this.#checkPhase(phase);
    // Resets the count of a target that counts failed logins in a row.
    if (client.budget.traffic.failedLogins > 0)
      await this.#single.attempt(() => first.logins.closeWithLogin());
    client.budget.reserve(RESERVED_FOR_THE_END);
    await this.#recheckUndecided();
    await this.#recheckDoubtful(this.#doubtful);
    await this.#repeatBroken();
    client.budget.reserve(0);
    this.#session.endOthers();
    await Promise.all(lasting);
    await this.#recheckOverQuota(this.#overQuotaToTheEnd);
    await this.#recheckDoubtful(this.#doubtfulToTheEnd);
    await this.#checkPhase(PERILOUS);
    await this.#recheckDoubtful(this.#doubtful);
  }

  async #checkPhase({ members: whens, order, reserved: kept }: Phase): Promise<void> {
    const { budget } = this.#session.client;
    const reserved = this.#session.pageSize === undefined ? kept.whole : kept.paged;
    const members = this.#inOrder(this.#requirements.filter(({ when = 'main' }) => whens.includes(when)));
    budget.reserve(reserved);
    this.#session.sharedWork.forgetShort();
    if (order === 'one by one')
      for (const requirement of members) {
        await this.#check(requirement);
        if (requirement.when === 'perilous')
          await this.#single.attempt(() => noteDamage(this.#session, requirement.id));
      }
    else await Promise.all(members.map((requirement) => this.#check(requirement)));
    budget.reserve(0);
    await this.#single.removeLeft();
    budget.reserve(reserved);
    await this.#recheckOverQuota(this.#overQuota);
    budget.reserve(0);
    await this.#single.removeLeft();
  }

  /**
   * Puts first what may have no room for its tags later. Requirements about deletes come first, because tags stay if deletes
   * fail. If the preflight failed at the create, requirements about creates come first, then the required ones.
   */
  #inOrder(requirements: readonly Requirement[]): readonly Requirement[] {
    const first = this.#session.obstacle?.step === 'create' ? '4.2' : '4.5';
    const levels: readonly Level[] = this.#session.obstacle === undefined ? [] : LEVELS;
    const rank = ({ section, level }: Requirement): number =>
      section === first ? -1 : Math.max(0, levels.indexOf(level));
    return requirements.toSorted((one, other) => rank(one) - rank(other));
  }

  async #check(requirement: Requirement, how: How = {}): Promise<void> {
    const started = performance.now();
    const { outcome, metQuota } = await this.#single.outcomeOf(requirement, how);
    const found = {
      requirement,
      outcome: unlessObstructed(outcome, this.#session.obstacle),
      durationMs: performance.now() - started,
    };
    const overQuota = requirement.when === 'throughout' ? this.#overQuotaToTheEnd : this.#overQuota;
    const isAllWell = outcome.kind === 'holds' && outcome.warning === undefined;
    if (metQuota && !isAllWell) overQuota.push(found);
    else this.#take(found);
  }

  /** Adds a finding to the results, unless it has to be checked again. */
  #take(found: Found): void {
    if (isWorthRechecking(found)) this.#undecided.push(found);
    else if (this.#session.obstacle === undefined && restsOnRefusedCreate(found.outcome))
      (found.requirement.when === 'throughout' ? this.#doubtfulToTheEnd : this.#doubtful).push(found);
    else this.#results.add(found);
  }

  /**
   * Checks requirements again in whose check a create may have been refused for the number of tags: one at a time, with
   * fewer tags.
   */
  async #recheckOverQuota(found: Found[]): Promise<void> {
    const again = found.splice(0);
    const { quota, sharedWork } = this.#session;
    if (quota.limit === undefined || again.length === 0) {
      for (const one of again) this.#take(one);
      return;
    }
    sharedWork.forgetOverQuota();
    await quota.untilForgotten();
    for (const one of again) {
      const { requirement } = one;
      const { outcome, metQuota } = await this.#single.outcomeOf(requirement);
      this.#take({
        ...one,
        outcome: unlessObstructed(
          metQuota ? undecidedBecause(ACCOUNT_FULL, outcome) : outcome,
          this.#session.obstacle,
        ),
      });
    }
  }

  /**
   * Checks again, one by one, what could not be decided while other checks were running, because another fault may have been
   * the reason. If there are many such requirements, they most likely have one cause, and none is checked again.
   */
  async #recheckUndecided(): Promise<void> {
    const found = this.#undecided.splice(0);
    for (const one of found) {
      const isSomeBroken = this.#results.broken.length > 0;
      const isWorthIt = found.length <= MOST_UNDECIDED && (isSomeBroken || restsOnRefusedCreate(one.outcome));
      const again = isWorthIt ? await this.#single.outcomeOf(one.requirement, { isLast: true }) : one;
      const outcome = again.outcome.kind === 'undecided' ? one.outcome : again.outcome;
      this.#results.add({ ...one, outcome });
    }
  }

  /**
   * Checks findings that rest on a refused create again, one by one. All users of an account may share a quota (8),
   * which may be full for a moment, or be used up. Such a finding counts if it comes each time, and other creates are
   * accepted.
   */
  async #recheckDoubtful(doubtful: Found[]): Promise<void> {
    const { quota } = this.#session;
    for (const one of doubtful.splice(0)) {
      let { outcome } = one;
      const times = isRecheckable(one) ? MOST_RECHECKS : 0;
      for (let time = 1; time <= times && restsOnRefusedCreate(outcome); time++) {
        this.#session.sharedWork.forget();
        const again = await this.#single.outcomeOf(one.requirement, {
          path: casePathOf(outcome),
          isLast: true,
        });
        if (again.outcome.kind !== 'undecided') ({ outcome } = again);
      }
      const isUsedUp = quota.isUsedUp && restsOnRefusedCreate(outcome);
      this.#results.add({ ...one, outcome: isUsedUp ? undecidedBecause(CREATES_USED_UP, outcome) : outcome });
    }
  }

  /** Checks broken requirements again, to tell a steady fault from an intermittent one. */
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
    const { outcome } = await this.#single.outcomeOf(requirement, { path: casePathOf(found), isBrief: true });
    this.#results.repeated(requirement.id, outcome);
  }
}
