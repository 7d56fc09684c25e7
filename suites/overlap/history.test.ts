import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../lib/check.ts';
import { answerOf, exchangeOf, failure } from '../../lib/http/exchange.test.double.ts';
import { isLinearizable } from './linearizable.ts';
import { effectOf, observedAtEnd, tagModel, timeline, writeOperations, type TagAction } from './history.ts';

/** An exchange with these times and this status; the status 0 means that there was no answer. */
const from = (startedAt: number, end: number, status = 200): Exchange => ({
  ...exchangeOf(status === 0 ? failure('closed') : answerOf(status)),
  startedAt,
  durationMs: end - startedAt,
});

const rename = (name: string): TagAction => ({ do: 'rename', name });
const DELETE: TagAction = { do: 'delete' };

type Write = readonly [action: TagAction, exchange: Exchange];

/**
 * Whether a tag that was first named `a` may have this name after the writes, or with undefined, whether it may be
 * deleted.
 */
const mayEndAs = (name: string | undefined, writes: readonly Write[], updatesMakeTags = false): boolean =>
  isLinearizable(tagModel('a', updatesMakeTags), [
    ...writes.flatMap(([action, exchange]) => writeOperations(action, exchange)),
    observedAtEnd({ do: 'shown', name }),
  ]);

describe('a tag may end up', () => {
  test.each<[string, string | undefined, readonly Write[]]>([
    [
      'with the name of either of two updates at once',
      'b',
      [
        [rename('b'), from(0, 5)],
        [rename('c'), from(1, 6)],
      ],
    ],
    [
      'unchanged if all writes were refused',
      'a',
      [
        [rename('b'), from(0, 5, 409)],
        [DELETE, from(0, 5, 423)],
      ],
    ],
    [
      'deleted if an update overlaps with the delete',
      undefined,
      [
        [rename('b'), from(0, 5)],
        [DELETE, from(0, 5)],
      ],
    ],
    [
      'deleted after two acknowledged deletes',
      undefined,
      [
        [DELETE, from(0, 5)],
        [DELETE, from(0, 5)],
      ],
    ],
    ['unchanged after an update answered 500', 'a', [[rename('b'), from(0, 5, 500)]]],
    ['renamed after an update answered 500', 'b', [[rename('b'), from(0, 5, 500)]]],
    [
      'with the name of an earlier update that got no answer',
      'b',
      [
        [rename('b'), from(0, 5, 0)],
        [rename('c'), from(6, 7)],
      ],
    ],
  ])('%s', (_, name, writes) => {
    expect(mayEndAs(name, writes)).toBe(true);
  });
});

describe('a tag may not end up', () => {
  test.each<[string, string | undefined, readonly Write[]]>([
    [
      'with the name of the first of two updates in a row',
      'b',
      [
        [rename('b'), from(0, 1)],
        [rename('c'), from(2, 3)],
      ],
    ],
    ['unchanged after an update', 'a', [[rename('b'), from(0, 5)]]],
    [
      'listed after a delete',
      'b',
      [
        [rename('b'), from(0, 5)],
        [DELETE, from(0, 5)],
      ],
    ],
    ['deleted if every delete was refused', undefined, [[DELETE, from(0, 5, 409)]]],
    ['with a name that was refused', 'b', [[rename('b'), from(0, 5, 422)]]],
  ])('%s', (_, name, writes) => {
    expect(mayEndAs(name, writes)).toBe(false);
  });
});

test('where updates make tags, an update after a delete makes the tag again', () => {
  const both: readonly Write[] = [
    [rename('b'), from(0, 5)],
    [DELETE, from(0, 5)],
  ];
  expect(mayEndAs('b', both, true)).toBe(true);
  expect(mayEndAs(undefined, both, true)).toBe(true);
  expect(mayEndAs('a', both, true)).toBe(false);
});

test('the filter finds a tag by its name only', () => {
  const found = (name: string, isFound: boolean): readonly string[] | readonly unknown[] =>
    tagModel('a', false).step('a', { do: 'found', name, isFound });
  expect([found('a', true), found('b', false)]).toEqual([['a'], ['a']]);
  expect([found('a', false), found('b', true)]).toEqual([[], []]);
});

test('the status shows whether a write took effect', () => {
  expect([200, 204, 302, 404, 409, 500, 503, 0].map((status) => effectOf(from(0, 1, status)))).toEqual([
    'done',
    'done',
    'not done',
    'not done',
    'not done',
    'unknown',
    'unknown',
    'unknown',
  ]);
});

test('a timeline shows each request as a bar, with the time from left to right', () => {
  const text = timeline(
    [
      { label: 'update tag 1 to B', exchange: from(100, 123) },
      { label: 'delete tag 1', exchange: from(110, 115, 404) },
      { label: 'list', exchange: from(123, 123, 0), result: 'not shown' },
    ],
    ['tag 1 is B'],
  );
  expect(text).toBe(
    [
      'update tag 1 to B  |----------------------|   200',
      'delete tag 1                 |----|           404',
      'list                                      ||  no answer, not shown',
      'in the end: tag 1 is B',
    ].join('\n'),
  );
});
