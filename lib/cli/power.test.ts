import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutants } from '../../fixtures/mutants/index.ts';
import { variants } from '../../fixtures/variants/index.ts';
import { SUITE } from '../suite.ts';
import { figuresIn, powerOfSuite } from './power.ts';

/** What was measured of a family of faults. */
const counts = (drawn: number, caught: number) => ({ drawn, caught });

describe('the figures of generated faults', () => {
  test('are sums over the families, at the greatest effort at which each was measured', () => {
    const families = [
      {
        efforts: {
          quick: { by: { required: counts(9, 1) } },
          standard: { by: { required: counts(4, 3), derived: counts(5, 2) } },
          thorough: { by: { required: counts(4, 4) } },
        },
      },
      {
        efforts: {
          quick: { by: { required: counts(9, 1) } },
          standard: { by: { derived: counts(1, 1) } },
        },
      },
    ];
    expect(figuresIn(families)).toEqual({
      effort: 'standard',
      required: counts(4, 3),
      derived: counts(6, 3),
    });
  });

  test('are left out if there is no effort at which each family was measured', () => {
    const family = (effort: string) => ({ efforts: { [effort]: { by: { required: counts(1, 1) } } } });
    expect(figuresIn([family('quick'), family('standard')])).toBeUndefined();
    expect(figuresIn([])).toBeUndefined();
  });

  test('are refused if they have another form', () => {
    expect(() => figuresIn([{ efforts: { standard: { by: { required: { drawn: 'many' } } } } }])).toThrow();
  });
});

test('a certificate names the figures of this version', async () => {
  const file = join(SUITE.folder, 'fixtures', 'power.json');
  expect(existsSync(file)).toBe(true);
  const generated = figuresIn(JSON.parse(readFileSync(file, 'utf8')));
  expect(generated?.required.drawn).toBeGreaterThan(0);
  expect(generated?.derived.drawn).toBeGreaterThan(0);
  expect(await powerOfSuite()).toEqual({ mutants: mutants.length, variants: variants.length, generated });
});
