import type { ReportedRequirement } from '../reports/schema.ts';
import type { KnownFailure, KnownFailures } from './list.ts';

/** The fewest characters that distinguish a finding from others. */
const LEAST = 8;

/** What differs from run to run in a finding: quoted texts, and words with digits other than a status. */
const VOLATILE = /"(?:[^"\\]|\\.)*"|(?<![\w-])(?!\d{3}(?![\w-]))[\w-]*\d[\w-]*/g;

/**
 * The longest part of a finding that another run of the same target is expected to repeat. Undefined if no part is
 * long enough.
 */
export function lastingPart(reason: string): string | undefined {
  const parts = reason.split(VOLATILE).map((part) => part.replace(/^[\s,;:()]+|[\s,;:()]+$/g, ''));
  const longest = parts.toSorted((one, other) => other.length - one.length)[0] ?? '';
  return longest.length >= LEAST ? longest : undefined;
}

/**
 * The failures of a run, and what could not be decided because of them, as a list of known ones.
 *
 * @param before a list whose entries are kept if they still hold, with their reasons, links and dates.
 */
export function knownFailuresIn(
  requirements: readonly Pick<ReportedRequirement, 'id' | 'verdict' | 'reason' | 'waitsFor'>[],
  before?: KnownFailures,
): KnownFailure[] {
  return requirements.flatMap(({ id, verdict, reason, waitsFor }) => {
    if (verdict !== 'fail' && !(verdict === 'error' && waitsFor !== undefined)) return [];
    const kept = before?.failures.find(
      (entry) => entry.id === id && (entry.finding === undefined || reason.includes(entry.finding)),
    );
    const finding = lastingPart(reason);
    return [kept ?? { id, ...(finding === undefined ? {} : { finding }) }];
  });
}
