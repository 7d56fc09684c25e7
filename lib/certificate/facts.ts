import { z } from 'zod';
import type { Report } from '../reports/schema.ts';

const sha256 = z.string().regex(/^[\da-f]{64}$/);

/** The circumstances of a run. A certificate needs all of them; a report may lack some. */
export const factsSchema = z.object({
  product: z.object({ name: z.string().min(1), version: z.string().min(1) }),
  operator: z.string().optional(),
  server: z.array(z.string()),
  connection: z.object({
    family: z.string(),
    tls: z.object({
      version: z.string(),
      cipher: z.string(),
      certificate: sha256,
      issuer: z.string(),
      validTo: z.iso.datetime(),
    }),
  }),
  suite: z.object({
    name: z.string(),
    version: z.string(),
    commit: z.string().optional(),
    changed: z.boolean().optional(),
  }),
  specification: z.object({ title: z.string(), sha256 }),
  catalogue: z.object({ requirements: z.int(), sha256 }),
  settings: z.array(z.object({ name: z.string(), value: z.string().optional(), from: z.string() })),
  notAsked: z.array(z.object({ section: z.string(), says: z.string(), why: z.string() })),
  endedAt: z.iso.datetime(),
});

export type Facts = z.infer<typeof factsSchema>;

/** The circumstances of a run, or the name of the first one that the report lacks. */
export function factsOf(report: Report): Facts | string {
  const { success, data, error } = factsSchema.safeParse(report);
  return success ? data : (error.issues[0]?.path.join('.') ?? '');
}

/** Whether the target was the reference server of the suite. */
export const isReference = ({ settings }: Pick<Facts, 'settings'>): boolean =>
  settings.some(({ from }) => from === 'reference');
