import { isDeepStrictEqual } from 'node:util';
import type { Exchange } from '../http/exchange.ts';
import { judge, standing, type Verdict } from '../judging/judge.ts';
import { broken, outcomeOf, type Outcome } from '../outcome.ts';
import type { Report, ReportedRequirement } from '../reports/schema.ts';
import type { Requirement } from '../requirement.ts';
import { createdIn } from '../spec/reading.ts';
import { NO_ANSWER, type Replaying } from './course-reading.ts';
import { Doubts } from './doubts.ts';
import { exchangeOf } from './exchange-of.ts';
import type { Har, HarEntry } from './har.ts';
import { Playback } from './playback.ts';
import { ReplayedTarget } from './replayed-target.ts';
import { showsSign } from './signs-again.ts';

/** The result of judging a requirement again. */
export interface Judgement {
  readonly id: string;
  readonly reported: Verdict;
  /** The verdict that follows from the evidence; undefined if none can be decided. */
  readonly judged?: Verdict;
  /** `undecided`: the evidence does not decide it, or the run did not. */
  readonly result: 'agrees' | 'disagrees' | 'undecided';
  /** One sentence; empty if it agrees. */
  readonly why: string;
}

export interface JudgedAgain {
  readonly requirements: readonly Judgement[];
  /** What is wrong with the report or the evidence as a whole, one sentence each. */
  readonly complaints: readonly string[];
}

/**
 * Judges a run again: the same checks are given the recorded exchanges in place of a target, and what they conclude is
 * compared with the report. Nothing is sent.
 *
 * What a check knows beside exchanges (which names it was given, how many more tags it could make, in which order answers
 * reached it) is taken from the evidence as well.
 *
 * @param catalogue of the version of the suite that made the report.
 */
export async function judgeAgain(
  report: Report,
  har: Har,
  catalogue: readonly Requirement[],
): Promise<JudgedAgain> {
  const replay = new Replay(har, catalogue);
  const found = await replay.all(report.requirements);
  return {
    requirements: report.requirements.map((one) => replay.judged(one, found.get(one.id))),
    complaints: complaintsAbout(report, har),
  };
}

/** What a check concluded from the evidence. */
interface Found {
  readonly outcome?: Outcome;
  readonly doubts: Doubts;
  /** What the check threw, other than `Undecided`. */
  readonly fault?: unknown;
}

class Replay {
  readonly #log: Har['log'];
  readonly #catalogue: ReadonlyMap<string, Requirement>;
  readonly #entries: ReadonlyMap<number, HarEntry>;
  readonly #exchanges = new Map<number, Exchange>();
  readonly #playback: Playback;
  #madeIds: ReadonlySet<string> | undefined;

  constructor({ log }: Har, catalogue: readonly Requirement[]) {
    this.#log = log;
    this.#catalogue = new Map(catalogue.map((one) => [one.id, one]));
    this.#entries = new Map(log.entries.map((entry) => [entry._number, entry]));
    this.#playback = new Playback(log._course);
  }

  /** Runs the checks of the given requirements again. */
  async all(reported: readonly ReportedRequirement[]): Promise<ReadonlyMap<string, Found>> {
    const replaying: Replaying = {
      playback: this.#playback,
      run: this.#log._run,
      exchange: (number, doubts) => this.#exchange(number, doubts),
      shared: new Map(),
    };
    const ids = new Set(reported.map(({ id }) => id));
    const checks = this.#log._checks.filter(([, id, again]) => !again && ids.has(id));
    const found = new Map<number, Found>();
    const asking = checks.map(async ([work, id]) => {
      const requirement = this.#catalogue.get(id);
      if (requirement === undefined) return;
      const doubts = new Doubts();
      found.set(work, { doubts });
      const target = new ReplayedTarget(replaying, work, doubts);
      const [begins] = this.#playback.left(work, 'attempt');
      if (begins === undefined) return;
      await this.#playback.turn(begins);
      try {
        const outcome = await outcomeOf(() => target.attempts(() => requirement.check(target)));
        found.set(work, { outcome, doubts });
      } catch (fault) {
        found.set(work, { fault, doubts });
      }
    });
    await this.#playback.until(Promise.all(asking));
    const counting = new Map<string, Found>();
    for (const [work, id] of checks) {
      const one = found.get(work);
      // A check that ran again counts if it decided something, as in the run.
      if (one !== undefined && (!counting.has(id) || one.outcome?.kind !== 'undecided'))
        counting.set(id, one);
    }
    return counting;
  }

  /** Compares the new outcome of a check with the report. */
  judged(reported: ReportedRequirement, found: Found | undefined): Judgement {
    const { id, verdict } = reported;
    const requirement = this.#catalogue.get(id);
    const undecided = (why: string): Judgement => ({ id, reported: verdict, result: 'undecided', why });
    if (requirement === undefined) return undecided('the catalogue does not have it');
    if (verdict === 'skipped') return undecided('it was not checked');
    if (verdict === 'error') return undecided('the run did not decide it');
    if (found === undefined && verdict !== 'fail' && verdict !== 'warn')
      return { id, reported: verdict, result: 'disagrees', why: 'the evidence holds no check of it' };
    // Requirements that watch every exchange need no check.
    if (found === undefined) return undecided('the evidence holds no check of it');
    if ('fault' in found) return undecided('the check cannot be run on the evidence');
    if (found.outcome === undefined) return undecided('the evidence ends before the check does');
    const shown = this.#watched(requirement, found.doubts) ?? this.#signed(requirement) ?? found.outcome;
    const outcome = found.outcome.kind === 'broken' ? found.outcome : shown;
    if (outcome.kind !== 'broken' && this.#findingsOf(requirement).length > 0)
      return undecided('it rests on what the run noticed between several checks');
    const { doubts } = found;
    const judged = this.#verdictOf(requirement, outcome, reported);
    if (judged === undefined) return undecided('its outcome does not fit its level');
    const isSame = judged === verdict && !this.#answersOtherwise(reported, outcome);
    const isTakenOver = outcome.kind === 'undecided' && doubts.has('wasUndecided');
    if (isSame && !isTakenOver) return { id, reported: verdict, judged, result: 'agrees', why: '' };
    if (isSame) return undecided('the run did not decide it');
    if (doubts.has('lacksBody')) return undecided('it needs a body of which only the digest is kept');
    if (doubts.has('endsEarly') || ('why' in outcome && outcome.why === NO_ANSWER))
      return undecided('the check asks for more than the evidence holds');
    if (doubts.has('asksOtherwise')) return undecided('the check asks for something random or secret');
    const why = `the evidence leads to the verdict ${judged}${'why' in outcome ? `: ${outcome.why}` : ''}`;
    return { id, reported: verdict, judged, result: 'disagrees', why };
  }

  #verdictOf(
    requirement: Requirement,
    outcome: Outcome,
    { declared }: ReportedRequirement,
  ): Verdict | undefined {
    try {
      return judge(requirement.level, outcome, declared === undefined ? undefined : { declared });
    } catch {
      return undefined;
    }
  }

  #answersOtherwise({ answer }: ReportedRequirement, outcome: Outcome): boolean {
    return outcome.kind === 'observed' && !isDeepStrictEqual(plain(outcome.answer), plain(answer));
  }

  /** For each recorded finding of a requirement's signs, the numbers of its exchanges. */
  #findingsOf({ signs = [] }: Requirement): readonly (readonly number[])[] {
    return signs.flatMap((sign) => this.#log._signs[sign] ?? []);
  }

  /** The outcome that the exchanges of a requirement's signs show by themselves. */
  #signed({ signs = [] }: Requirement): Outcome | undefined {
    try {
      for (const sign of signs) {
        const findings = (this.#log._signs[sign] ?? []).map((numbers) =>
          numbers.map((number) => this.#exchange(number, new Doubts())),
        );
        if (showsSign(sign, findings, (tagId) => this.#made.has(tagId)))
          return broken(sign, ...findings.flat());
      }
      return undefined;
    } catch {
      // Only the digest of an answer is kept.
      return undefined;
    }
  }

  /** The tag_ids that creates of the run were answered with. */
  get #made(): ReadonlySet<string> {
    this.#madeIds ??= new Set(
      this.#log.entries.flatMap(({ _operation, _number, response }) =>
        _operation === 'create' && response.content._length === undefined
          ? (createdIn(this.#exchange(_number, new Doubts()))?.tagId ?? [])
          : [],
      ),
    );
    return this.#madeIds;
  }

  /** The finding of a requirement that watches every exchange of the run. */
  #watched({ watch }: Requirement, doubts: Doubts): Outcome | undefined {
    if (watch === undefined) return undefined;
    for (const { _number, _deferred, _retracted } of this.#log.entries) {
      if (_deferred === true || _retracted === true) continue;
      const exchange = this.#exchange(_number, doubts);
      try {
        const why = watch(exchange);
        if (why !== undefined) return broken(why, exchange);
      } catch {
        // A body was needed of which only the digest is kept; the doubts record that.
        doubts.lacksBody = true;
      }
    }
    return undefined;
  }

  /** Exchanges with bodies that are kept are read once: one may be asked for many times. */
  #exchange(number: number, doubts: Doubts): Exchange {
    const known = this.#exchanges.get(number);
    if (known !== undefined) return known;
    const entry = this.#entries.get(number);
    if (entry === undefined) throw new Error(`the evidence lacks the exchange ${number}`);
    const exchange = exchangeOf(entry, this.#log._run.target, () => {
      doubts.lacksBody = true;
    });
    if (entry.response.content._length === undefined) this.#exchanges.set(number, exchange);
    return exchange;
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** What the report and the evidence say about one another and about the run. */
function complaintsAbout(report: Report, { log }: Har): string[] {
  const { requirements, ended, residue } = report;
  const stands = standing(requirements, { isWhole: ended === 'whole', residue: residue.length });
  const gap = log.entries.findIndex(({ _number }, at) => _number !== at + 1);
  return [
    ...(stands.verdict === report.verdict
      ? []
      : [`The report says ${report.verdict}, but its requirements make it ${stands.verdict}.`]),
    ...(stands.partial === report.partial
      ? []
      : [
          `The report says that the run is ${report.partial ? '' : 'not '}partial, but its requirements say otherwise.`,
        ]),
    ...(gap < 0 ? [] : [`The evidence has a gap: the exchange ${gap + 1} is missing.`]),
    ...(log.entries.length === report.evidence?.entries
      ? []
      : [
          `The evidence has ${log.entries.length} exchanges, but the report says ${report.evidence?.entries ?? 'that there is none'}.`,
        ]),
  ];
}
