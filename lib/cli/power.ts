import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Predicate } from '../certificate/statement.ts';
import { EFFORTS, type Effort } from '../effort.ts';
import { SUITE } from '../suite.ts';

/** The measured figures of generated faults: how many of each family were drawn, and how many caught. */
const FIGURES = join(SUITE.folder, 'fixtures', 'power.json');

const counts = z.object({ drawn: z.int(), caught: z.int() });
const figuresSchema = z.array(
  z.object({
    efforts: z.partialRecord(
      z.enum(EFFORTS),
      z.object({ by: z.object({ required: counts.optional(), derived: counts.optional() }) }),
    ),
  }),
);

/** What the tests of this version of the suite prove about it, and what was measured of it. */
export async function powerOfSuite(): Promise<Predicate['power']> {
  const { default: proof } = await import('../../fixtures/proof.json', { with: { type: 'json' } });
  const generated = existsSync(FIGURES) ? figuresIn(JSON.parse(readFileSync(FIGURES, 'utf8'))) : undefined;
  return {
    ...proof,
    ...(generated === undefined ? {} : { generated }),
  };
}

/**
 * The figures at the greatest effort at which every family was measured.
 *
 * @throws Error if they have another form.
 */
export function figuresIn(figures: unknown): Predicate['power']['generated'] {
  const families = figuresSchema.parse(figures);
  const effort = EFFORTS.toReversed().find((one) =>
    families.every(({ efforts }) => efforts[one] !== undefined),
  );
  if (effort === undefined || families.length === 0) return undefined;
  const sum = (level: 'required' | 'derived', figure: 'drawn' | 'caught'): number =>
    families.reduce((total, { efforts }) => total + countIn(efforts[effort], level, figure), 0);
  const of = (level: 'required' | 'derived') => ({
    drawn: sum(level, 'drawn'),
    caught: sum(level, 'caught'),
  });
  return { effort, required: of('required'), derived: of('derived') };
}

type Measured = z.infer<typeof figuresSchema>[number]['efforts'][Effort];

const countIn = (measured: Measured, level: 'required' | 'derived', figure: 'drawn' | 'caught'): number =>
  measured?.by[level]?.[figure] ?? 0;
