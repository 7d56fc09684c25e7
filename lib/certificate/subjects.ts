import { createHash } from 'node:crypto';
import { SUBJECTS, type Statement } from './statement.ts';

/** Reads a file that lies beside the certificate; undefined if there is none that can be read. */
export type Read = (name: string) => Uint8Array | undefined;

/** The names of the four files, in the order of a statement. */
export const SUBJECT_NAMES: readonly string[] = Object.values(SUBJECTS);

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Which files beside a certificate are not those that it vouches for: one sentence for each. */
export function changedSubjects({ subject }: Pick<Statement, 'subject'>, read: Read): string[] {
  const names = subject.map(({ name }) => name);
  const missing = SUBJECT_NAMES.filter((name) => !names.includes(name));
  const odd = names.filter((name, at) => !SUBJECT_NAMES.includes(name) || names.indexOf(name) !== at);
  if (missing.length + odd.length > 0)
    return [
      ...missing.map((name) => `The certificate does not vouch for ${name}, as every certificate has to.`),
      ...odd.map(
        (name) => `The certificate names ${JSON.stringify(name)} among its files, where it does not belong.`,
      ),
    ];
  return subject.flatMap(({ name, digest }) => {
    const bytes = read(name);
    if (bytes === undefined) return [`${name}, for which the certificate vouches, is not beside it.`];
    return sha256(bytes) === digest.sha256
      ? []
      : [`${name} is not the file that was certified: it was changed after that.`];
  });
}
