import { isUnanswered, slim } from '../http/exchange.ts';
import { judge, type Claim, type Verdict } from '../judging/judge.ts';
import { undecided, type Outcome } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import type { History } from './history.ts';
import { REPEATABLE } from './schedule.ts';

/** The result of the run for one requirement. */
export interface Result {
  readonly requirement: Requirement;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
  /** The declared answer, if it gates. */
  readonly claim?: Claim | undefined;
  readonly durationMs: number;
  /** How steadily a broken requirement failed when it was checked again. */
  readonly steadiness?: Steadiness | undefined;
}

/** How often a broken requirement was checked in all, and how often it failed. */
export interface Steadiness {
  readonly asked: number;
  readonly failed: number;
}

/** What a check found. */
export interface Found {
  readonly requirement: Requirement;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

/** Collects the findings of a run and converts them to results, at once or at the end of the run. */
export class Results {
  readonly #requirements: readonly Requirement[];
  readonly #declared: ReadonlyMap<string, unknown>;
  readonly #onResult: (result: Result) => void;
  readonly #found: Found[] = [];
  readonly #reported = new Map<string, Result>();
  readonly #steadiness = new Map<string, Steadiness>();
  readonly #waiting = new Map<string, { promise: Promise<Result>; settle: (result: Result) => void }>();
  /** The first fault of the suite itself. */
  fault: Error | undefined;

  constructor(
    requirements: readonly Requirement[],
    declared: ReadonlyMap<string, unknown>,
    onResult: (result: Result) => void,
  ) {
    this.#requirements = requirements;
    this.#declared = declared;
    this.#onResult = onResult;
    for (const { id } of requirements) {
      let settle: (result: Result) => void = () => undefined;
      const promise = new Promise<Result>((resolve) => (settle = resolve));
      this.#waiting.set(id, { promise, settle });
    }
  }

  /** The result of one requirement, as soon as it is known. */
  of(id: string): Promise<Result> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) throw new Error(`${id} is not part of this run`);
    return waiting.promise;
  }

  /** Notes a fault of the suite. The first one is kept. */
  faulty(error: unknown): void {
    this.fault ??= error instanceof Error ? error : new Error(String(error));
  }

  /** Adds a finding. Its exchanges are cut, because they are kept until the end of the run. */
  add(found: Found): void {
    const one = { ...found, outcome: slimmed(found.outcome) };
    this.#found.push(one);
    const { watch, sign } = one.requirement;
    // A finding based on a missing answer waits until the end, when we know whether the target had gone down.
    const isFinal =
      one.outcome.kind === 'broken'
        ? !isUnansweredFinding(one.outcome)
        : watch === undefined && sign === undefined;
    if (isFinal) this.#report(one);
  }

  /** The broken requirements so far. */
  get broken(): readonly Found[] {
    return this.#found.filter(({ outcome }) => outcome.kind === 'broken');
  }

  /** Counts the outcome of a repeated check of a broken requirement. Undecided outcomes do not count. */
  repeated(id: string, { kind }: Outcome): void {
    if (kind !== 'broken' && kind !== 'holds') return;
    const { asked, failed } = this.#steadinessOf(id);
    this.#steadiness.set(id, { asked: asked + 1, failed: failed + (kind === 'broken' ? 1 : 0) });
  }

  /**
   * Reports the remaining results, and returns all results in the order of the catalogue.
   *
   * @param history the findings of the whole run; undefined if they do not count.
   * @param gone why the target counts as gone, if it does.
   * @param unasked the outcome of requirements that were not checked.
   */
  conclude(history: History | undefined, gone: string | undefined, unasked: Outcome): readonly Result[] {
    if (history?.fault !== undefined) this.faulty(history.fault);
    for (const requirement of this.#requirements) {
      if (this.#reported.has(requirement.id)) continue;
      const found = this.#found.find((one) => one.requirement === requirement);
      const came = found?.outcome ?? (gone === undefined ? unasked : undecided('failure', gone));
      const outcome = this.#unlessByChance(requirement, atTheEnd(came, gone));
      const isLeftOut =
        outcome.kind === 'undecided' && (outcome.because === 'tester' || outcome.because === 'budget');
      const shown = outcome.kind === 'broken' || isLeftOut ? undefined : history?.outcomeOf(requirement);
      this.#report({ requirement, outcome: shown ?? outcome, durationMs: found?.durationMs ?? 0 });
    }
    return this.#requirements.flatMap(({ id }) => {
      const result = this.#reported.get(id);
      return result === undefined ? [] : { ...result, steadiness: this.#steadiness.get(id) };
    });
  }

  #steadinessOf(id: string): Steadiness {
    return this.#steadiness.get(id) ?? { asked: 1, failed: 1 };
  }

  /** A finding based on a closed connection counts only if the connection was closed each time. */
  #unlessByChance({ id, when = 'main' }: Requirement, outcome: Outcome): Outcome {
    const isClosed =
      outcome.kind === 'broken' && outcome.exchanges.some(({ failure }) => failure?.kind === 'closed');
    const { asked, failed } = this.#steadinessOf(id);
    const isSteady = failed === asked && (asked > 1 || !REPEATABLE.has(when));
    return isClosed && !isSteady
      ? undecided('failure', `${outcome.why}, which may be due to the connection`, ...outcome.exchanges)
      : outcome;
  }

  #report({ requirement, outcome, durationMs }: Found): void {
    const claim = this.#claimOf(requirement);
    const verdict = this.#judge(requirement, outcome, claim);
    const result: Result = { requirement, outcome, verdict, claim, durationMs };
    this.#reported.set(requirement.id, result);
    this.#waiting.get(requirement.id)?.settle(result);
    this.#onResult(result);
  }

  #claimOf(requirement: Requirement): Claim | undefined {
    if (requirement.level !== 'open' || !requirement.question.gates) return undefined;
    const { key } = requirement.question;
    return this.#declared.has(key) ? { declared: this.#declared.get(key) } : undefined;
  }

  #judge({ level }: Requirement, outcome: Outcome, claim: Claim | undefined): Verdict {
    try {
      return judge(level, outcome, claim);
    } catch (error) {
      this.faulty(error);
      return 'error';
    }
  }
}

function slimmed(outcome: Outcome): Outcome {
  if (outcome.kind !== 'holds') return { ...outcome, exchanges: outcome.exchanges.map(slim) };
  const { warning } = outcome;
  if (warning === undefined) return outcome;
  return { kind: 'holds', warning: { why: warning.why, exchanges: warning.exchanges.map(slim) } };
}

/** Whether a finding is based on a missing answer. It counts only if the target did not go down. */
const isUnansweredFinding = (outcome: Outcome): outcome is Outcome & { readonly kind: 'broken' } =>
  outcome.kind === 'broken' && outcome.exchanges.some(isUnanswered);

const atTheEnd = (outcome: Outcome, gone: string | undefined): Outcome =>
  gone !== undefined && isUnansweredFinding(outcome)
    ? undecided('failure', gone, ...outcome.exchanges)
    : outcome;
