import { readEvidence } from '../evidence/read.ts';
import { told } from '../evidence/told.ts';
import { EXIT } from '../judging/judge.ts';
import { nearest } from '../selection.ts';
import { SettingsError } from '../settings-error.ts';

export interface EvidenceFlags {
  readonly json?: boolean;
}

/**
 * Prints the exchanges that a requirement rests on.
 *
 * @param path a file of evidence, or a folder that holds one.
 * @returns the exit code.
 */
export function evidence(id: string, path: string, { json }: EvidenceFlags): number {
  const { log } = readEvidence(path);
  const ids = [...new Set([...log._checks.map(([, one]) => one), ...log._everyExchange])];
  if (!ids.includes(id)) {
    const guess = nearest(id, ids);
    throw new SettingsError(
      `The run did not check ${JSON.stringify(id)}, so ${path} holds no evidence of it${guess === undefined ? '.' : `. Did you mean ${guess}?`}`,
    );
  }
  const entries = log.entries.filter(({ _requirements }) => _requirements.includes(id));
  if (json === true) {
    process.stdout.write(`${JSON.stringify(entries, null, 2)}\n`);
    return EXIT.conforming;
  }
  for (const entry of entries) process.stdout.write(`${told(entry)}\n`);
  process.stdout.write(`${summary(id, entries.length, log.entries.length)}\n`);
  if (log._everyExchange.includes(id))
    process.stdout.write('Besides, it looks at each of the other exchanges: evidence.har holds them.\n');
  return EXIT.conforming;
}

const summary = (id: string, count: number, all: number): string =>
  `${id} rests on ${count} of the ${all} exchanges of the run. Secrets are replaced by stand-ins.`;
