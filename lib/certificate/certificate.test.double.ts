import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { catalogueDigest } from '../catalogue-digest.ts';
import { catalogueOf, readRecord } from '../catalogue/record.ts';
import { BUDGETS } from '../effort.ts';
import { fingerprint, fingerprintText } from '../reports/fingerprint.ts';
import type { Report, ReportedRequirement } from '../reports/schema.ts';
import { SUITE } from '../suite.ts';
import { seal, type Envelope } from './envelope.ts';
import { factsOf, type Facts } from './facts.ts';
import { statementOf } from './issue.ts';
import type { SigningKey } from './keys.ts';
import type { Beside } from './predicate.ts';
import { SUBJECTS, type Statement } from './statement.ts';
import { sha256 } from './subjects.ts';
import { DAY_MS } from './validity.ts';
import { verify, type Holding, type Verified } from './verify.ts';

export const RECORD = readRecord();
const CATALOGUE = catalogueOf(RECORD, SUITE.version) ?? [];

/** When the run of the certificate was made, and when it is verified. */
const STARTED = new Date('2030-06-01T10:00:00.000Z');
export const NOW = new Date('2030-06-15T12:00:00.000Z');

/** The number of exchanges in the run. */
const EXCHANGES = 5;

export function newKey(keyid: string): SigningKey & { readonly publicKey: KeyObject } {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { key: privateKey, keyid, publicKey: createPublicKey(privateKey) };
}

export const KEY = newKey('the-key');

/** The requirements that pass. Each rests on the first exchange. */
const PASSING = CATALOGUE.flatMap(({ id, level }) => (level === 'open' ? [] : id));

/** A report or a file of evidence that a test changes as it likes. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Changeable = any;

/** A certificate with the files beside it, before it is signed. */
export interface Draft {
  report: Report & Facts;
  evidence: { log: { entries: { _number: number; _requirements: readonly string[] }[] } };
  declaration: Record<string, unknown>;
  /** Files to write with these texts instead of the ones that the draft implies. */
  files?: Readonly<Record<string, string>>;
  /** Changes the statement before it is signed. */
  statement?: (statement: Statement) => Statement;
  /** The text to sign instead of the statement. */
  payload?: string;
  key: SigningKey;
}

/** @returns the time `ms` milliseconds later. */
const after = (time: Date, ms: number): string => new Date(time.getTime() + ms).toISOString();

const requirementOf = ({ id, level, text }: (typeof CATALOGUE)[number]): ReportedRequirement => ({
  id,
  level,
  text,
  section: '4.2',
  verdict: level === 'open' ? 'observed' : 'pass',
  reason: '',
  exchanges: [],
  durationMs: 1,
  restsOn: level === 'open' ? '' : '1',
  ...(level === 'open' ? { key: id.replace('/', '.'), answer: 'seen', said: 'It was seen.' } : {}),
});

/** What a whole run over https of a conforming server leaves behind. */
export function draft(startedAt = STARTED): Draft {
  const requirements = CATALOGUE.map(requirementOf);
  const report: Report & Facts = {
    verdict: 'conforming',
    partial: false,
    untested: 0,
    overBudget: [],
    exitCode: 0,
    ended: 'whole',
    suite: { name: SUITE.name, version: SUITE.version },
    target: 'https://tags.example.com',
    seed: '0.1',
    startedAt: startedAt.toISOString(),
    durationMs: 60_000,
    effort: 'thorough',
    traffic: {
      requests: EXCHANGES,
      writes: 2,
      logins: 1,
      failedLogins: 0,
      retries: 0,
      waitedMs: 0,
      counted: { requests: EXCHANGES, writes: 2, logins: 1, failedLogins: 0 },
    },
    planned: BUDGETS.thorough,
    requirements,
    causes: [],
    fingerprint: fingerprint(requirements),
    residue: [],
    product: { name: 'Tag Server', version: '3.1' },
    runtime: { node: 'v22.0.0', system: 'linux x64 6.1' },
    server: ['nginx'],
    connection: {
      family: 'IPv4',
      tls: {
        version: 'TLSv1.3',
        cipher: 'TLS_AES_256_GCM_SHA384',
        certificate: '0'.repeat(64),
        issuer: 'CN=Example CA',
        validTo: '2031-01-01T00:00:00.000Z',
      },
    },
    specification: { title: 'Account Mutation API', sha256: '1'.repeat(64) },
    catalogue: { sha256: catalogueDigest(CATALOGUE), requirements: CATALOGUE.length },
    settings: [
      { name: 'CONFORMANCE_BASE_URL', value: 'https://tags.example.com', from: 'environment' },
      { name: 'CONFORMANCE_PASSWORD', from: 'environment' },
      { name: 'CONFORMANCE_SETTLE_MS', value: '500', from: 'option' },
    ],
    notAsked: [{ section: '6', says: 'Events are not shown.', why: 'left open by the specification' }],
    endedAt: after(startedAt, 60_000),
  };
  const entries = Array.from({ length: EXCHANGES }, (_, at) => ({
    _number: at + 1,
    _requirements: at === 0 ? PASSING : [],
  }));
  return { report, evidence: { log: { entries } }, declaration: {}, key: KEY };
}

/** A signed certificate and the files beside it. */
export interface Folder {
  certificate: string;
  files: Map<string, Buffer>;
}

/** Signs a draft as `attest` does, without checking its content. */
export function sealed(made: Draft): Folder {
  const { report, evidence, declaration, key, statement: change = (one) => one } = made;
  const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  const har = json(evidence);
  report.evidence ??= {
    file: SUBJECTS.evidence,
    entries: evidence.log.entries.length,
    bytes: har.length,
    sha256: sha256(har),
  };
  const files = new Map([
    [SUBJECTS.report as string, json(report)],
    [SUBJECTS.evidence, har],
    [SUBJECTS.fingerprint, Buffer.from(fingerprintText(report.fingerprint))],
    [SUBJECTS.declaration, json(declaration)],
  ]);
  for (const [name, text] of Object.entries(made.files ?? {})) files.set(name, Buffer.from(text));
  const started = new Date(report.startedAt);
  const beside: Beside = {
    power: { mutants: 1_000, variants: 300 },
    issuedAt: after(started, 61_000),
    notAfter: after(started, 61_000 + 90 * DAY_MS),
    declaration: 'observed',
  };
  const found = factsOf(report);
  const facts = typeof found === 'string' ? draft().report : found;
  const statement = statementOf(report, facts, beside, (name) => files.get(name));
  return { certificate: envelopeText(seal(made.payload ?? JSON.stringify(change(statement)), key)), files };
}

export const envelopeText = (envelope: Envelope): string => `${JSON.stringify(envelope, null, 2)}\n`;

/** What tests verify a certificate against, by default. */
export const HOLDING: Holding = {
  keys: [{ key: KEY.publicKey, ids: [KEY.keyid] }],
  now: NOW,
  suite: SUITE,
  record: RECORD,
  judgeAgain: () => Promise.resolve(undefined),
};

export const verified = ({ certificate, files }: Folder, holding: Partial<Holding> = {}): Promise<Verified> =>
  verify(certificate, (name) => files.get(name), { ...HOLDING, ...holding });
