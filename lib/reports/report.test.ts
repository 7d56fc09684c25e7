import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { Masker } from '../judging/masker.ts';
import { observed, broken, holds, undecided } from '../outcome.ts';
import { EACH, reportOf, requirementOf, resultOf, wrong } from './report.test.double.ts';
import { reportSchema, type Report } from './report.ts';
import { reported } from './result.ts';

const PASSED = [resultOf('create/passes', 'required', holds())];

describe('a report', () => {
  test.each<[string, Report]>([
    ['of nothing', reportOf([])],
    ['of each verdict', reportOf(EACH)],
    [
      'of all that can go wrong',
      reportOf(EACH, {
        ended: 'interrupted',
        leftOut: [requirementOf('delete/left-out', 'derived')],
        obstacle: { step: 'log in', why: 'it was refused', slip: 'check it', exchanges: [wrong] },
        fault: new Error('a fault'),
        residue: [
          { name: 'a', state: 'may be left', why: 'gone' },
          { name: 'b', tag_id: '1', state: 'left', why: 'still listed', curl: 'curl' },
        ],
      }),
    ],
  ])('%s is data of the form that it promises', (_what, report) => {
    expect(reportSchema.parse(report)).toEqual(report);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('has the verdict and the reason of each requirement', () => {
    expect(reportOf(EACH).requirements.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
      ['create/passes', 'pass', ''],
      ['create/fails', 'fail', 'answered 201, not 200'],
      ['create/warns', 'warn', 'answered late'],
      ['list/doubtful', 'warn', 'answered oddly'],
      ['list/observed', 'observed', ''],
      ['list/inapplicable', 'inapplicable', 'there is nothing to ask'],
      ['tokens/skipped', 'skipped', 'there is no second account'],
      ['tokens/error', 'error', 'the login was refused'],
    ]);
  });

  test('quotes no name of a stranger’s tag, in a sentence or in a list', () => {
    const tagging = [{ name: 'Rent', tag_id: '1' }];
    const list = exchangeOf(answerOf(200, { error: false, tagging }), { operation: 'list' });
    const { reason, exchanges } = reported(
      resultOf('create/fails', 'derived', broken('the tag "own" is now named "Rent"', list)),
      {
        base: new URL('https://api.test/'),
        masker: new Masker(),
        isOwn: (name) => name === 'own',
        isStrangers: (name) => name === 'Rent',
        seed: 'seed',
        effort: 'standard',
      },
    );
    expect(reason).toBe('the tag "own" is now named "[another\'s]"');
    expect(JSON.stringify(exchanges)).not.toContain('Rent');
  });

  test('shows the exchanges that a verdict rests on', () => {
    const shown = reportOf(EACH).requirements.map(({ exchanges }) => exchanges.map(({ number }) => number));
    expect(shown).toEqual([[], [4], [4], [4], [4], [], [], [4]]);
  });

  test('says that a route is missing, or that the server fails, if the plainest request is answered so', () => {
    const causeAt = (status: number): string | undefined => {
      const list = exchangeOf(answerOf(status), {
        operation: 'list',
        method: 'GET',
        path: '/api/v2/tagging',
      });
      const results = [resultOf('list/answers', 'required', broken(`answered ${status}, not 200`, list))];
      return reportOf(results).requirements[0]?.cause;
    };
    expect(causeAt(405)).toBe('The server has no route for GET /api/v2/tagging.');
    expect(causeAt(500)).toMatch(/^An error within the server; /);
    expect(causeAt(201)).toBeUndefined();
  });

  test('gives the derivation of derived requirements only', () => {
    const [passes, fails] = reportOf(EACH).requirements;
    expect(fails).toMatchObject({ level: 'derived', derivation: 'It follows.' });
    expect(passes).not.toHaveProperty('derivation');
  });

  test('collects what was observed', () => {
    const report = reportOf(EACH);
    expect(report.fingerprint).toEqual({
      answers: { list: { observed: { order: 'oldest' } } },
      unanswered: {},
    });
    expect(report.requirements.find(({ id }) => id === 'list/observed')).toMatchObject({
      key: 'list.observed',
      answer: { order: 'oldest' },
      said: 'The answer is {"order":"oldest"}.',
      reason: '',
    });
  });

  test('shows the declared and the observed answer', () => {
    const seen = observed({ answer: { order: 'oldest', size: 15 }, exchanges: [wrong] });
    const results = [
      resultOf('list/kept', 'open', seen, { declared: { order: 'oldest' } }),
      resultOf('list/broken', 'open', seen, { declared: { order: 'newest' } }),
    ];
    const report = reportOf(results);
    expect(report.requirements).toMatchObject([
      { verdict: 'pass', reason: '', declared: { order: 'oldest' } },
      {
        verdict: 'fail',
        reason: 'list.broken.order is declared as newest, but oldest was seen',
        declared: { order: 'newest' },
      },
    ]);
    expect(report).toMatchObject({ verdict: 'non-conforming', exitCode: 1 });
  });

  test('says where a fault of the suite came from', () => {
    expect(reportOf([], { fault: new Error('a fault') }).fault).toMatch(/^Error: a fault\n +at /);
  });

  test('counts what was left out as skipped', () => {
    const leftOut = [requirementOf('delete/left-out', 'required'), requirementOf('delete/open', 'open')];
    const report = reportOf(PASSED, { leftOut });
    expect(report).toMatchObject({ verdict: 'conforming', partial: true, untested: 1, exitCode: 0 });
    expect(report.requirements.slice(1)).toMatchObject([
      { id: 'delete/left-out', verdict: 'skipped', reason: 'left out by --only' },
      { id: 'delete/open', verdict: 'skipped' },
    ]);
  });

  test('distinguishes what the tester left out from what the budget left out', () => {
    const results = [
      ...PASSED,
      resultOf('login/late', 'required', undecided('budget', 'the budget of 40 logins in a run is used up')),
      resultOf('tokens/panel', 'required', undecided('tester', 'no token was given')),
    ];
    const report = reportOf(results, { leftOut: [requirementOf('delete/left-out', 'required')] });
    expect(report).toMatchObject({
      verdict: 'conforming',
      partial: true,
      untested: 3,
      overBudget: ['login/late'],
    });
    expect(report.requirements.map(({ skippedFor }) => skippedFor)).toEqual([
      undefined,
      'budget',
      'tester',
      'tester',
    ]);
  });

  test.each<[string, Parameters<typeof reportOf>, Report['verdict'], number]>([
    ['that passes', [PASSED], 'conforming', 0],
    ['that fails', [EACH], 'non-conforming', 1],
    ['of nothing', [[]], 'inconclusive', 3],
    [
      'that leaves a tag behind',
      [PASSED, { residue: [{ name: 'a', state: 'may be left', why: 'no answer came' }] }],
      'inconclusive',
      3,
    ],
    ['that was cut short', [PASSED, { ended: 'cut short' }], 'inconclusive', 3],
    [
      'that has to be whole and is not',
      [PASSED, { leftOut: [requirementOf('x/y', 'required')], requireWhole: true }],
      'conforming',
      3,
    ],
    ['with a fault of the suite', [EACH, { fault: new Error('x') }], 'non-conforming', 70],
    ['that was interrupted', [EACH, { ended: 'interrupted' }], 'non-conforming', 130],
  ])('of a run %s says so', (_what, parts, verdict, exitCode) => {
    expect(reportOf(...parts)).toMatchObject({ verdict, exitCode });
  });
});

describe('what a report must not hold', () => {
  test('is a secret, whatever its source', () => {
    const results = [
      resultOf('a/b', 'required', broken('it said hush-hush', exchangeOf(answerOf(200, 'hush-hush')))),
    ];
    const report = reportOf(results, {
      secret: 'hush-hush',
      obstacle: { step: 'list', why: 'it said hush-hush', slip: 'check hush-hush', exchanges: [] },
      fault: new Error('hush-hush'),
    });
    expect(JSON.stringify(report)).not.toContain('hush');
  });

  test('is a body of a megabyte, or a part of a secret where a body is cut', () => {
    for (const before of [3_990, 3_995, 3_999]) {
      const body = `${'-'.repeat(before)}hush-hush${'-'.repeat(1_000_000)}`;
      const large = exchangeOf(answerOf(500, body), { operation: 'create', method: 'POST', body }, 4);
      const text = JSON.stringify(
        reportOf([resultOf('a/b', 'required', broken('wrong', large))], { secret: 'hush-hush' }),
      );
      expect(text.length).toBeLessThan(20_000);
      expect(text).not.toMatch(/-h|hush/);
      expect(text).toContain('--data-binary @body-4.bin');
    }
  });

  test('is the name of a stranger', () => {
    const list = exchangeOf(answerOf(200, { error: false, tagging: [{ name: 'Rent', tag_id: '1' }] }));
    expect(JSON.stringify(reportOf([resultOf('a/b', 'required', broken('wrong', list))]))).not.toContain(
      'Rent',
    );
  });

  test.each(['pass', 'fail', 'required', 'name', 'whole', 'conforming', 'request', 'body'])(
    'is gone without harm to its form where the secret is a word of its own: %s',
    (secret) => {
      const residue = [{ name: 'a', state: 'left', why: 'gone' }] as const;
      const report = reportOf(EACH, { secret, residue });
      expect(reportSchema.safeParse(report).error?.issues ?? []).toEqual([]);
    },
  );
});
