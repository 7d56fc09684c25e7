import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileLedger, ledgerName, type Entry, type Ledger } from './account/ledger.ts';
import { BUDGETS, reaches } from './effort.ts';
import { rangesOf } from './evidence/ranges.ts';
import { Recorder } from './evidence/recorder.ts';
import type { EvidenceFile } from './evidence/write-har.ts';
import { fileProblem } from './folder.ts';
import { Client } from './http/client.ts';
import { WAITS } from './http/waits.ts';
import { TargetFacts } from './reports/target-facts.ts';
import { Timeline } from './reports/timeline.ts';
import { connect, type Transport } from './http/transport.ts';
import { Masker } from './judging/masker.ts';
import { gateOf } from './known-failures/gate.ts';
import type { KnownFailures } from './known-failures/list.ts';
import { marked } from './known-failures/marking.ts';
import { provenanceOf, type Said } from './reports/provenance.ts';
import { report, reportingOf, type LeftOut, type RestsOn } from './reports/report.ts';
import { reported, skipped, type Reporting, type Says } from './reports/result.ts';
import type { Report, ReportedRequirement } from './reports/schema.ts';
import { refuseUnwritable } from './reports/write.ts';
import type { Requirement } from './requirement.ts';
import type { Result } from './run/results.ts';
import { Run } from './run/run.ts';
import { Session } from './run/session.ts';
import { Secret } from './secret.ts';
import type { Settings } from './settings.ts';

export interface Plan {
  readonly settings: Settings & { readonly base: URL; readonly path?: string };
  readonly selected: readonly Requirement[];
  /** Requirements that the tester excluded. */
  readonly leftOut?: readonly Requirement[];
  /** By default `left out by --only`. */
  readonly whyLeftOut?: string;
  readonly allowsHttp?: boolean;
  readonly requireWhole?: boolean;
  /** Ends the run as soon as this many requirements have failed. */
  readonly bail?: number | undefined;
  /** Declared answers to open questions, by key. */
  readonly declared?: ReadonlyMap<string, unknown> | undefined;
  /** Failures that do not fail the gate. */
  readonly knownFailures?: KnownFailures | undefined;
  /** Called with each result as soon as it is known. */
  readonly onResult?: ((result: ReportedRequirement) => void) | undefined;
  /** Called with a sentence that the tester should read at once. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** Returns the sentence of the specification that a requirement checks. */
  readonly says?: Says;
  /** What the tester stated about the specification, the product and the operator, for the report. */
  readonly said?: Said;
  /** Whether to write every exchange to a file beside the report. */
  readonly keepsEvidence?: boolean;
  /** Carries the requests; by default over connections to the target. */
  readonly transport?: Transport;
  /** By default a file in the report folder. */
  readonly ledger?: Ledger;
}

export interface Certification {
  /** The result of one requirement as soon as it is known; some are known only at the end of the run. */
  readonly result: (id: string) => Promise<ReportedRequirement>;
  /** How many requests the run has sent so far. */
  readonly sent: () => number;
  /** Ends the run early. */
  readonly interrupt: () => void;
  /** Starts the run, unless it has started. Resolves with its report when the run's tags are removed. */
  readonly report: () => Promise<Report>;
}

/** Prepares one certification. It sends nothing yet. */
export function certification(plan: Plan): Certification {
  const { settings, declared, onNotice } = plan;
  const startedAt = new Date();
  const session = conversation(plan, plan.ledger ?? ledgerOf(settings, startedAt));
  const { client, masker } = session;
  const { asked, leftOut, share } = askedOf(plan);
  const reporting = reportingOf(session, plan.says);
  const recorder = plan.keepsEvidence === true ? new Recorder(session, settings.reportDir) : undefined;
  const facts = new TargetFacts();
  const timeline = new Timeline();
  client.listeners.push(facts, timeline, ...(recorder === undefined ? [] : [recorder]));
  const run = new Run({
    session,
    requirements: asked,
    share,
    declared,
    onResult: telling(plan, reporting, startedAt, () => run.bail()),
    onNotice,
    targetOf: recorder && ((work) => recorder.targetOf(work)),
  });
  return {
    sent: () => client.budget.sent.requests,
    result: async (id) => {
      const skip = leftOut.find(({ requirement }) => requirement.id === id);
      return skip === undefined
        ? reported(await run.result(id), reporting)
        : skipped(skip.requirement, skip.why);
    },
    interrupt: () => run.interrupt(),
    report: async () => {
      const conclusion = await run.conclude();
      const kept = recorder === undefined ? {} : keptBy(recorder, plan);
      return report({
        conclusion: { ...conclusion, fault: conclusion.fault ?? kept.fault },
        session,
        leftOut,
        budget: BUDGETS[settings.effort],
        provenance: provenanceOf({
          said: plan.said ?? {},
          catalogue: catalogueOf(plan),
          settings: settings.given,
          facts,
          connection: client.transport.connection,
          masker,
        }),
        evidence: kept.file,
        restsOn: kept.restsOn,
        course: timeline.course(),
        startedAt,
        endedAt: new Date(),
        requireWhole: plan.requireWhole ?? false,
        says: plan.says,
        knownFailures: plan.knownFailures,
      });
    },
  };
}

/** All requirements, including those that the tester excluded. */
const catalogueOf = ({ selected, leftOut = [] }: Plan): readonly Requirement[] => [...selected, ...leftOut];

/** Splits the requirements into those that the effort and the tester include, and those that they leave out. */
function askedOf(plan: Plan): {
  readonly asked: readonly Requirement[];
  readonly leftOut: readonly LeftOut[];
  /** The share of all requirements of the effort that is included, from 0 to 1. */
  readonly share: number;
} {
  const { selected, leftOut = [], whyLeftOut: why = 'left out by --only' } = plan;
  const isOfEffort = ({ effort = 'quick' }: Requirement): boolean => reaches(plan.settings.effort, effort);
  const asked = selected.filter(isOfEffort);
  return {
    asked,
    leftOut: [
      ...selected
        .filter((requirement) => !isOfEffort(requirement))
        .map((requirement) => ({
          requirement,
          why: `checked with the effort ${requirement.effort} and above`,
        })),
      ...leftOut.map((requirement) => ({ requirement, why })),
    ],
    share: asked.length / catalogueOf(plan).filter(isOfEffort).length,
  };
}

/** Reports each result as soon as it is known, and calls `bail` once enough requirements have failed. */
function telling(
  { onResult, bail: most, knownFailures }: Plan,
  reporting: Reporting,
  startedAt: Date,
  bail: () => void,
): ((result: Result) => void) | undefined {
  // Without a listener, the report builds all results once, at the end.
  if (onResult === undefined && most === undefined) return undefined;
  let failures = 0;
  return (result) => {
    const bare = reported(result, reporting);
    const one =
      knownFailures === undefined
        ? bare
        : marked(bare, gateOf([bare], knownFailures, startedAt), reporting.masker);
    onResult?.(one);
    if (one.verdict === 'fail' && one.known === undefined && ++failures === most) bail();
  };
}

/**
 * Writes the evidence file.
 *
 * @returns an empty object if the file cannot be written: the report then names no file.
 */
function keptBy(
  recorder: Recorder,
  { settings, selected }: Plan,
): { readonly file?: EvidenceFile; readonly restsOn?: RestsOn; readonly fault?: Error } {
  const watching = selected.flatMap(({ id, watch }) => (watch === undefined ? [] : id));
  try {
    const { file, restsOn } = recorder.finish(settings.reportDir, watching);
    return {
      file,
      restsOn: (id) => (watching.includes(id) ? 'every' : rangesOf(restsOn.get(id) ?? [])),
    };
  } catch (error) {
    if (fileProblem(error) !== undefined) return {};
    return { fault: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** The session with a target. It sends nothing yet. */
export function conversation(
  { settings, transport, allowsHttp = false }: Pick<Plan, 'settings' | 'transport' | 'allowsHttp'>,
  ledger: Ledger,
): Session {
  const masker = new Masker();
  for (const secret of secretsIn(settings)) masker.add(secret);
  const client = new Client(transport ?? connectTo(settings), {
    ...settings,
    ...BUDGETS[settings.effort],
    patienceMs: WAITS.down.settles * settings.settleMs,
  });
  // A target may put a secret into a tag_id, and a ledger is a file.
  const masked: Ledger = {
    write: (entry, account) => ledger.write(withoutSecrets(entry, masker), account),
    discard: () => ledger.discard(),
  };
  return new Session({ ...settings, allowsHttp }, client, masker, masked);
}

/** The secrets in the settings. */
export function secretsIn(settings: Settings): Secret[] {
  const { password, panelToken, second, extraHeaders, clientCertificate, proxy } = settings;
  const values = [
    password,
    panelToken,
    second?.password,
    ...extraHeaders.map(([, value]) => value),
    clientCertificate?.passphrase,
    proxy?.authorization,
  ];
  return values.filter((value) => value instanceof Secret);
}

/** Masks only the values that the target sent or received: a password may also be a word of the ledger format. */
const withoutSecrets = (entry: Entry, masker: Masker): Entry => ({
  ...entry,
  ...('name' in entry ? { name: masker.text(entry.name) } : {}),
  ...('tag_id' in entry ? { tag_id: masker.text(entry.tag_id) } : {}),
});

/** Connections to the target. */
export const connectTo = (settings: Plan['settings']): Transport =>
  connect(settings.base, settings.mostConcurrency ?? settings.concurrency, settings);

/** @throws SettingsError if the report folder is not writable. */
function ledgerOf({ reportDir, base }: Plan['settings'], startedAt: Date): Ledger {
  refuseUnwritable(reportDir);
  const pathAt = (time: number): string => join(reportDir, ledgerName(new Date(time), process.pid));
  let time = startedAt.getTime();
  // Another run of this process may have started in the same millisecond.
  while (existsSync(pathAt(time))) time++;
  return fileLedger(pathAt(time), base.origin);
}
