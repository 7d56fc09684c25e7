import pc from 'picocolors';
import { readRecord } from '../catalogue/record.ts';
import { readCertificate, type OnDisk } from '../certificate/folder.ts';
import { readVerificationKeys, type VerificationKey } from '../certificate/keys.ts';
import { sentencesOf } from '../certificate/telling.ts';
import { verify, type Verified } from '../certificate/verify.ts';
import { harmless } from '../http/wording.ts';
import { EXIT } from '../judging/judge.ts';
import { SUITE } from '../suite.ts';

/** The keys that certificates are verified with: one of the two. */
export interface KeyFlags {
  readonly key?: string;
  readonly keys?: string;
}

/**
 * Verifies a certificate, and says what it certifies or why it is refused. Nothing is sent.
 *
 * @param path the certificate, or a folder with `certificate.json`.
 * @returns the exit code: 1 where the certificate is refused.
 * @throws SettingsError where the certificate or the keys cannot be read.
 */
export async function verifyFile(path: string, flags: KeyFlags): Promise<number> {
  const keys = await readVerificationKeys(flags);
  const certificate = readCertificate(path);
  const { refusals, statement } = verified(certificate, keys);
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
        ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return refusals.length > 0 ? EXIT.nonConforming : EXIT.conforming;
}

/** Verifies a certificate with all that this version of the suite knows. */
export const verified = (
  { text, read }: OnDisk,
  keys: readonly VerificationKey[],
  now = new Date(),
): Verified => verify(text, read, { keys, now, suite: SUITE, record: readRecord(), judgeAgain: () => [] });
