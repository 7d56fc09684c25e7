import { describe, expect, test } from 'vitest';
import { agrees, contradiction, inWords } from './claim.ts';

describe('an answer that was declared', () => {
  test.each<[string, unknown, unknown]>([
    ['of one word', 'exact', 'exact'],
    ['of one number', 404, 404],
    ['of which only some members are declared', { status: 422 }, { status: 422, token: false }],
    ['with members in another order', { token: false, status: 422 }, { status: 422, token: false }],
    ['that is a list', ['%', '_'], ['%', '_']],
    ['that is nothing of a list', [], []],
    ['with lists in its members', { api: ['list'] }, { api: ['list'], user: [] }],
  ])('%s agrees with the same seen', (_what, declared, seen) => {
    expect(agrees(declared, seen)).toBe(true);
  });

  test.each<[string, unknown, unknown]>([
    ['another word', 'exact', 'prefix'],
    ['the text of a number', '404', 404],
    ['another member', { status: 422 }, { status: 400, token: false }],
    ['a member that is not there', { status: 422 }, {}],
    ['a longer list', ['%'], ['%', '_']],
    ['a shorter list', ['%', '_'], ['%']],
    ['a list in another order', ['%', '_'], ['_', '%']],
    ['no list', ['%'], '%'],
    ['a list where a word was declared', '%', ['%']],
    ['members where a number was declared', 401, { create: 401 }],
    ['nothing', 'exact', undefined],
    ['null', { status: 1 }, null],
  ])('does not agree with %s', (_what, declared, seen) => {
    expect(agrees(declared, seen)).toBe(false);
  });

  test.each<[unknown, unknown, string]>([
    ['exact', 'substring', 'filter.match is declared as exact, but substring was seen'],
    [['%'], [], 'filter.match is declared as %, but nothing was seen'],
    [
      { status: 422, token: false },
      { status: 200, token: true },
      'filter.match.status is declared as 422, but 200 was seen',
    ],
    [
      { token: false },
      { status: 200, token: true },
      'filter.match.token is declared as no, but yes was seen',
    ],
    [401, { create: 401, list: 200 }, 'filter.match is declared as 401, but create 401, list 200 was seen'],
  ])('is named with what was seen: %j, %j', (declared, seen, sentence) => {
    expect(contradiction('filter.match', declared, seen)).toBe(sentence);
  });

  test('can be written in one line', () => {
    expect(inWords({ api: ['create', 'list'], user: [], old: undefined, on: true })).toBe(
      'api create, list, user nothing, old nothing, on yes',
    );
  });
});
