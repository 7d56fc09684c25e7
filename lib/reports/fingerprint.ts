import { z } from 'zod';
import type { ReportedRequirement } from './report.ts';

/** Answers by key; keys with a dot are nested. Sorted, without ids, names and times: the same server, the same text. */
export const fingerprintSchema = z.object({
  answers: z.record(z.string(), z.unknown()).describe('What was seen, by key.'),
  unanswered: z
    .record(z.string(), z.string())
    .describe('Keys without an answer: inapplicable, skipped, or error where it could not be told.'),
});

export type Fingerprint = z.infer<typeof fingerprintSchema>;

/** All that a run observed, in a stable form. */
export function fingerprint(requirements: readonly ReportedRequirement[]): Fingerprint {
  const answers: [string, unknown][] = [];
  const unanswered: [string, string][] = [];
  for (const { key, answer, verdict } of requirements) {
    if (key === undefined) continue;
    if (answer === undefined) unanswered.push([key, verdict]);
    else answers.push([key, answer]);
  }
  return { answers: nested(answers), unanswered: Object.fromEntries(unanswered.toSorted(byKey)) };
}

/** `filter.match` becomes `match` in `filter`. */
export function nested(
  answers: readonly (readonly [key: string, answer: unknown])[],
): Record<string, unknown> {
  const tree: Record<string, unknown> = {};
  for (const [key, answer] of answers.toSorted(byKey)) {
    const [group = key, member] = key.split('.');
    if (member === undefined) tree[group] = sorted(answer);
    else tree[group] = { ...(tree[group] as object | undefined), [member]: sorted(answer) };
  }
  return tree;
}

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Members in the order of their names; lists keep theirs. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(byKey)
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** The fingerprint as it is kept in a file. */
export const fingerprintText = (found: Fingerprint): string => `${JSON.stringify(found, null, 2)}\n`;
