import type { Verdict } from '../judging/judge.ts';
import { nearest } from '../selection.ts';
import type { KnownFailure, KnownFailures } from './list.ts';

/** A problem of an entry of the list. Each fails the gate. */
export const PROBLEMS = ['passes now', 'past its date', 'names nothing', 'another finding'] as const;

interface Problem {
  readonly id: string;
  readonly kind: (typeof PROBLEMS)[number];
  readonly sentence: string;
}

/** What a list of known failures does to a run. */
export interface Gate {
  readonly file: string;
  /** The entry of each known failure of the run, by id. */
  readonly known: ReadonlyMap<string, KnownFailure>;
  readonly problems: readonly Problem[];
}

/** A requirement with its verdict, as the gate needs it. */
interface Judged {
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

/**
 * Compares the results of a run with a list of known failures. A listed requirement that could not be decided is known
 * as well, because another failure is often the reason. The entry of a requirement that was not checked has no effect.
 *
 * @param judged all requirements of the catalogue, also those that were left out.
 * @param now decides which dates have passed. An entry is valid to the end of its day in UTC.
 */
export function gateOf(judged: readonly Judged[], { file, failures }: KnownFailures, now: Date): Gate {
  const known = new Map<string, KnownFailure>();
  const problems: Problem[] = [];
  const today = now.toISOString().slice(0, 10);
  const ids = judged.map(({ id }) => id);
  const isPast = ({ until }: KnownFailure): boolean => until !== undefined && until < today;
  for (const id of new Set(failures.map((entry) => entry.id))) {
    const entries = failures.filter((entry) => entry.id === id);
    const found = judged.find((one) => one.id === id);
    const complain = (kind: Problem['kind'], sentence: string): void =>
      void problems.push({ id, kind, sentence });
    if (found === undefined) {
      const guess = nearest(id, ids);
      complain(
        'names nothing',
        `${id} in ${file} names no requirement${guess === undefined ? '; the command list prints all ids.' : `. Did you mean ${guess}?`}`,
      );
    } else if (found.verdict === 'fail' || found.verdict === 'error') {
      const fails = found.verdict === 'fail' ? 'fails' : 'cannot be decided';
      const matching = entries.filter(
        ({ finding }) => finding === undefined || found.reason.includes(finding),
      );
      const valid = matching.find((entry) => !isPast(entry));
      const [expired] = matching;
      if (valid !== undefined) known.set(id, valid);
      else if (expired !== undefined)
        complain(
          'past its date',
          `${id} still ${fails}, but ${file} accepts that only until ${expired.until}; repair it, or agree on another date.`,
        );
      // An undecided requirement may have the expected finding next time.
      else if (found.verdict === 'fail')
        complain(
          'another finding',
          `${id} fails, but not as ${file} expects: ${JSON.stringify(entries[0]?.finding)} is not part of its finding.`,
        );
    } else if (found.verdict !== 'skipped') {
      complain(
        'passes now',
        `${id} does not fail any more (${found.verdict}); remove it from ${file}, so that it cannot fail again unnoticed.`,
      );
    }
  }
  return { file, known, problems };
}

/** The requirements as they count for the gate: a known failure counts as a warning. */
export const asGated = <J extends Judged>(judged: readonly J[], { known }: Pick<Gate, 'known'>): J[] =>
  judged.map((one) => (known.has(one.id) ? { ...one, verdict: 'warn' as const } : one));
