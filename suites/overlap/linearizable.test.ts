import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLinearizable, type Model, type Operation } from './linearizable.ts';

type Does = { readonly write: number } | { readonly read: number };

/** One number. */
const register: Model<number, Does> = {
  init: 0,
  step: (state, does) => ('write' in does ? [does.write] : does.read === state ? [state] : []),
  key: String,
};

const op = (start: number, end: number, does: Does, isUnsure = false): Operation<Does> => ({
  start,
  end,
  does,
  ...(isUnsure ? { isUnsure } : {}),
});

describe('explained by an order', () => {
  test.each<[string, readonly Operation<Does>[]]>([
    ['nothing', []],
    ['a read after a write', [op(0, 1, { write: 1 }), op(2, 3, { read: 1 })]],
    ['a read during a write, of the old', [op(0, 5, { write: 1 }), op(1, 2, { read: 0 })]],
    ['a read during a write, of the new', [op(0, 5, { write: 1 }), op(1, 2, { read: 1 })]],
    [
      'two writes at once, the first read last',
      [op(0, 5, { write: 1 }), op(1, 4, { write: 2 }), op(6, 7, { read: 1 })],
    ],
    [
      'an unsure write that shows much later',
      [op(0, 1, { write: 1 }, true), op(5, 6, { read: 0 }), op(7, 8, { read: 1 })],
    ],
    ['an unsure write that never shows', [op(0, 1, { write: 1 }, true), op(5, 6, { read: 0 })]],
    // Intervals are closed: what ends in the moment in which another begins may come after it.
    ['a write that ends as a read begins', [op(0, 1, { write: 1 }), op(1, 2, { read: 0 })]],
  ])('%s', (_, operations) => {
    expect(isLinearizable(register, operations)).toBe(true);
  });
});

describe('explained by no order', () => {
  test.each<[string, readonly Operation<Does>[]]>([
    ['a stale read', [op(0, 1, { write: 1 }), op(2, 3, { read: 0 })]],
    ['a value that nobody wrote', [op(0, 1, { write: 1 }), op(0, 3, { read: 2 })]],
    [
      'new, then old again, within one write',
      [op(0, 9, { write: 1 }), op(1, 2, { read: 1 }), op(3, 4, { read: 0 })],
    ],
    [
      'two readers that see two writes in either order',
      [
        op(0, 9, { write: 1 }),
        op(0, 9, { write: 2 }),
        op(1, 2, { read: 1 }),
        op(3, 4, { read: 2 }),
        op(5, 6, { read: 1 }),
      ],
    ],
    ['an unsure write before it began', [op(5, 6, { write: 1 }, true), op(0, 1, { read: 1 })]],
    [
      'the first of two writes in a row, read last',
      [op(0, 1, { write: 1 }), op(2, 3, { write: 2 }), op(4, 5, { read: 1 })],
    ],
  ])('%s', (_, operations) => {
    expect(isLinearizable(register, operations)).toBe(false);
  });
});

/** All orders of all choices of what is unsure, tried one by one. */
function byTrying(operations: readonly Operation<Does>[]): boolean {
  const sure = operations.filter(({ isUnsure }) => isUnsure !== true);
  const unsure = operations.filter(({ isUnsure }) => isUnsure === true);
  const choices = Array.from({ length: 2 ** unsure.length }, (_, bits) => [
    ...sure,
    ...unsure.filter((__, at) => (bits >> at) & 1),
  ]);
  return choices.some((chosen) => orders(chosen).some((order) => isPossible(order)));
}

const orders = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one, at) =>
        orders([...all.slice(0, at), ...all.slice(at + 1)]).map((rest) => [one, ...rest]),
      );

function isPossible(order: readonly Operation<Does>[]): boolean {
  let states: readonly number[] = [register.init];
  for (const [at, one] of order.entries()) {
    const isLate = order.slice(at + 1).some((later) => later.isUnsure !== true && later.end < one.start);
    states = isLate ? [] : states.flatMap((state) => register.step(state, one.does));
  }
  return states.length > 0;
}

test('agrees with trying every order', () => {
  const value = fc.nat({ max: 2 });
  const operation = fc
    .record({
      times: fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })),
      does: fc.oneof(fc.record({ write: value }), fc.record({ read: value })),
      isUnsure: fc.boolean(),
    })
    // What was read is sure: a read without an answer says nothing.
    .map(({ times, does, isUnsure }) =>
      op(Math.min(...times), Math.max(...times), does, isUnsure && 'write' in does),
    );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), (operations) => {
      expect(isLinearizable(register, operations)).toBe(byTrying(operations));
    }),
    { numRuns: 500 },
  );
});
