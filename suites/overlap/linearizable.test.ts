import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLinearizable, type Model, type Operation } from './linearizable.ts';

type Action = { readonly write: number } | { readonly read: number };

/** A register that holds one number. */
const register: Model<number, Action> = {
  init: 0,
  step: (state, action) => ('write' in action ? [action.write] : action.read === state ? [state] : []),
  key: String,
};

const op = (start: number, end: number, action: Action, isUncertain = false): Operation<Action> => ({
  start,
  end,
  action,
  ...(isUncertain ? { isUncertain } : {}),
});

describe('an order explains', () => {
  test.each<[string, readonly Operation<Action>[]]>([
    ['nothing', []],
    ['a read after a write', [op(0, 1, { write: 1 }), op(2, 3, { read: 1 })]],
    ['a read of the old value during a write', [op(0, 5, { write: 1 }), op(1, 2, { read: 0 })]],
    ['a read of the new value during a write', [op(0, 5, { write: 1 }), op(1, 2, { read: 1 })]],
    [
      'two writes at once, and a later read of the value that was written first',
      [op(0, 5, { write: 1 }), op(1, 4, { write: 2 }), op(6, 7, { read: 1 })],
    ],
    [
      'an uncertain write that takes effect much later',
      [op(0, 1, { write: 1 }, true), op(5, 6, { read: 0 }), op(7, 8, { read: 1 })],
    ],
    ['an uncertain write that never takes effect', [op(0, 1, { write: 1 }, true), op(5, 6, { read: 0 })]],
    // Intervals are closed: if one operation ends at the moment when another begins, either may come first.
    [
      'a read of the old value that begins as the write ends',
      [op(0, 1, { write: 1 }), op(1, 2, { read: 0 })],
    ],
  ])('%s', (_, operations) => {
    expect(isLinearizable(register, operations)).toBe(true);
  });
});

describe('no order explains', () => {
  test.each<[string, readonly Operation<Action>[]]>([
    ['a read of the old value after a write', [op(0, 1, { write: 1 }), op(2, 3, { read: 0 })]],
    ['a read of a value that was never written', [op(0, 1, { write: 1 }), op(0, 3, { read: 2 })]],
    [
      'reads of the new value and then of the old one during one write',
      [op(0, 9, { write: 1 }), op(1, 2, { read: 1 }), op(3, 4, { read: 0 })],
    ],
    [
      'reads that show two writes in one order and then in the other',
      [
        op(0, 9, { write: 1 }),
        op(0, 9, { write: 2 }),
        op(1, 2, { read: 1 }),
        op(3, 4, { read: 2 }),
        op(5, 6, { read: 1 }),
      ],
    ],
    ['a read of an uncertain write before it began', [op(5, 6, { write: 1 }, true), op(0, 1, { read: 1 })]],
    [
      'a read of the first of two writes in a row',
      [op(0, 1, { write: 1 }), op(2, 3, { write: 2 }), op(4, 5, { read: 1 })],
    ],
  ])('%s', (_, operations) => {
    expect(isLinearizable(register, operations)).toBe(false);
  });
});

/** Tries every order of every choice of the uncertain operations. */
function byTrying(operations: readonly Operation<Action>[]): boolean {
  const certain = operations.filter(({ isUncertain }) => isUncertain !== true);
  const uncertain = operations.filter(({ isUncertain }) => isUncertain === true);
  const choices = Array.from({ length: 2 ** uncertain.length }, (_, bits) => [
    ...certain,
    ...uncertain.filter((__, at) => (bits >> at) & 1),
  ]);
  return choices.some((chosen) => orders(chosen).some((order) => isPossible(order)));
}

const orders = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one, at) =>
        orders([...all.slice(0, at), ...all.slice(at + 1)]).map((rest) => [one, ...rest]),
      );

function isPossible(order: readonly Operation<Action>[]): boolean {
  let states: readonly number[] = [register.init];
  for (const [at, one] of order.entries()) {
    const isLate = order.slice(at + 1).some((later) => later.isUncertain !== true && later.end < one.start);
    states = isLate ? [] : states.flatMap((state) => register.step(state, one.action));
  }
  return states.length > 0;
}

test('the search agrees with trying every order', () => {
  const value = fc.nat({ max: 2 });
  const operation = fc
    .record({
      times: fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })),
      action: fc.oneof(fc.record({ write: value }), fc.record({ read: value })),
      isUncertain: fc.boolean(),
    })
    // A read is always certain, because one without an answer shows nothing.
    .map(({ times, action, isUncertain }) =>
      op(Math.min(...times), Math.max(...times), action, isUncertain && 'write' in action),
    );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), (operations) => {
      expect(isLinearizable(register, operations)).toBe(byTrying(operations));
    }),
    { numRuns: 500 },
  );
});
