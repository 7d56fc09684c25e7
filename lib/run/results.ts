import { slim } from '../http/exchange.ts';
import { judge, type Claim, type Verdict } from '../judging/judge.ts';
import { undecided, type Outcome } from '../outcome.ts';
import type { Requirement } from '../requirement.ts';
import type { Losses } from './losses.ts';
import {
  isUnansweredFinding,
  ONCE,
  unlessByChance,
  unlessGone,
  type Found,
  type Steadiness,
} from './doubt.ts';
import type { History } from './history.ts';

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

/** A requirement of the run, and what is known of it so far. */
interface Entry {
  readonly requirement: Requirement;
  readonly reported: Promise<Result>;
  readonly settle: (result: Result) => void;
  found?: Found;
  result?: Result;
  steadiness?: Steadiness;
}

function entryOf(requirement: Requirement): Entry {
  let settle: (result: Result) => void = () => undefined;
  const reported = new Promise<Result>((resolve) => (settle = resolve));
  return { requirement, reported, settle };
}

/** Collects the findings of a run and converts them to results, at once or at the end of the run. */
export class Results {
  /** By the ids of the requirements, in the order of the catalogue. */
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #declared: ReadonlyMap<string, unknown>;
  readonly #onResult: (result: Result) => void;
  readonly #noteFault: (error: unknown) => void;
  readonly #losses: Losses;

  /**
   * @param declared declared answers, by the keys of their questions.
   * @param noteFault called with a fault of the suite itself.
   * @param losses tells whether connections were closed by chance.
   */
  constructor(
    requirements: readonly Requirement[],
    declared: ReadonlyMap<string, unknown>,
    onResult: (result: Result) => void,
    noteFault: (error: unknown) => void,
    losses: Losses,
  ) {
    this.#entries = new Map(requirements.map((requirement) => [requirement.id, entryOf(requirement)]));
    this.#declared = declared;
    this.#onResult = onResult;
    this.#noteFault = noteFault;
    this.#losses = losses;
  }

  /** The result of one requirement, as soon as it is known. */
  of(id: string): Promise<Result> {
    return this.#entry(id).reported;
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new Error(`${id} is not part of this run`);
    return entry;
  }

  /** Adds a finding. Its exchanges are cut, because they are kept until the end of the run. */
  add(found: Found): void {
    const { requirement } = found;
    const outcome = slimmed(found.outcome);
    const entry = this.#entry(requirement.id);
    entry.found = { ...found, outcome };
    // A finding based on a missing answer waits until the end, when we know whether the target had gone down.
    const isFinal =
      outcome.kind === 'broken'
        ? !isUnansweredFinding(outcome)
        : requirement.watch === undefined && requirement.signs === undefined;
    if (isFinal) this.#report(entry, outcome);
  }

  /** The broken requirements so far. */
  get broken(): readonly Found[] {
    return [...this.#entries.values()].flatMap(({ found }) =>
      found?.outcome.kind === 'broken' ? found : [],
    );
  }

  /** Counts the outcome of a repeated check of a broken requirement. Undecided outcomes do not count. */
  repeated(id: string, { kind }: Outcome): void {
    if (kind !== 'broken' && kind !== 'holds') return;
    const entry = this.#entry(id);
    const { asked, failed } = entry.steadiness ?? ONCE;
    entry.steadiness = { asked: asked + 1, failed: failed + (kind === 'broken' ? 1 : 0) };
  }

  /**
   * Reports the remaining results, and returns all results in the order of the catalogue.
   *
   * @param history the findings of the whole run; undefined if they do not count.
   * @param gone why the target counts as gone, if it does.
   * @param unasked the outcome of requirements that were not checked.
   */
  conclude(history: History | undefined, gone: string | undefined, unasked: Outcome): readonly Result[] {
    if (history?.fault !== undefined) this.#noteFault(history.fault);
    return [...this.#entries.values()].map((entry) => {
      const { requirement, found, steadiness } = entry;
      if (entry.result !== undefined) return { ...entry.result, steadiness };
      const came = found?.outcome ?? (gone === undefined ? unasked : undecided('failure', gone));
      const outcome = unlessByChance(unlessGone(came, gone), requirement, this.#losses, steadiness);
      const isLeftOut =
        outcome.kind === 'undecided' && (outcome.because === 'tester' || outcome.because === 'budget');
      const shown = outcome.kind === 'broken' || isLeftOut ? undefined : history?.outcomeOf(requirement);
      return { ...this.#report(entry, shown ?? outcome), steadiness };
    });
  }

  #report(entry: Entry, outcome: Outcome): Result {
    const { requirement, found } = entry;
    const claim = this.#claimOf(requirement);
    const verdict = this.#judge(requirement, outcome, claim);
    const result = { requirement, outcome, verdict, claim, durationMs: found?.durationMs ?? 0 };
    entry.result = result;
    entry.settle(result);
    this.#onResult(result);
    return result;
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
      this.#noteFault(error);
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
