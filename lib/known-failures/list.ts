import { z } from 'zod';
import { textIn } from '../given-file.ts';
import { SettingsError } from '../settings-error.ts';

const entrySchema = z.strictObject({
  id: z.string().min(1).describe('The id of the requirement that is known to fail.'),
  finding: z
    .string()
    .min(1)
    .optional()
    .describe('A part of the finding. The failure is known only if its reason contains this part.'),
  reason: z.string().min(1).optional().describe('Why it fails and what is done about it, for people.'),
  link: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where the work on it is tracked, such as the address of a ticket.'),
  until: z.iso
    .date()
    .optional()
    .describe('The last day, in UTC, on which the failure is accepted, such as 2031-01-31.'),
});

/** A list of failures that do not fail the gate. */
export const knownFailuresSchema = z.strictObject({
  $schema: z.string().optional(),
  failures: z.array(entrySchema),
});

/** A failure that the team knows and accepts for now. */
export type KnownFailure = z.infer<typeof entrySchema>;

/** A list of known failures, and its file. */
export interface KnownFailures {
  readonly file: string;
  readonly failures: readonly KnownFailure[];
}

/**
 * Reads a list of known failures. Ids that name no requirement are left to the gate.
 *
 * @throws SettingsError if the file cannot be read, is not JSON, or is not such a list.
 */
export const readKnownFailures = (file: string): KnownFailures =>
  knownFailuresOf(jsonIn(file), file, `The list of known failures ${file}`);

/**
 * Checks a list of known failures that comes from anywhere.
 *
 * @param file what messages about its entries call it.
 * @param subject what begins the message about a mistake in it.
 * @throws SettingsError if it is not such a list.
 */
export function knownFailuresOf(list: unknown, file: string, subject = file): KnownFailures {
  const { success, data, error } = knownFailuresSchema.safeParse(list);
  if (!success) {
    const [issue] = error.issues;
    throw new SettingsError(
      `${subject} is expected to be {"failures": [{"id": "..."}]}, with finding, reason, link and until in an entry where wanted; ${placeOf(issue?.path ?? [])}: ${issue?.message ?? ''}.`,
    );
  }
  const entries = data.failures.map(({ id, finding }) => JSON.stringify([id, finding]));
  const twice = data.failures.find((_, at) => entries.indexOf(entries[at] ?? '') !== at);
  if (twice !== undefined)
    throw new SettingsError(
      `${subject} has two entries for ${twice.id} with the same finding; remove one of them.`,
    );
  return { file, failures: data.failures };
}

/** Where in the list a mistake is, such as `failures[2].until`. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'at the top'
    : `at ${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')}`.replace(
        'at .',
        'at ',
      );

function jsonIn(file: string): unknown {
  const text = textIn(file, `The list of known failures ${file}`, 'give the path of a JSON file');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`The list of known failures ${file} is not JSON: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
