import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../lib/check.ts';
import { answerOf, exchangeOf, failure } from '../../lib/http/exchange.test.double.ts';
import { isLinearizable } from './linearizable.ts';
import { fateOf, inTheEnd, tagNamed, timeline, written, type Does } from './history.ts';

/** A request from one moment to another, and the status of its answer; 0: none came. */
const from = (startedAt: number, end: number, status = 200): Exchange => ({
  ...exchangeOf(status === 0 ? failure('closed') : answerOf(status)),
  startedAt,
  durationMs: end - startedAt,
});

const rename = (name: string): Does => ({ do: 'rename', name });
const DELETE: Does = { do: 'delete' };

type Line = readonly [does: Does, exchange: Exchange];

/** Whether a tag named a may be that in the end. */
const mayEndAs = (name: string | undefined, lines: readonly Line[], makes = false): boolean =>
  isLinearizable(tagNamed('a', makes), [
    ...lines.flatMap(([does, exchange]) => written(does, exchange)),
    inTheEnd({ do: 'shown', name }),
  ]);

describe('a tag may end', () => {
  test.each<[string, string | undefined, readonly Line[]]>([
    [
      'with the name of either update at once',
      'b',
      [
        [rename('b'), from(0, 5)],
        [rename('c'), from(1, 6)],
      ],
    ],
    [
      'as it was, where all was refused',
      'a',
      [
        [rename('b'), from(0, 5, 409)],
        [DELETE, from(0, 5, 423)],
      ],
    ],
    [
      'gone, whatever was updated at once',
      undefined,
      [
        [rename('b'), from(0, 5)],
        [DELETE, from(0, 5)],
      ],
    ],
    [
      'gone after two deletes, both confirmed',
      undefined,
      [
        [DELETE, from(0, 5)],
        [DELETE, from(0, 5)],
      ],
    ],
    ['as it was after a 500', 'a', [[rename('b'), from(0, 5, 500)]]],
    ['otherwise after a 500', 'b', [[rename('b'), from(0, 5, 500)]]],
    [
      'otherwise after no answer',
      'b',
      [
        [rename('b'), from(0, 5, 0)],
        [rename('c'), from(6, 7)],
      ],
    ],
  ])('%s', (_, name, lines) => {
    expect(mayEndAs(name, lines)).toBe(true);
  });
});

describe('a tag may not end', () => {
  test.each<[string, string | undefined, readonly Line[]]>([
    [
      'with the name of the first of two updates',
      'b',
      [
        [rename('b'), from(0, 1)],
        [rename('c'), from(2, 3)],
      ],
    ],
    ['as it was after an update', 'a', [[rename('b'), from(0, 5)]]],
    [
      'there after a delete',
      'b',
      [
        [rename('b'), from(0, 5)],
        [DELETE, from(0, 5)],
      ],
    ],
    ['gone where every delete was refused', undefined, [[DELETE, from(0, 5, 409)]]],
    ['with a name that was refused', 'b', [[rename('b'), from(0, 5, 422)]]],
  ])('%s', (_, name, lines) => {
    expect(mayEndAs(name, lines)).toBe(false);
  });
});

test('where updates make what they name, one may come after a delete', () => {
  const both: readonly Line[] = [
    [rename('b'), from(0, 5)],
    [DELETE, from(0, 5)],
  ];
  expect(mayEndAs('b', both, true)).toBe(true);
  expect(mayEndAs(undefined, both, true)).toBe(true);
  expect(mayEndAs('a', both, true)).toBe(false);
});

test('what the filter finds is what the tag is named', () => {
  const found = (name: string, isFound: boolean): readonly string[] | readonly unknown[] =>
    tagNamed('a', false).step('a', { do: 'found', name, isFound });
  expect([found('a', true), found('b', false)]).toEqual([['a'], ['a']]);
  expect([found('a', false), found('b', true)]).toEqual([[], []]);
});

test('a request was done, not done, or nobody knows', () => {
  expect([200, 204, 302, 404, 409, 500, 503, 0].map((status) => fateOf(from(0, 1, status)))).toEqual([
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

test('a history is told as lines with the time from left to right', () => {
  const told = timeline(
    [
      { what: 'rename tag 1 to B', exchange: from(100, 123) },
      { what: 'delete tag 1', exchange: from(110, 115, 404) },
      { what: 'list', exchange: from(123, 123, 0), came: 'not shown' },
    ],
    ['tag 1 is B'],
  );
  expect(told).toBe(
    [
      'rename tag 1 to B  |----------------------|   200',
      'delete tag 1                 |----|           404',
      'list                                      ||  no answer, not shown',
      'in the end: tag 1 is B',
    ].join('\n'),
  );
});
