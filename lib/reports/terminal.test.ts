import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { Result } from '../run/results.ts';
import type { Exchange } from '../http/exchange.ts';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { broken, holds, observed, undecided } from '../outcome.ts';
import { EACH, reportOf, resultOf, wrong } from './report.test.double.ts';
import { progressLine, terminalReport, type Showing } from './terminal.ts';

const plain = pc.createColors(false);

const showing: Showing = { columns: 100, colors: plain, isVerbose: false, command: 'npm start --' };
const verbose = { ...showing, isVerbose: true };
const brief = (...parts: Parameters<typeof reportOf>): string =>
  terminalReport(reportOf(...parts), ['reports/report.json'], showing);
const shown = (...parts: Parameters<typeof reportOf>): string =>
  terminalReport(reportOf(...parts), ['reports/report.json'], verbose);

describe('the lists of a verbose run', () => {
  test('has a row for each section and a column for each verdict that there is', () => {
    expect(shown(EACH.toReversed())).toContain(
      [
        '  section           pass  fail  warn  observed  inapplicable  skipped  error',
        '  4.2 create           1     1     1         ·             ·        ·      ·',
        '  4.4 list             ·     ·     1         1             1        ·      ·',
        '  5 authentication     ·     ·     ·         ·             ·        1      1',
        '  all                  1     1     2         1             1        1      1',
      ].join('\n'),
    );
    expect(shown(EACH.slice(0, 1))).toContain('  section     pass\n  4.2 create     1\n  all            1');
  });

  test('tells what is left open: lists as a table, the rest as sentences', () => {
    const matrix = { api: ['create', 'list'], user_read: ['list'], bank: [], user: 'no token' };
    const results = [
      resultOf('scopes/matrix', 'open', observed({ answer: matrix, exchanges: [] })),
      resultOf('list/order', 'open', observed({ answer: 'none', exchanges: [] })),
      resultOf('list/flag', 'open', observed({ answer: 'false', exchanges: [] }), { declared: 'false' }),
      resultOf('list/unknown', 'open', undecided('failure', 'it went away')),
    ];
    expect(shown(results)).toContain(
      [
        '',
        'Left open by the specification, and observed here',
        '             create  list',
        '  api           yes   yes',
        '  user_read       ·   yes',
        '  bank            ·     ·',
        '  user       no token',
        '  The answer is "none".',
        '  The answer is "false". (declared)',
        '',
      ].join('\n'),
    );
    expect(shown(EACH.slice(0, 1))).not.toContain('Left open');
  });

  test('come before what stood in the way of everything', () => {
    const obstacle = { step: 'log in', why: 'it was refused', exchanges: [wrong] } as const;
    const text = shown(EACH.slice(4), { obstacle });
    expect(text).toContain(
      [
        'The preflight could not log in, which much of the rest follows from.',
        '   It was refused.',
        '   > POST https://target.test/api/v2/tagging  {"name":"a"}',
        '   < 201 application/json  {"message":"made"}',
        '   curl -i -X POST ',
      ].join('\n'),
    );
    expect(text.indexOf('The preflight')).toBeGreaterThan(text.indexOf('Left open'));
    expect(brief(EACH, { obstacle })).not.toContain('preflight');
  });

  const login = exchangeOf(
    answerOf(302, { message: 'These credentials are not right.' }, [['content-type', 'application/json']]),
    { operation: 'login', method: 'POST', path: '/api/v2/auth/login', body: '{"username":"someone"}' },
    1,
  );
  const why = 'POST /api/v2/auth/login answered 302';
  const slip =
    'This is how wrong credentials are answered; check CONFORMANCE_USERNAME and CONFORMANCE_PASSWORD.';
  const waiting = Array.from({ length: 30 }, (_, at) =>
    resultOf(`a/${at}`, 'required', undecided('failure', `preflight could not log in: ${why}`, login)),
  );
  const obstacle = { step: 'log in', why, slip, exchanges: [login] } as const;

  test('has one thing to read where the tester seems to have slipped', () => {
    const skipped = resultOf('b/1', 'required', undecided('tester', 'no second account was given'));
    const idle = resultOf('b/2', 'open', observed({ answer: 'not met', exchanges: [] }));
    const text = shown([...waiting, skipped, idle], { obstacle });
    expect(text.replace(/curl -i [^\n]+/, 'curl')).toBe(
      [
        'inconclusive, partial: https://target.test',
        '',
        'The preflight could not log in, so nothing was decided.',
        `   ${slip}`,
        '   POST /api/v2/auth/login answered 302.',
        '   > POST https://target.test/api/v2/auth/login  {"username":"someone"}',
        '   < 302 application/json  {"message":"These credentials are not right."}',
        '   curl',
        '',
        'Not decided',
        '   30 requirements, for the reason above',
        '',
        'Not tested: 1 required or derived requirements',
        '   b/1: no second account was given',
        '',
        '0 requests, 1.2 s, effort standard, seed a seed',
        'Reports: reports/report.json',
        '',
      ].join('\n'),
    );
    expect(reportOf(waiting, { obstacle })).toMatchObject({ exitCode: 3, obstacle: { slip } });
  });

  test('has one thing to read, too, where something else stands in the way of everything', () => {
    const { slip: _slip, ...rest } = obstacle;
    expect(shown(waiting, { obstacle: rest })).toMatch(
      /\n\nThe preflight could not log in, so nothing was decided\.\n {3}POST .* answered 302\.\n/,
    );
  });

  test('hides nothing that was found beside a slip', () => {
    const text = shown([...waiting, ...EACH], { obstacle });
    expect(text).toContain('  4.2 create ');
    expect(text).toContain('FAIL create/fails (section 4.2, derived)');
    expect(text).toContain(
      'For the reason below: the preflight could not log in\n     a/0, a/1, a/2 and 27 more',
    );
    expect(text).toContain('the login was refused\n     tokens/error');
  });

  test('shows a failure with both sides, why it has to be so, and a command that repeats it', () => {
    expect(shown(EACH)).toContain(
      [
        'FAIL create/fails (section 4.2, derived)',
        '     It is so (create/fails).',
        '     answered 201, not 200',
        '     Why: It follows.',
        '     *> POST https://target.test/api/v2/tagging  {"name":"a"}',
        '     *< 201 application/json  {"message":"made"}',
        `     curl -i -X POST 'https://target.test/api/v2/tagging' --data-`,
      ].join('\n'),
    );
  });

  test.each([
    [3, undefined],
    [4, '(1 more in report.json)'],
    [6, '(3 more in report.json)'],
  ])('shows three exchanges of a failure that has %i, and counts the others', (count, expected) => {
    const exchanges = Array<Exchange>(count).fill(wrong);
    const text = shown([resultOf('a/b', 'required', broken('wrong', ...exchanges))]);
    expect(text.match(/^ {5}\*?> /gm)).toHaveLength(3);
    expect(/\(.* more in report\.json\)/.exec(text)?.[0]).toBe(expected);
  });

  test.each([
    ['Failures', EACH],
    ['Warnings', EACH],
    ['Not decided', EACH],
  ])('has a section %s only where there is something in it', (title, results) => {
    expect(shown(results)).toContain(`\n${title}\n`);
    expect(shown(EACH.slice(0, 1))).not.toContain(title);
  });

  test('tells what could not be decided once for each cause', () => {
    const ids = ['a/1', 'a/2', 'a/3', 'b/4', 'b/5'];
    const errors = ids.map((id) =>
      resultOf(id, 'required', undecided('failure', 'the login was refused', wrong)),
    );
    const others = ['c/6', 'c/7', 'c/8', 'c/9'].map((id) =>
      resultOf(id, 'required', undecided('failure', 'the list cannot be read')),
    );
    const text = shown([...errors, ...others]);
    expect(text.split('\nthe login was refused')).toHaveLength(2);
    expect(text).toContain(
      [
        'the login was refused',
        '     a/1, a/2, a/3 and 2 more',
        '     *> POST https://target.test/api/v2/tagging  {"name":"a"}',
        '     *< 201 application/json  {"message":"made"}',
      ].join('\n'),
    );
    expect(text).toContain('the list cannot be read\n     c/6, c/7, c/8, c/9\n\n');
  });
});

describe('the end of a run', () => {
  test('has a failure with both sides, the rule, the exchange and the usual cause', () => {
    expect(brief(EACH)).toContain(
      [
        'FAIL create/fails (4.2 create, derived)',
        '   Answered 201, not 200.',
        '  *> POST /api/v2/tagging {"name":"a"}',
        '  *< 201 {"message":"made"}',
        '   Expected: 200 {"tagging":{"name":"a","tag_id":"<string>"}}',
        '   Rule: It is so (create/fails).',
      ].join('\n'),
    );
  });

  test('has its parts in order', () => {
    const residue = [{ name: 'ctghi', state: 'may be left', why: 'no answer came' }] as const;
    const text = brief(EACH, { residue });
    const parts = [
      'non-conforming, partial, 1 tag of this run may be left',
      'FAIL create/fails ',
      '   Not decided because of it: tokens/error',
      'Not tested: 1 ',
      'May be left on the target',
      'Warnings\n   create/warns: answered late\n   list/doubtful: answered oddly\n',
      'Reports: ',
    ];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(text).not.toContain('section  ');
    expect(text).not.toContain('The answer is');
  });

  test.each([60, 100])('keeps to %i columns', (columns) => {
    const address = 'x'.repeat(150);
    const residue = [{ name: address, state: 'left', why: 'it is still listed' }] as const;
    const results = [
      ...EACH,
      resultOf('update/long', 'required', broken(`answered "${address}" in many words `.repeat(5), wrong)),
    ];
    const text = terminalReport(reportOf(results, { residue }), ['reports/a', address], {
      ...showing,
      columns,
    });
    expect(text.split('\n').filter((line) => [...line].length > columns)).toEqual([]);
  });

  test('has details for the first causes, and one sentence for each of the others', () => {
    const results = ['create', 'update', 'list', 'delete', 'login'].map((topic, at) =>
      resultOf(`${topic}/x`, 'required', broken(`answered 20${at}, not 200`)),
    );
    const text = brief(results);
    expect(text.match(/Rule: /g)).toHaveLength(3);
    expect(text).toContain('FAIL delete/x: answered 203, not 200\n');
    expect(text).toMatch(/^non-conforming, by login\/x, create\/x, update\/x, list\/x and 1 more: /);
  });

  test('names what could not be decided for a reason of its own', () => {
    expect(brief(EACH.slice(-1))).toContain('Not decided\n   tokens/error: the login was refused\n');
  });

  test('tells a fault of the suite from one of the target', () => {
    const text = brief(EACH, { fault: new Error('something of ours') });
    expect(text).toMatch(
      /A fault of the suite\n.*defect of the suite, not of the target.*\n.*something of ours/,
    );
  });

  test('tells what is left on the target, how to remove it, and what may be left', () => {
    const residue = [
      { name: 'ctghi', state: 'may be left', why: 'no answer came' },
      { name: 'ctabc', tag_id: '7', state: 'left', why: 'it is still listed', curl: 'curl -X DELETE' },
      { name: 'ctdef', state: 'left', why: 'the target is gone' },
    ] as const;
    const text = brief(EACH.slice(0, 1), { residue });
    expect(text).toContain(
      [
        'Left on the target: 2 tags of this run',
        '   "ctabc" (7): it is still listed',
        '   curl -X DELETE',
        '   "ctdef": the target is gone',
        '',
        'May be left on the target: 1 tag of this run',
        '   "ctghi": no answer came',
      ].join('\n'),
    );
    expect(text.split('\n\n')[0]?.replaceAll('\n  ', ' ')).toMatch(
      /^inconclusive, 2 tags of this run left on the target, 1 tag of this run may be left on the target: https/,
    );
  });

  test.each<[string, Parameters<typeof reportOf>, RegExp]>([
    [
      'conforming',
      [[resultOf('a/b', 'required', holds())]],
      /^conforming: https:\/\/target\.test\n\n0 requests, 1\.2 s, effort standard, seed a seed\nReports: reports\/report\.json\n$/,
    ],
    ['partial', [[...EACH.slice(0, 1), ...EACH.slice(6, 7)]], /^conforming, partial: https/],
    [
      'partial, because no budget was left',
      [
        [
          ...EACH.slice(0, 1),
          ...['a/1', 'a/2'].map((id) => resultOf(id, 'required', undecided('budget', 'no logins'))),
        ],
      ],
      /^conforming, partial: https[^]*\nNot tested: 2 required or derived requirements\n {3}a\/1, a\/2: no logins\n/,
    ],
    [
      'inconclusive, because no budget was left for many',
      [
        [
          ...EACH.slice(0, 1),
          ...Array.from({ length: 14 }, (_, at) =>
            resultOf(`a/${at}`, 'required', undecided('budget', 'no logins')),
          ),
        ],
      ],
      /^inconclusive, partial, by a\/0, a\/1, a\/2, a\/3 and 10 more: https/,
    ],
    ['cut short', [EACH, { ended: 'cut short' }], /^non-conforming, partial \(cut short\), by /],
    ['about nothing', [[]], /^inconclusive: https/],
  ])('begins with the verdict: %s', (_what, parts, expected) => {
    expect(brief(...parts)).toMatch(expected);
  });

  test('says how long the target made it wait', () => {
    const report = reportOf(EACH);
    const waiting = { ...report, traffic: { ...report.traffic, waitedMs: 2_500 } };
    expect(terminalReport(waiting, [], showing)).toContain(
      '1.2 s, 2.5 s spent waiting as the target asked, effort',
    );
    expect(brief(EACH)).not.toContain('waiting');
  });

  test('is coloured where the terminal is', () => {
    const colors = pc.createColors(true);
    const text = terminalReport(reportOf(EACH), [], { ...verbose, colors });
    expect(text).toContain(colors.red('FAIL'));
    expect(text).toContain(colors.dim('       ·'));
    expect(text).toContain(colors.cyan('       1'));
    expect(text).toContain(colors.bold(colors.red('non-conforming')));
    const others = [EACH.slice(0, 1), []].map((results) =>
      terminalReport(reportOf(results), [], { ...showing, colors }),
    );
    expect(others[0]).toContain(colors.bold(colors.green('conforming')));
    expect(others[1]).toContain(colors.bold(colors.yellow('inconclusive')));
    expect(shown(EACH)).not.toContain('\u001B');
  });
});

describe('what the target says', () => {
  const hostile = '\u001B[2J\u009B31m\u0007\u202E\r';
  const failing = (...parts: Parameters<typeof exchangeOf>): Result[] => [
    resultOf('a/b', 'required', broken('wrong', exchangeOf(...parts))),
  ];

  test.each<[string, Parameters<typeof reportOf>]>([
    ['in a body', [failing(answerOf(500, hostile))]],
    ['in a header', [failing(answerOf(500, '', [['content-type', hostile]]))]],
    ['in place of an answer', [failing(failure('malformed', hostile))]],
    ['in a reason', [[resultOf('a/b', 'required', broken(hostile))]]],
    ['in what kept something from being decided', [[resultOf('a/b', 'open', undecided('failure', hostile))]]],
    ['in what stood in the way', [EACH, { obstacle: { step: 'list', why: hostile, exchanges: [] } }]],
    [
      'in the id of what is left',
      [EACH, { residue: [{ name: hostile, tag_id: hostile, state: 'left', why: hostile }] }],
    ],
    ['in a slip', [EACH, { obstacle: { step: 'list', why: '', slip: hostile, exchanges: [] } }]],
    ['in a fault', [EACH, { fault: new Error(hostile) }]],
  ])('never reaches the terminal as an escape sequence: %s', (_where, parts) => {
    expect(shown(...parts)).not.toMatch(/[^\P{C}\n]/u);
  });
});

describe('a line of progress', () => {
  test.each([
    ['pass', 'pass  a/b'],
    ['fail', 'FAIL  a/b'],
    ['error', 'ERROR a/b'],
    ['inapplicable', 'n/a   a/b'],
  ] as const)('tells the verdict %s', (verdict, expected) => {
    expect(progressLine({ id: 'a/b', verdict }, plain)).toBe(expected);
  });
});
