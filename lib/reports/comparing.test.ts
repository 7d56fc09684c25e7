import { describe, expect, test } from 'vitest';
import { broken, holds, observed } from '../outcome.ts';
import { compare, readSide, type Side } from './comparing.ts';
import { reportOf, resultOf } from './report.test.double.ts';

const side = (verdicts: Record<string, string>, answers: object, unanswered: object = {}): Side => {
  const requirements = Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict }));
  const read = readSide(
    'x',
    JSON.stringify({ verdict: 'y', requirements, fingerprint: { answers, unanswered } }),
  );
  if (read === undefined) throw new Error('it is no report');
  return read;
};

describe('what is compared', () => {
  test('is a report', () => {
    const report = reportOf([
      resultOf('create/passes', 'required', holds()),
      resultOf('create/fails', 'required', broken('wrong')),
      resultOf('list/order', 'open', observed({ answer: { by: ['name', 'age'], on: true }, exchanges: [] })),
    ]);
    const read = readSide('a', JSON.stringify(report));
    expect([...(read?.verdicts ?? [])]).toEqual([
      ['create/passes', 'pass'],
      ['create/fails', 'fail'],
      ['list/order', 'observed'],
    ]);
    expect([...(read?.answers ?? [])]).toEqual([
      ['list.order.by', 'name, age'],
      ['list.order.on', 'yes'],
    ]);
  });

  test('is a fingerprint, which has no verdicts', () => {
    const read = readSide('a', '{"answers":{"filter":{"match":"exact"}},"unanswered":{"order":"error"}}');
    expect(read?.verdicts.size).toBe(0);
    expect([...(read?.answers ?? [])]).toEqual([
      ['filter.match', 'exact'],
      ['order', 'no answer (error)'],
    ]);
  });

  test.each(['', '{', 'null', '[]', '{}', '{"answers":{}}', '{"requirements":[],"verdict":"x"}'])(
    'is not %j',
    (text) => {
      expect(readSide('a', text)).toBeUndefined();
    },
  );
});

describe('two runs', () => {
  test('that are the same do not differ', () => {
    const run = side({ 'a/b': 'pass' }, { order: 'none' });
    expect(compare(run, run)).toEqual([]);
  });

  test('differ in verdicts, the worse ones first, and in answers', () => {
    const before = side(
      { 'a/better': 'fail', 'a/worse': 'pass', 'a/same': 'warn' },
      { filter: { match: 'substring' } },
    );
    const after = side(
      { 'a/better': 'pass', 'a/worse': 'fail', 'a/same': 'warn' },
      { filter: { match: 'exact' } },
    );
    expect(compare(before, after)).toEqual([
      { what: 'a/worse', was: 'pass', now: 'fail', isWorse: true },
      { what: 'a/better', was: 'fail', now: 'pass', isWorse: false },
      { what: 'filter.match', was: 'substring', now: 'exact', isWorse: false },
    ]);
  });

  test.each([
    ['pass', 'warn', true],
    ['warn', 'fail', true],
    ['pass', 'error', true],
    ['pass', 'skipped', true],
    ['error', 'fail', true],
    ['fail', 'error', false],
    ['warn', 'pass', false],
    ['pass', 'inapplicable', false],
  ])('of which one says %s and then %s: it is worse, %s', (was, now, isWorse) => {
    expect(compare(side({ 'a/b': was }, {}), side({ 'a/b': now }, {}))).toMatchObject([{ isWorse }]);
  });

  test('do not differ if an answer was declared for only one of them', () => {
    expect(compare(side({ 'a/b': 'pass' }, {}), side({ 'a/b': 'observed' }, {}))).toEqual([]);
  });

  test('differ in answers that one of them does not have', () => {
    expect(compare(side({}, {}, { order: 'error' }), side({}, { order: 'none', errorFlag: 'true' }))).toEqual(
      [
        { what: 'order', was: 'no answer (error)', now: 'none', isWorse: false },
        { what: 'errorFlag', was: 'absent', now: 'true', isWorse: false },
      ],
    );
  });

  test('are not compared in what only one of them checked', () => {
    expect(compare(side({ 'a/b': 'pass' }, {}), side({ 'c/d': 'fail' }, {}))).toEqual([]);
  });
});
