import type { Budget } from '../effort.ts';
import { saysNothing } from '../account/strangers.ts';
import type { Conclusion } from '../run/run.ts';
import type { Session } from '../run/session.ts';
import { withShortQuotes } from '../http/wording.ts';
import { exitCode, standing } from '../judging/judge.ts';
import type { Requirement } from '../requirement.ts';
import { asGated, gateOf } from '../known-failures/gate.ts';
import type { KnownFailures } from '../known-failures/list.ts';
import { marked } from '../known-failures/marking.ts';
import { causesOf } from './causes.ts';
import { fingerprint } from './fingerprint.ts';
import { reported, shown, skipped, type Reporting, type Says } from './result.ts';
import type { Provenance } from './provenance.ts';
import type { Report } from './schema.ts';
import type { OwnTag } from './set-up.ts';

export { reportSchema, type Report, type ReportedRequirement } from './schema.ts';

/** Gives the numbers of the exchanges that a requirement rests on, such as `3 7-9`. */
export type RestsOn = (id: string) => string;

/** What reports of a session's results need. */
export const reportingOf = ({ settings, names, accounts, masker }: Session, says?: Says): Reporting => ({
  base: settings.base,
  masker,
  isOwn: (name) => names.isOwn(name),
  // A tag that the run itself made of a request without a name may look like a stranger's.
  isStrangers: (name) =>
    !saysNothing(name) &&
    // Other users may have tags of such a name, too, but a finding tells it because the target gives it to tags.
    !accounts.some(({ leftBehind }) => leftBehind.has(name)) &&
    accounts.some(({ ownership }) => ownership.strangers.hadName(name) && !ownership.isOwn(name)),
  seed: settings.seed,
  effort: settings.effort,
  says,
  ownTags: () => {
    const own = new Map<string, OwnTag>();
    for (const [at, { tags }] of accounts.entries())
      for (const { tagId, names: given, updates, firstMadeAt: madeAt, removedAt } of tags.records) {
        const [name = ''] = given;
        // If a tag_id has two records, the later one is of a request that should not have had this effect.
        if (tagId !== undefined && !own.has(tagId))
          own.set(tagId, { name, updates, isSecond: at > 0, madeAt, removedAt });
      }
    return own;
  },
});

const trafficOf = ({ sent, traffic }: Session['client']['budget']): Report['traffic'] => {
  const { retries, waitedMs, ...counted } = traffic;
  return { ...sent, retries, waitedMs, counted };
};

/** A requirement that was not checked. */
export interface LeftOut {
  readonly requirement: Requirement;
  readonly why: string;
}

/** Turns the conclusion of a run into data that may leave the process: masked, and complete. */
export function report(parts: {
  readonly conclusion: Conclusion;
  readonly session: Session;
  readonly leftOut: readonly LeftOut[];
  /** The limits of what the run may send. */
  readonly budget: Budget;
  readonly provenance: Provenance;
  readonly evidence?: Report['evidence'];
  /** The exchanges that each requirement rests on, by its id. */
  readonly restsOn?: RestsOn | undefined;
  readonly course?: Report['course'];
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly requireWhole: boolean;
  readonly says?: Says | undefined;
  /** Failures that do not fail the gate. */
  readonly knownFailures?: KnownFailures | undefined;
}): Report {
  const { conclusion, session } = parts;
  const { masker } = session;
  const { obstacle, fault, inventory } = conclusion;
  const reporting = reportingOf(session, parts.says);
  const judged = [
    ...conclusion.results.map((result) => reported(result, reporting)),
    ...parts.leftOut.map(({ requirement, why }) => skipped(requirement, why)),
  ];
  const causes = causesOf(judged);
  const awaiting = judged.map((one) => {
    const awaited = causes.find(({ waiting }) => waiting.includes(one.id));
    return {
      ...one,
      ...(parts.restsOn === undefined ? {} : { restsOn: parts.restsOn(one.id) }),
      ...(awaited === undefined ? {} : { waitsFor: awaited.id }),
    };
  });
  const course = { isWhole: conclusion.ended === 'whole', residue: conclusion.residue.length };
  const stands = standing(awaiting, course);
  const gate =
    parts.knownFailures === undefined ? undefined : gateOf(awaiting, parts.knownFailures, parts.startedAt);
  const requirements = gate === undefined ? awaiting : awaiting.map((one) => marked(one, gate, masker));
  // Only free text is masked: a secret that happens to be a word of the report's form must not change that form.
  return {
    ...stands,
    overBudget: [...stands.overBudget],
    exitCode: exitCode({
      standing: gate === undefined ? stands : standing(asGated(awaiting, gate), course),
      ended: conclusion.ended,
      listProblems: gate?.problems.length ?? 0,
      faulty: fault !== undefined,
      requireWhole: parts.requireWhole,
    }),
    ...(gate === undefined
      ? {}
      : {
          knownFailures: {
            file: gate.file,
            known: [...gate.known.keys()],
            problems: gate.problems.map((problem) => ({
              ...problem,
              sentence: masker.text(problem.sentence),
            })),
          },
        }),
    ended: conclusion.ended,
    ...parts.provenance,
    ...(parts.evidence === undefined ? {} : { evidence: parts.evidence }),
    target: masker.text(session.settings.base.href.replace(/\/+$/, '')),
    seed: masker.text(session.settings.seed),
    startedAt: parts.startedAt.toISOString(),
    endedAt: parts.endedAt.toISOString(),
    durationMs: Math.round(conclusion.durationMs),
    effort: session.settings.effort,
    traffic: trafficOf(session.client.budget),
    ...(parts.course === undefined ? {} : { course: parts.course }),
    planned: parts.budget,
    ...(obstacle === undefined
      ? {}
      : {
          obstacle: {
            step: obstacle.step,
            why: withShortQuotes(masker.text(obstacle.why)),
            ...(obstacle.slip === undefined ? {} : { slip: withShortQuotes(masker.text(obstacle.slip)) }),
            exchanges: obstacle.exchanges.map((exchange) => shown(exchange, reporting)),
          },
        }),
    ...(fault === undefined ? {} : { fault: masker.text(fault.stack ?? fault.message) }),
    requirements,
    causes,
    fingerprint: fingerprint(requirements),
    ...(inventory === undefined ? {} : { inventory }),
    residue: [...conclusion.residue],
  };
}
