import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MORE_TEXTS, MOST_BYTES, NAUGHTY } from './texts.ts';
import { MOST_IN_PACK } from './pieces.ts';
import { casesOf, examplesOf, TIERS } from './tiers.ts';

const SEEDS = [1, 2, 3, 4, 5];

describe.each(TIERS.map((tier) => [tier.id, tier] as const))('the tier %s', (_, tier) => {
  test('sends all its pieces in packs with every seed, and one by one with the greatest effort', () => {
    for (const seed of SEEDS) {
      const packs = examplesOf(tier, false, seed);
      expect(packs.flat()).toEqual(expect.arrayContaining([...(tier.apart ?? []), ...tier.pieces]));
      for (const pack of packs) expect(pack.join('').length).toBeLessThanOrEqual(MOST_IN_PACK);
    }
    const all = tier.id === 'naughty-strings' ? NAUGHTY : [...(tier.apart ?? []), ...tier.pieces];
    expect(examplesOf(tier, true, 1)).toEqual(all.map((piece) => [piece]));
  });

  test('fills the last pack with more characters where long names are accepted', () => {
    const more = MORE_TEXTS[tier.id] ?? [];
    for (const seed of SEEDS) {
      const last = examplesOf(tier, false, seed, 2 * MOST_IN_PACK, MOST_BYTES).at(-1) ?? [];
      expect(last).toEqual(expect.arrayContaining([...more]));
      expect(Buffer.byteLength(last.join(''))).toBeLessThanOrEqual(MOST_BYTES);
    }
  });

  test('generates well-formed Unicode text that is not too long', () => {
    for (const seed of SEEDS)
      for (const pack of fc.sample(casesOf(tier), { seed, numRuns: 50 })) {
        expect(pack.length).toBeGreaterThan(0);
        expect(pack.join('').isWellFormed()).toBe(true);
        expect(pack.join('').length).toBeLessThanOrEqual(tier.most ?? MOST_IN_PACK);
      }
  });
});

test('no tier has a piece twice', () => {
  const pieces = TIERS.flatMap(({ id, pieces }) => pieces.map((piece) => `${id} ${piece}`));
  expect(pieces.filter((piece, at) => pieces.indexOf(piece) !== at)).toEqual([]);
});
