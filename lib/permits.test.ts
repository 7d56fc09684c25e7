import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Permits } from './permits.ts';

/** Work that holds its permits until it is released. */
function heldWork(permits: Permits, wanted: number, begun: string[], name: string): () => Promise<void> {
  let letGo: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  const done = permits.use(wanted, () => {
    begun.push(name);
    return until;
  });
  return () => {
    letGo();
    return done;
  };
}

describe('permits', () => {
  test('return the result of the work', async () => {
    await expect(new Permits(1).use(1, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  test('let in as much work as there are permits, and the rest in the order of arrival', async () => {
    const permits = new Permits(2);
    const begun: string[] = [];
    const [first, second, third, fourth] = ['1', '2', '3', '4'].map((name) =>
      heldWork(permits, 1, begun, name),
    );
    await turn();
    expect(begun).toEqual(['1', '2']);
    await second?.();
    await turn();
    expect(begun).toEqual(['1', '2', '3']);
    await Promise.all([first?.(), third?.(), fourth?.()]);
    expect(begun).toEqual(['1', '2', '3', '4']);
  });

  test('let nothing overtake work that wants more permits', async () => {
    const permits = new Permits(3);
    const begun: string[] = [];
    const small = heldWork(permits, 1, begun, 'small');
    const large = heldWork(permits, 3, begun, 'large');
    const late = heldWork(permits, 1, begun, 'late');
    await turn();
    expect(begun).toEqual(['small']);
    await small();
    await turn();
    expect(begun).toEqual(['small', 'large']);
    await Promise.all([large(), late()]);
    expect(begun).toEqual(['small', 'large', 'late']);
  });

  test('never hold up work that wants no permit: a holder may wait for it', async () => {
    const permits = new Permits(8);
    const done = permits.use(8, async () => {
      permits.shrink(3);
      void permits.use(3, () => Promise.resolve());
      return permits.use(0, () => Promise.resolve('done'));
    });
    await expect(done).resolves.toBe('done');
  });

  test('let in urgent work before other work', async () => {
    const permits = new Permits(1);
    const begun: string[] = [];
    const hold = (name: string, urgent: boolean): Promise<void> =>
      permits.use(1, () => Promise.resolve(void begun.push(name)), urgent);
    await Promise.all([
      hold('first', false),
      hold('second', false),
      hold('urgent', true),
      hold('urgent, too', true),
      hold('third', false),
    ]);
    expect(begun).toEqual(['first', 'urgent', 'urgent, too', 'second', 'third']);
  });

  test('treat a request for more than all permits as one for all, which excludes other work', async () => {
    const permits = new Permits(2);
    const begun: string[] = [];
    const greedy = heldWork(permits, 5, begun, 'greedy');
    const other = heldWork(permits, 1, begun, 'other');
    await turn();
    expect(begun).toEqual(['greedy']);
    await Promise.all([greedy(), other()]);
    expect(begun).toEqual(['greedy', 'other']);
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('come back where the work %s', async (_how, work) => {
    const permits = new Permits(1);
    await expect(permits.use(1, work)).rejects.toThrow('no');
    await expect(permits.use(1, () => Promise.resolve('next'))).resolves.toBe('next');
  });

  test('can be had at once if one is free and nobody waits', async () => {
    const permits = new Permits(2);
    const giveBack = permits.holdAtOnce();
    expect(giveBack).toBeDefined();
    const all = permits.use(2, () => Promise.resolve(permits.holdAtOnce()));
    expect(permits.holdAtOnce()).toBeUndefined();
    giveBack?.();
    await expect(all).resolves.toBeUndefined();
    expect(permits.holdAtOnce()).toBeDefined();
  });

  test('are never held twice, whatever is wanted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.record({ wanted: fc.integer({ min: 1, max: 6 }), turns: fc.nat({ max: 3 }) })),
        async (total, works) => {
          const permits = new Permits(total);
          const begun: number[] = [];
          let held = 0;
          await Promise.all(
            works.map(({ wanted, turns }, at) =>
              permits.use(wanted, async () => {
                begun.push(at);
                held += Math.min(wanted, total);
                expect(held).toBeLessThanOrEqual(total);
                for (let time = 0; time < turns; time++) await Promise.resolve();
                held -= Math.min(wanted, total);
              }),
            ),
          );
          expect(begun).toEqual(works.map((_work, at) => at));
        },
      ),
      { numRuns: 50 },
    );
  });
});
