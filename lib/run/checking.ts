import type { Requirement } from '../requirement.ts';
import { LEVELS, type Level } from '../level.ts';
import { ReadableLists, noteDamage } from './damage.ts';
import { unlessObstructed } from './doubt.ts';
import { FailedLists, noteFailedLists } from './failed-lists.ts';
import { preflight } from './preflight.ts';
import { Rechecks } from './rechecks.ts';
import type { Results } from './results.ts';
import { PERILOUS, phasesOf, RESERVED_FOR_THE_END, type Phase } from './schedule.ts';
import type { Session } from './session.ts';
import { SingleChecks, type How, type TargetOf } from './single-checks.ts';

/** Checks the requirements of a run, phase by phase, and passes the findings to the results. */
export class Checking {
  readonly #session: Session;
  readonly #requirements: readonly Requirement[];
  readonly #single: SingleChecks;
  readonly #rechecks: Rechecks;
  readonly #lists = new ReadableLists();
  readonly #failedLists = new FailedLists();

  constructor(session: Session, requirements: readonly Requirement[], results: Results, targetOf: TargetOf) {
    this.#session = session;
    this.#requirements = requirements;
    this.#single = new SingleChecks(session, targetOf);
    this.#rechecks = new Rechecks(session, results, this.#single);
    session.client.listeners.push(this.#lists, this.#failedLists);
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
    await this.#rechecks.all(true);
    await this.#rechecks.ofBroken();
    client.budget.reserve(0);
    await this.#single.attempt(() => noteFailedLists(this.#session, this.#failedLists.filters));
    this.#session.endOthers();
    await Promise.all(lasting);
    await this.#rechecks.all();
    // A check that the budget cut short leaves tags, which would take up a quota of the last phase.
    await this.#single.removeLeft();
    await this.#checkPhase(PERILOUS);
    await this.#rechecks.all();
  }

  async #checkPhase({ members: whens, order, lastOnPages, reserved: kept }: Phase): Promise<void> {
    const { budget } = this.#session.client;
    const arePages = this.#session.pageSize !== undefined;
    const reserved = arePages ? kept.paged : kept.whole;
    const members = this.#inOrder(this.#requirements.filter(({ when = 'main' }) => whens.includes(when)));
    budget.reserve(reserved);
    this.#session.sharedWork.forgetFailed('budget');
    if (order === 'one by one')
      for (const requirement of members) {
        await this.#check(requirement);
        if (requirement.when === 'perilous' && !this.#lists.areRead)
          await this.#single.attempt(() => noteDamage(this.#session, requirement.id, this.#lists.unread));
      }
    else {
      const last = arePages ? lastOnPages : undefined;
      const check = (some: readonly Requirement[]): Promise<unknown> =>
        Promise.all(some.map((requirement) => this.#check(requirement)));
      await check(members.filter(({ when = 'main' }) => when !== last));
      await check(members.filter(({ when = 'main' }) => when === last));
    }
    budget.reserve(0);
    await this.#single.removeLeft();
    budget.reserve(reserved);
    await this.#rechecks.ofFullAccount();
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
    this.#rechecks.take(found, metQuota);
  }
}
