import { z } from 'zod';
import { idsIn } from '../reports/finding-lines.ts';
import { numbersIn } from '../evidence/ranges.ts';
import type { Report } from '../reports/schema.ts';

/** The members of a file of evidence that a certificate depends on. */
const evidenceSchema = z.looseObject({
  log: z.looseObject({
    entries: z.array(z.looseObject({ _number: z.int(), _requirements: z.array(z.string()) })),
  }),
});

export type EvidenceFile = z.infer<typeof evidenceSchema>;

/** Parses an evidence file; undefined if the bytes are not one. */
export function evidenceIn(bytes: Uint8Array): EvidenceFile | undefined {
  try {
    return evidenceSchema.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  } catch {
    return undefined;
  }
}

/** How the evidence falls short of the whole run: one sentence, or none. */
export function gapsIn({ log }: EvidenceFile, { traffic }: Pick<Report, 'traffic'>): string[] {
  const numbers = log.entries.map((entry) => entry['_number']);
  const wrong = numbers.findIndex((number, at) => number !== at + 1);
  if (wrong >= 0)
    return [`The evidence has a gap: exchange ${numbers[wrong]} is in the place of exchange ${wrong + 1}.`];
  return numbers.length === traffic.requests
    ? []
    : [`The evidence holds ${numbers.length} exchanges, but the report counts ${traffic.requests} requests.`];
}

/** Which passes do not rest on the exchanges that the report names: one sentence for each problem. */
export function unfoundedIn({ log }: EvidenceFile, { requirements }: Pick<Report, 'requirements'>): string[] {
  const named = new Map<string, number[]>();
  for (const entry of log.entries)
    for (const id of entry['_requirements']) named.set(id, [...(named.get(id) ?? []), entry['_number']]);
  const passed = requirements.filter(({ verdict }) => verdict === 'pass');
  const bare = passed.filter(({ restsOn = '' }) => restsOn === '').map(({ id }) => id);
  const other = passed.filter(
    ({ id, restsOn = '' }) =>
      restsOn !== '' && restsOn !== 'every' && numbersIn(restsOn).join() !== (named.get(id) ?? []).join(),
  );
  return [
    ...(bare.length === 0 ? [] : [`No exchange supports the verdict pass of ${idsIn(bare)}.`]),
    ...(other.length === 0
      ? []
      : [`The evidence names other exchanges than the report for ${idsIn(other.map(({ id }) => id))}.`]),
  ];
}
