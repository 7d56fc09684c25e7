import { outcomeOf, undecided, Undecided, type Outcome } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import { retryIfUnanswered } from './retry.ts';
import { unlessUnread } from './doubt.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';
import { Work, type WorkOptions } from './work.ts';

/** Makes the target that a check gets. */
export type TargetOf = (work: Work) => Target;

/** How a requirement is checked. */
export type How = Partial<Pick<WorkOptions, 'path' | 'isBrief' | 'isLast'>>;

/** Runs single checks, and removes their tags. */
export class SingleChecks {
  readonly #session: Session;
  readonly #targetOf: TargetOf;

  constructor(session: Session, targetOf: TargetOf) {
    this.#session = session;
    this.#targetOf = targetOf;
  }

  /** Runs one check and removes its tags. Tags that cannot be removed now are removed at the end of the run. */
  async outcomeOf(
    { id, check, tags = 0, when }: Requirement,
    how: How = {},
  ): Promise<{ readonly outcome: Outcome; readonly metQuota: boolean }> {
    // Room is set aside for the tags of requirements `throughout`.
    const room = when === 'throughout' ? undefined : this.#session.slots.tags;
    const work = new Work(this.#session, id, tags, { ...how, room });
    const target = this.#targetOf(work);
    // A check takes room for tags before its turn to log in. In the other order, a check with the turn could wait for room
    // while a check with room waits for the turn.
    if (when === 'logins') await work.claim?.takeAll();
    let outcome: Outcome;
    try {
      outcome = unlessUnread(
        await outcomeOf(() =>
          retryIfUnanswered(
            work,
            () => check(target),
            // After a failed preflight, another attempt would fail in the same way.
            (came) =>
              this.#session.obstacle !== undefined && ('error' in came || came.result.kind === 'undecided'),
          ),
        ),
      );
    } catch (error) {
      this.#session.noteFault(error);
      outcome = undecided('failure', 'a fault of the suite itself kept this from being decided');
    }
    await this.attempt(() => work.removeTags());
    this.#session.ended.add(work);
    work.claim?.end();
    return { outcome, metQuota: work.metQuota };
  }

  /** Runs work whose failure decides nothing. Records a fault of the suite. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Undecided)) this.#session.noteFault(error);
    }
  }

  /**
   * Removes tags that are still there and take up room. Their removal may have lacked the requests that were reserved
   * for later phases, or lists may have shown the tag late.
   */
  async removeLeft(): Promise<void> {
    const { ended } = this.#session;
    const left = [...ended].filter(({ isClean }) => !isClean);
    // There is only one more attempt: a target that refuses a delete refuses it again.
    for (const work of left) ended.delete(work);
    await Promise.all(left.map((work) => this.attempt(() => work.removeTags())));
  }
}
