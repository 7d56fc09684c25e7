import { z } from 'zod';

/**
 * The answers of one run to the open questions, by key; a key with a dot is nested. It is sorted, and without ids, names
 * and times: every run on the same server gives the same text.
 */
export const fingerprintSchema = z.object({
  answers: z.record(z.string(), z.unknown()).describe('What was observed, by key.'),
  unanswered: z
    .record(z.string(), z.string())
    .describe('The verdict on each key without an answer: inapplicable, skipped or error.'),
});

type Fingerprint = z.infer<typeof fingerprintSchema>;

/** The part of a reported requirement that a fingerprint is made of; only open questions have a key. */
interface Reported {
  readonly verdict: string;
  readonly key?: string | undefined;
  readonly answer?: unknown;
}

/** Everything that a run observed, in a stable form. */
export function fingerprint(requirements: readonly Reported[]): Fingerprint {
  const answers: [string, unknown][] = [];
  const unanswered: [string, string][] = [];
  for (const { key, answer, verdict } of requirements) {
    if (key === undefined) continue;
    if (answer === undefined) unanswered.push([key, verdict]);
    else answers.push([key, answer]);
  }
  return { answers: nested(answers), unanswered: Object.fromEntries(unanswered.toSorted(byKey)) };
}

/** Nests answers by key, and sorts them: `filter.match` becomes `match` in `filter`. */
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

/** Sorts the members of objects by name. Lists keep their order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(byKey)
      .map(([name, member]) => [name, sorted(member)]),
  );
}

/** The fingerprint as a file holds it. */
export const fingerprintText = (found: Fingerprint): string => `${JSON.stringify(found, null, 2)}\n`;
