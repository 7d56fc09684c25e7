import { setTimeout as sleep } from 'node:timers/promises';
import { isUnanswered, slim } from '../http/exchange.ts';
import { judge, type Claim, type Verdict } from '../judging/judge.ts';
import type { Masker } from '../judging/masker.ts';
import { broken, undecided, Undecided, type Outcome } from '../outcome.ts';
import { Permits } from '../permits.ts';
import type { Requirement } from '../requirement.ts';
import { untilAnswered } from './asking-again.ts';
import { cleanUp, type Residue } from './cleanup.ts';
import { inventory, type Inventory } from './inventory.ts';
import { preflight, type Obstacle } from './preflight.ts';
import type { Session } from './session.ts';
import { ENOUGH_ROOM, roomIn } from './room.ts';
import { Target } from './target.ts';
import { Watch } from './watch.ts';

/** What the run came to for one requirement. */
export interface Result {
  readonly requirement: Requirement;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
  /** What was declared of it, where that gates. */
  readonly claim?: Claim | undefined;
  readonly durationMs: number;
  /** How it went when it was asked again, where it was broken. */
  readonly steadiness?: Steadiness | undefined;
}

/** How often a broken requirement was asked in all, and how often it was broken then. */
export interface Steadiness {
  readonly asked: number;
  readonly failed: number;
}

export type Ending = 'whole' | 'cut short' | 'interrupted';

/** What the whole run came to. */
export interface Conclusion {
  readonly results: readonly Result[];
  readonly obstacle?: Obstacle | undefined;
  readonly ended: Ending;
  readonly residue: readonly Residue[];
  readonly inventory?: Inventory | undefined;
  /** The first fault of the suite itself, if there was one: then no verdict of this run is to be trusted. */
  readonly fault?: Error | undefined;
  readonly durationMs: number;
}

/** How long an ended run waits for requests that are still under way before it tidies up. */
const GRACE_MS = 2_000;

/** Requests that what is generated, or asked again, leaves to what is asked after that. */
const RESERVED = 80;

/** Logins that the phase of wrong ones takes. */
const WRONG_LOGINS = 17;

/** What is broken is asked again so often, to tell what always fails from what comes and goes. */
const AGAIN = 3;
const AGAIN_AT_ONCE = 4;

/** How long removing what the run made may take, once everything is asked. */
const TIDYING_MS = 30_000;

/** One certification: every selected check started at once, each awaited on its own, and the target left as it was. */
export class Run {
  readonly #session: Session;
  readonly #masker: Masker;
  readonly #watch: Watch;
  readonly #requirements: readonly Requirement[];
  readonly #maxTimeMs: number;
  readonly #declared: ReadonlyMap<string, unknown>;
  readonly #onResult: (result: Result) => void;
  readonly #results = new Map<string, { promise: Promise<Result>; settle: (result: Result) => void }>();
  readonly #targets: Target[] = [];
  readonly #stopped: Promise<void>;
  #stop: () => void = () => undefined;
  #ended: Ending = 'whole';
  #isTidying = false;
  #fault: Error | undefined;
  /** Why the target counts as gone, if it does. */
  #gone: string | undefined;
  #obstacle: Obstacle | undefined;
  #conclusion: Promise<Conclusion> | undefined;

  constructor(parts: {
    readonly session: Session;
    readonly masker: Masker;
    readonly requirements: readonly Requirement[];
    readonly maxTimeMs: number;
    /** Declared answers, by the keys of their questions. */
    readonly declared?: ReadonlyMap<string, unknown>;
    readonly onResult?: (result: Result) => void;
  }) {
    this.#session = parts.session;
    this.#masker = parts.masker;
    this.#requirements = parts.requirements;
    this.#maxTimeMs = parts.maxTimeMs;
    this.#declared = parts.declared ?? new Map();
    this.#onResult = parts.onResult ?? (() => undefined);
    this.#watch = new Watch(parts.requirements);
    parts.session.client.listener = this.#watch;
    parts.session.loginsKept = parts.requirements.some(({ when }) => when === 'logins') ? WRONG_LOGINS : 0;
    this.#stopped = new Promise((resolve) => (this.#stop = resolve));
    for (const { id } of parts.requirements) {
      let settle: (result: Result) => void = () => undefined;
      const promise = new Promise<Result>((resolve) => (settle = resolve));
      this.#results.set(id, { promise, settle });
    }
  }

  /** The result of one selected requirement, as soon as it is known. */
  result(id: string): Promise<Result> {
    const known = this.#results.get(id);
    if (known === undefined) throw new Error(`${id} is not part of this run`);
    return known.promise;
  }

  /** Starts the run; called again, hands back the same one. */
  conclude(): Promise<Conclusion> {
    this.#conclusion ??= this.#conclude();
    return this.#conclusion;
  }

  #whyEnded(): string {
    return this.#ended === 'interrupted'
      ? 'the run was interrupted before this was decided'
      : `the time for the whole run (${this.#maxTimeMs / 1_000} s) ran out before this was decided`;
  }

  /** Ends the run early: what is undecided stays so, and the target is tidied up. */
  interrupt(): void {
    this.#end('interrupted');
  }

  #end(ended: Ending): void {
    if (this.#ended !== 'whole') return;
    this.#ended = ended;
    // What is left to do is what an interrupted run does as well.
    if (this.#isTidying) return;
    const why = this.#whyEnded();
    this.#session.client.stop(why);
    for (const target of this.#targets) target.abandon(why);
    this.#stop();
  }

  async #conclude(): Promise<Conclusion> {
    const started = performance.now();
    const timer = setTimeout(() => this.#end('cut short'), this.#maxTimeMs);
    const work = this.#work();
    const grace = new AbortController();
    const graceOver = async (): Promise<void> => {
      await this.#stopped;
      await sleep(GRACE_MS, undefined, { signal: grace.signal }).catch(() => undefined);
    };
    await Promise.race([work, graceOver()]);
    grace.abort();
    clearTimeout(timer);
    this.#isTidying = true;
    this.#gone = this.#ended === 'whole' ? this.#session.client.stopped : undefined;
    if (this.#gone === undefined) this.#session.client.tidy(TIDYING_MS);
    const tidying = setTimeout(
      () => this.#session.client.stop('removing what the run made took too long'),
      TIDYING_MS,
    );
    const { second } = this.#session;
    const sessions = second === undefined ? [this.#session] : [this.#session, second];
    const residue = (await Promise.all(sessions.map((session) => cleanUp(session, this.#masker)))).flat();
    clearTimeout(tidying);
    const others = await inventory(this.#session, this.#session.before);
    if (residue.length === 0) this.#session.ledger.discard();
    await this.#session.client.close();
    const results = this.#judgeAll();
    return {
      results,
      obstacle: this.#obstacle,
      ended: this.#gone === undefined ? this.#ended : 'cut short',
      residue,
      inventory: others,
      fault: this.#fault,
      durationMs: performance.now() - started,
    };
  }

  async #work(): Promise<void> {
    await this.#attempt(async () => {
      this.#obstacle = await preflight(this.#session);
    });
    const ask = (requirement: Requirement): Promise<void> => this.#ask(requirement, this.#session.tags);
    const of = (phase: Requirement['when']): readonly Requirement[] =>
      this.#requirements.filter(({ when }) => when === phase);
    // Their tags are set aside: they hold them until everybody else, waiting for tags perhaps, is done.
    const throughout = of('throughout').map((requirement) => this.#ask(requirement));
    await Promise.all(of('first').map(ask));
    await Promise.all(of(undefined).map(ask));
    for (const requirement of of('calm')) await this.#ask(requirement);
    // What is generated may use up whatever it is given.
    this.#session.client.reserve(RESERVED);
    // Names have the most cases by far: the others come first.
    await Promise.all(of('generated').toReversed().map(ask));
    this.#session.client.reserve(0);
    await Promise.all(of('logins').map(ask));
    // A right login after the wrong ones, so that a target which counts failures in a row starts again from none.
    if (this.#session.client.traffic.failedLogins > 0)
      await this.#attempt(() => this.#session.account.closeWithLogin());
    this.#session.client.reserve(RESERVED);
    await this.#askAgain();
    this.#session.client.reserve(0);
    this.#session.endOthers();
    await Promise.all(throughout);
  }

  readonly #steadiness = new Map<string, Steadiness>();

  /** Asks again what was found broken, but for what logs in or takes the whole run. */
  async #askAgain(): Promise<void> {
    const found = this.#found.filter(
      ({ requirement: { level, when }, outcome }) =>
        outcome.kind === 'broken' &&
        level !== 'advisory' &&
        when !== 'throughout' &&
        when !== 'first' &&
        when !== 'logins',
    );
    // What is broken may come with large answers, which each of them holds for a while.
    const lanes = new Permits(AGAIN_AT_ONCE);
    for (let time = 1; time <= AGAIN && found.length > 0; time++) {
      this.#session.forgetShared();
      await Promise.all(
        found.map(({ requirement, outcome }) =>
          lanes.use(1, () => this.#askOnceMore(requirement, outcome, `again ${time}`)),
        ),
      );
    }
  }

  async #askOnceMore(requirement: Requirement, found: Outcome, time: string): Promise<void> {
    const { id, tags = 0 } = requirement;
    const room = roomIn(this.#session.tags, tags);
    const target = new Target(this.#session, `${id} ${time}`, tags, room);
    this.#targets.push(target);
    if (this.#ended !== 'whole') target.abandon(this.#whyEnded());
    if (found.kind === 'broken' && found.example !== undefined) target.repeat(found.example.path);
    const { kind } = await this.#outcomeOf(requirement, target);
    await this.#attempt(() => target.removeTags());
    await room.leave();
    const { asked, failed } = this.#steadiness.get(id) ?? { asked: 1, failed: 1 };
    if (kind === 'broken') this.#steadiness.set(id, { asked: asked + 1, failed: failed + 1 });
    if (kind === 'holds') this.#steadiness.set(id, { asked: asked + 1, failed });
  }

  readonly #found: { requirement: Requirement; outcome: Outcome; durationMs: number }[] = [];

  /** @param tags of which it takes those that it makes; without them, they are set aside for it. */
  async #ask(requirement: Requirement, tags?: Permits): Promise<void> {
    const started = performance.now();
    const room = tags === undefined ? ENOUGH_ROOM : roomIn(tags, requirement.tags ?? 0);
    const target = new Target(this.#session, requirement.id, requirement.tags ?? 0, room);
    this.#targets.push(target);
    if (this.#ended !== 'whole') target.abandon(this.#whyEnded());
    let outcome = slimmed(await this.#outcomeOf(requirement, target));
    // What cannot be removed now is tried again at the end, and is residue then.
    await this.#attempt(() => target.removeTags());
    await room.leave();
    if (this.#obstacle !== undefined && outcome.kind === 'undecided' && outcome.because === 'failure') {
      outcome = undecided(
        'failure',
        `preflight could not ${this.#obstacle.step}: ${this.#obstacle.why}`,
        ...this.#obstacle.exchanges,
      );
    }
    this.#found.push({ requirement, outcome, durationMs: performance.now() - started });
    // What rests on silence is told at the end, when it is known whether the target had gone.
    if (outcome.kind === 'broken' ? !restsOnSilence(outcome) : !isDecidedAtTheEnd(requirement))
      this.#report(requirement, outcome, performance.now() - started);
  }

  /** Does something whose failing decides nothing; only a fault of the suite is kept. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Undecided)) this.#fault ??= asError(error);
    }
  }

  async #outcomeOf(requirement: Requirement, target: Target): Promise<Outcome> {
    // What the preflight ran into would only be run into again.
    const isHopeless = ({ kind }: Outcome): boolean => kind === 'undecided' && this.#obstacle !== undefined;
    try {
      return unlessUnread(await untilAnswered(target, () => requirement.check(target), isHopeless));
    } catch (error) {
      this.#fault ??= asError(error);
      return undecided('failure', 'a fault of the suite itself kept this from being decided');
    }
  }

  readonly #reported: Result[] = [];

  #report(requirement: Requirement, outcome: Outcome, durationMs: number): Result {
    const claim = this.#claimOf(requirement);
    const verdict = this.#judge(requirement, outcome, claim);
    const result: Result = { requirement, outcome, verdict, claim, durationMs };
    this.#reported.push(result);
    this.#results.get(requirement.id)?.settle(result);
    this.#onResult(result);
    return result;
  }

  #claimOf(requirement: Requirement): Claim | undefined {
    if (requirement.level !== 'open' || !requirement.question.gates) return undefined;
    const { key } = requirement.question;
    return this.#declared.has(key) ? { declared: this.#declared.get(key) } : undefined;
  }

  #judge(requirement: Requirement, outcome: Outcome, claim: Claim | undefined): Verdict {
    try {
      return judge(requirement.level, outcome, claim);
    } catch (error) {
      this.#fault ??= asError(error);
      return 'error';
    }
  }

  /** What a sign of the run says against a requirement. */
  #signOf({ sign }: Requirement): Outcome | undefined {
    const seen = sign === undefined ? [] : this.#session.signs.of(sign);
    const [first] = seen;
    if (first === undefined) return undefined;
    const times = seen.length > 1 ? ` (${seen.length} times in this run)` : '';
    return broken(`${first.why}${times}`, ...first.exchanges);
  }

  /** Reports what is not reported yet: requirements that watch the whole run, and those that were cut off. */
  #judgeAll(): Result[] {
    if (this.#watch.fault !== undefined) this.#fault ??= asError(this.#watch.fault);
    for (const requirement of this.#requirements) {
      if (this.#reported.some((result) => result.requirement === requirement)) continue;
      const found = this.#found.find((one) => one.requirement === requirement);
      let outcome = found?.outcome ?? undecided('failure', this.#gone ?? this.#whyEnded());
      if (this.#gone !== undefined && restsOnSilence(outcome))
        outcome = undecided('failure', this.#gone, ...outcome.exchanges);
      // What the tester left out is not asked by watching either.
      const isLeftOut = outcome.kind === 'undecided' && outcome.because === 'tester';
      const seen = isLeftOut ? undefined : (this.#watch.outcomeOf(requirement) ?? this.#signOf(requirement));
      const decided = outcome.kind === 'broken' ? outcome : (seen ?? outcome);
      this.#report(requirement, decided, found?.durationMs ?? 0);
    }
    return this.#requirements.flatMap(({ id }) => {
      const result = this.#reported.find(({ requirement }) => requirement.id === id);
      return result === undefined ? [] : { ...result, steadiness: this.#steadiness.get(id) };
    });
  }
}

/** What shows only when the run is over is waited for. */
const isDecidedAtTheEnd = ({ watch, sign }: Requirement): boolean =>
  watch !== undefined || sign !== undefined;

/** Without the bulk of large answers: what a check found is kept for long. */
function slimmed(outcome: Outcome): Outcome {
  if (outcome.kind === 'holds') {
    const { warning } = outcome;
    return warning === undefined
      ? outcome
      : { kind: 'holds', warning: { why: warning.why, exchanges: warning.exchanges.map(slim) } };
  }
  return { ...outcome, exchanges: outcome.exchanges.map(slim) };
}

/** A finding because no answer came: it is one only if the target did answer others. */
const restsOnSilence = (outcome: Outcome): outcome is Outcome & { readonly kind: 'broken' } =>
  outcome.kind === 'broken' && outcome.exchanges.some(isUnanswered);

/** How large an answer may be is open (8), and some lawful ones are beyond this client: one that was not read decides nothing. */
function unlessUnread(outcome: Outcome): Outcome {
  const isUnread =
    outcome.kind === 'broken' &&
    outcome.exchanges.some(({ failure }) => failure?.kind === 'oversized' || failure?.kind === 'unreadable');
  return isUnread ? undecided('failure', outcome.why, ...outcome.exchanges) : outcome;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
