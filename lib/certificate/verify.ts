import { isDeepStrictEqual } from 'node:util';
import { catalogueDigest } from '../catalogue-digest.ts';
import { catalogueOf, type CatalogueRecord } from '../catalogue/record.ts';
import { agrees } from '../judging/claim.ts';
import { fingerprint, fingerprintText } from '../reports/fingerprint.ts';
import { reportSchema, type Report } from '../reports/schema.ts';
import { unseal } from './envelope.ts';
import { evidenceIn, gapsIn, unfoundedIn, type EvidenceFile } from './evidence-file.ts';
import { factsOf } from './facts.ts';
import type { VerificationKey } from './keys.ts';
import { predicateOf } from './predicate.ts';
import {
  PREDICATE_TYPE,
  STATEMENT_TYPE,
  statementSchema,
  SUBJECTS,
  type Predicate,
  type Statement,
} from './statement.ts';
import { changedSubjects, sha256, type Read } from './subjects.ts';
import { untimely } from './validity.ts';
import { lacksOf } from './whole.ts';

/** What a certificate is verified against. */
export interface Holding {
  readonly keys: readonly VerificationKey[];
  readonly now: Date;
  readonly suite: { readonly name: string; readonly version: string };
  /** The catalogues of this version of the suite and those before it. */
  readonly record: CatalogueRecord;
  /**
   * Judges the requirements again from their exchanges. Resolves with undefined if the run was made by another version,
   * whose checks this version lacks.
   */
  readonly judgeAgain: (report: Report, evidence: EvidenceFile) => Promise<JudgedAgain | undefined>;
}

/** The result of judging a run again from its evidence. */
export interface JudgedAgain {
  /** One sentence for each verdict that does not follow from its exchanges. */
  readonly disagreements: readonly string[];
  /** How many verdicts follow from their exchanges. */
  readonly agreed: number;
  /** How many verdicts the exchanges do not decide. */
  readonly undecided: number;
}

/** The result of verifying a certificate: its content, or the reasons why it is refused. */
export interface Verified {
  readonly refusals: readonly string[];
  /** Set once the signature is verified. */
  readonly statement?: Statement;
  /** Set unless the certificate is refused. */
  readonly report?: Report;
  /** Set unless the certificate is refused, if its run could be judged again. */
  readonly judged?: JudgedAgain | undefined;
}

/**
 * Verifies a certificate and the files beside it, without any network: first the signature, then the files, then what
 * they say. It stops at the first of these steps that fails, because the content of a changed file proves nothing.
 *
 * @param certificate the text of `certificate.json`.
 */
export async function verify(certificate: string, read: Read, holding: Holding): Promise<Verified> {
  const opened = unseal(certificate, holding.keys);
  if ('refusal' in opened) return { refusals: [opened.refusal] };
  const statement = statementIn(opened.payload);
  if (typeof statement === 'string') return { refusals: [statement] };
  const { predicate } = statement;
  const early = [
    ...originRefusals(predicate, holding),
    ...untimely(predicate, holding.now),
    ...changedSubjects(statement, read),
  ];
  if (early.length > 0) return { refusals: early, statement };
  const found = contentOf(read);
  if (typeof found === 'string') return { refusals: [found], statement };
  const refusals = contentRefusals(predicate, found);
  if (refusals.length > 0) return { refusals, statement };
  const { report, evidence } = found;
  const judged = await holding.judgeAgain(report, evidence);
  const disagreements = judged === undefined ? [] : [...judged.disagreements, ...tooFew(judged)];
  return disagreements.length > 0
    ? { refusals: disagreements, statement }
    : { refusals: [], statement, report, judged };
}

/** The least share of the verdicts that the evidence must decide. In the runs of the suite's own proofs it is over 99 %. */
const LEAST_SHARE = 0.9;

function tooFew({ agreed, undecided }: JudgedAgain): string[] {
  const share = agreed / Math.max(1, agreed + undecided);
  return share >= LEAST_SHARE
    ? []
    : [
        `The evidence decides only ${agreed} of ${agreed + undecided} verdicts, and at least ${LEAST_SHARE * 100} % are expected.`,
      ];
}

function statementIn(payload: string): Statement | string {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return 'The signed text is not JSON.';
  }
  const { _type: type, predicateType } = (value ?? {}) as Partial<Record<keyof Statement, unknown>>;
  if (type !== STATEMENT_TYPE)
    return `The signed text is not an in-toto Statement, version 1 (_type is ${JSON.stringify(type)}).`;
  if (predicateType !== PREDICATE_TYPE)
    return `The signed text is not a certificate of a version that this suite knows (predicateType is ${JSON.stringify(predicateType)}).`;
  const { success, data, error } = statementSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  return `The certificate is not complete: ${issue?.path.join('.')}: ${issue?.message}.`;
}

/** Why this version of the suite cannot judge the work of the version that made the certificate. */
function originRefusals({ suite, catalogue }: Predicate, { suite: own, record }: Holding): string[] {
  if (suite.name !== own.name)
    return [`The certificate was made by another suite, ${JSON.stringify(suite.name)}.`];
  const entries = catalogueOf(record, suite.version);
  if (entries === undefined)
    return [
      `The certificate was made by version ${suite.version}, which this version (${own.version}) does not know; verify it with that version or a later one.`,
    ];
  return catalogueDigest(entries) === catalogue.sha256 && entries.length === catalogue.requirements
    ? []
    : [`The certificate rests on a catalogue that version ${suite.version} of the suite does not have.`];
}

/** The files beside a certificate, read. */
interface Content {
  readonly report: Report;
  readonly evidence: EvidenceFile;
  readonly evidenceDigest: string;
  readonly fingerprint: string;
  readonly declaration: unknown;
}

function contentOf(read: Read): Content | string {
  const text = (name: string): string => Buffer.from(read(name) ?? []).toString();
  const report = parsed(text(SUBJECTS.report), (value) => reportSchema.safeParse(value).data);
  if (report === undefined) return `${SUBJECTS.report} is no report of this suite.`;
  const evidenceBytes = read(SUBJECTS.evidence) ?? new Uint8Array();
  const evidence = evidenceIn(evidenceBytes);
  if (evidence === undefined) return `${SUBJECTS.evidence} is no evidence of this suite.`;
  const declaration = parsed(text(SUBJECTS.declaration), (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined,
  );
  if (declaration === undefined) return `${SUBJECTS.declaration} is no declaration.`;
  return {
    report,
    evidence,
    evidenceDigest: sha256(evidenceBytes),
    fingerprint: text(SUBJECTS.fingerprint),
    declaration,
  };
}

function parsed<T>(text: string, read: (value: unknown) => T | undefined): T | undefined {
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Why the certificate does not follow from the files beside it. */
function contentRefusals(predicate: Predicate, content: Content): string[] {
  const { report, evidence } = content;
  const lacks = lacksOf(report);
  const asked = catalogueDigest(report.requirements);
  const isOfReport = report.evidence?.sha256 === content.evidenceDigest;
  return [
    ...lacks.map(
      (lack) => `The run does not justify a certificate: ${lack.charAt(0).toLowerCase()}${lack.slice(1)}`,
    ),
    ...(asked === predicate.catalogue.sha256
      ? []
      : ['The requirements in the report are not those of the catalogue on which the certificate rests.']),
    ...disagreements(predicate, report),
    ...(isOfReport ? [] : ['The report names other evidence than the file beside it.']),
    ...gapsIn(evidence, report),
    ...unfoundedIn(evidence, report),
    ...answersRefusals(content),
  ];
}

/** Where the certificate and the report disagree about the run. */
function disagreements(predicate: Predicate, report: Report): string[] {
  const facts = factsOf(report);
  if (typeof facts === 'string') return [`The report lacks ${facts}, which a certificate needs.`];
  const { power, issuedAt, notAfter, declaration } = predicate;
  const derived = predicateOf(report, facts, { power, issuedAt, notAfter, declaration });
  const names = Object.keys({ ...predicate, ...derived }) as (keyof Predicate)[];
  return names
    .filter((name) => !isDeepStrictEqual(predicate[name], derived[name]))
    .map((name) =>
      name === 'verdict'
        ? `The certificate says ${predicate.verdict}, but the report says ${report.verdict}.`
        : `The certificate and the report disagree about ${WORDS[name] ?? name}.`,
    );
}

/** Descriptions of the members whose names do not explain themselves. */
const WORDS: Partial<Record<keyof Predicate, string>> = {
  product: 'the product',
  operator: 'who ran the suite',
  target: 'the target',
  levels: 'the counts of verdicts',
  suite: 'the suite',
  specification: 'the specification',
  catalogue: 'the catalogue',
  seed: 'the seed',
  startedAt: 'the start of the run',
  endedAt: 'the end of the run',
  limits: 'the limits of what was tested',
  reproduce: 'the command that reproduces it',
};

/** Where the fingerprint and the declaration disagree with the report. */
function answersRefusals({ report, fingerprint: text, declaration }: Content): string[] {
  const seen = fingerprint(report.requirements);
  const denied = report.requirements.filter(({ key, answer }) => {
    if (key === undefined || answer === undefined) return false;
    const declared = key
      .split('.')
      .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], declaration);
    return declared !== undefined && !agrees(declared, answer);
  });
  return [
    ...(isDeepStrictEqual(JSON.parse(JSON.stringify(seen)), report.fingerprint) &&
    text === fingerprintText(report.fingerprint)
      ? []
      : ['The fingerprint is not that of the answers in the report.']),
    ...(denied.length === 0
      ? []
      : [
          `The declaration contradicts the report: the run observed another answer to ${denied.map(({ key }) => key).join(', ')}.`,
        ]),
  ];
}
