import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { broken, observed, undecided } from '../outcome.ts';
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
  test('have a row for each section and a column for each verdict that occurs', () => {
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

  test('show the answers to open questions: lists as a table, the rest as sentences', () => {
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

  test('come before the obstacle of the run', () => {
    const obstacle = { step: 'log in', why: 'it was refused', exchanges: [wrong] } as const;
    const text = shown(EACH.slice(4), { obstacle });
    expect(text).toContain(
      [
        'It was refused.',
        '   The preflight could not log in, and much of the rest follows from that.',
        '   > POST https://target.test/api/v2/tagging  {"name":"a"}',
        '   < 201 application/json  {"message":"made"}',
        '   curl -i -X POST ',
      ].join('\n'),
    );
    expect(text.indexOf('It was refused')).toBeGreaterThan(text.indexOf('Left open'));
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

  test('show one message if the tester seems to have made a mistake', () => {
    const skipped = resultOf('b/1', 'required', undecided('tester', 'no second account was given'));
    const idle = resultOf('b/2', 'open', observed({ answer: 'not met', exchanges: [] }));
    const text = shown([...waiting, skipped, idle], { obstacle });
    expect(text.replace(/curl -i [^\n]+/, 'curl')).toBe(
      [
        'inconclusive, partial: https://target.test',
        '',
        slip,
        '   The preflight could not log in, so nothing was decided.',
        '   > POST https://target.test/api/v2/auth/login  {"username":"someone"}',
        '   < 302 application/json  {"message":"These credentials are not right."}',
        '   curl',
        '',
        'Not decided',
        '   30 requirements, for the reason above',
        '',
        'Not tested: 1 required or derived requirement',
        '   b/1: no second account was given',
        '',
        '0 requests, 1.2 s, effort standard, seed a seed',
        'Reports: reports/report.json',
        '',
      ].join('\n'),
    );
    expect(reportOf(waiting, { obstacle })).toMatchObject({ exitCode: 3, obstacle: { slip } });
  });

  test('show a mistake of the tester once, if all requirements wait for it', () => {
    const results = ['a/1', 'a/2'].map((id) => resultOf(id, 'required', undecided('failure', slip)));
    const text = shown(results, { obstacle });
    expect(text.split(slip)).toHaveLength(2);
    expect(text).toContain('Not decided\n   2 requirements, for the reason above\n');
  });

  test('show one message, too, if something else is the obstacle of the whole run', () => {
    const { slip: _slip, ...rest } = obstacle;
    expect(shown(waiting, { obstacle: rest })).toMatch(
      /\n\nPOST .* answered 302\.\n {3}The preflight could not log in, so nothing was decided\.\n[^]*\n {3}What to do: npm start -- doctor\n/,
    );
  });

  test('hide no finding beside a mistake of the tester', () => {
    const text = shown([...waiting, ...EACH], { obstacle });
    expect(text).toContain('  4.2 create ');
    expect(text).toContain('FAIL create/fails (section 4.2, derived)');
    expect(text).toContain(
      'For the reason below: the preflight could not log in\n     a/0, a/1, a/2 and 27 more',
    );
    expect(text).toContain('the login was refused\n     tokens/error');
  });

  test('show a failure with both sides, the rule, and a command that repeats it', () => {
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

  test('keep the lines of a timeline apart', () => {
    const told = 'update tag 1 to B  |-----|  200\ndelete tag 1         |-|  404\nin the end: tag 1 is B';
    const finding = { ...broken('no order explains it', wrong), example: { told, path: '' } };
    const lines = [
      'The smallest case found:',
      '  update tag 1 to B  |-----|  200',
      '  delete tag 1         |-|  404',
      '  in the end: tag 1 is B',
    ];
    expect(brief([resultOf('a/b', 'derived', finding)])).toContain(
      lines.map((line) => `   ${line}`).join('\n'),
    );
  });

  test.each([
    [3, undefined],
    [4, '(1 more in report.json)'],
    [6, '(3 more in report.json)'],
  ])('shows three exchanges of a failure that has %i, and counts the others', (count, expected) => {
    const exchanges = Array.from({ length: count }, (): Exchange => ({ ...wrong }));
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

  test('show what could not be decided once for each cause', () => {
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
