import pc from 'picocolors';
import { catalogueDigest } from '../catalogue-digest.ts';
import { readRecord } from '../catalogue/record.ts';
import type { EvidenceFile } from '../certificate/evidence-file.ts';
import { readCertificate, type OnDisk } from '../certificate/folder.ts';
import { readVerificationKeys, type VerificationKey } from '../certificate/keys.ts';
import { sentencesOf } from '../certificate/telling.ts';
import { verify, type JudgedAgain, type Verified } from '../certificate/verify.ts';
import { harSchema } from '../evidence/har.ts';
import { judgeAgain, type Judgement } from '../evidence/judge-again.ts';
import { harmless } from '../http/wording.ts';
import { EXIT } from '../judging/judge.ts';
import type { Report } from '../reports/schema.ts';
import { SUITE } from '../suite.ts';
import { catalogue } from '../../suites/index.ts';

/** The keys that certificates are verified with: one of the two. */
export interface KeyFlags {
  readonly key?: string;
  readonly keys?: string;
}

/**
 * Verifies a certificate, and says what it certifies or why it is refused. Nothing is sent.
 *
 * @param path the certificate, or a folder with `certificate.json`.
 * @returns the exit code: 1 if the certificate is refused.
 * @throws SettingsError if the certificate or the keys cannot be read.
 */
export async function verifyFile(path: string, flags: KeyFlags): Promise<number> {
  const keys = await readVerificationKeys(flags);
  const certificate = readCertificate(path);
  const { refusals, statement, judged } = await verified(certificate, keys);
  const lines =
    refusals.length > 0
      ? [
          pc.bold(pc.red(`refused: ${harmless(certificate.path)}`)),
          ...refusals.map((sentence) => `  ${harmless(sentence)}`),
        ]
      : [
          pc.bold(pc.green(`verified: ${harmless(certificate.path)}`)),
          ...(statement === undefined ? [] : sentencesOf(statement.predicate)).map(
            (sentence) => `  ${sentence}`,
          ),
          `  ${judgedSentence(judged)}`,
        ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return refusals.length > 0 ? EXIT.nonConforming : EXIT.conforming;
}

/** Verifies a certificate with all that this version of the suite knows. */
export const verified = (
  { text, read }: OnDisk,
  keys: readonly VerificationKey[],
  now = new Date(),
): Promise<Verified> =>
  verify(text, read, { keys, now, suite: SUITE, record: readRecord(), judgeAgain: judgedAgain });

/** Judges a run again by the checks of this version; undefined for a run of another version, whose checks are not here. */
async function judgedAgain(report: Report, evidence: EvidenceFile): Promise<JudgedAgain | undefined> {
  if (catalogueDigest(report.requirements) !== catalogueDigest(catalogue)) return undefined;
  const { success, data } = harSchema.safeParse(evidence);
  if (!success)
    return { disagreements: ['evidence.har is no evidence of this suite.'], agreed: 0, undecided: 0 };
  const { requirements, complaints } = await judgeAgain(report, data, catalogue);
  // The evidence need not decide what the run itself did not decide.
  const decided = requirements.filter(({ reported }) => reported !== 'skipped' && reported !== 'error');
  const count = (result: Judgement['result']): number =>
    decided.filter((one) => one.result === result).length;
  return {
    disagreements: [
      ...complaints,
      ...requirements
        .filter(({ result }) => result === 'disagrees')
        .map(({ id, reported, why }) => `The report gives ${id} the verdict ${reported}, but ${why}.`),
    ],
    agreed: count('agrees'),
    undecided: count('undecided'),
  };
}

/** How much of a run was judged again. */
function judgedSentence(judged: JudgedAgain | undefined): string {
  if (judged === undefined)
    return `This version (${SUITE.version}) has other checks, so the verdicts were not judged again from the evidence.`;
  const { agreed, undecided } = judged;
  return `Judged again from the evidence, ${agreed} verdicts are the same${undecided === 0 ? '' : `; ${undecided} cannot be decided from it`}.`;
}
