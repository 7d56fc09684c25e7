import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { broken, holds, undecided } from '../outcome.ts';
import { EACH, reportOf, resultOf, wrong } from './report.test.double.ts';
import { terminalReport, type Showing } from './terminal.ts';

const showing: Showing = {
  columns: 100,
  colors: pc.createColors(false),
  isVerbose: false,
  command: 'npm start --',
};
const brief = (...parts: Parameters<typeof reportOf>): string =>
  terminalReport(reportOf(...parts), ['reports/report.json'], showing);

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

  test('reports tags that were removed although no create had answered them', () => {
    const inventory = { before: 1, after: 1, gone: 0, changed: 0, addressed: 0, appeared: 0, copies: 2 };
    expect(brief(EACH, { inventory })).toContain('this run, 2 had a tag_id that no create answered.');
    expect(brief(EACH, { inventory: { ...inventory, copies: 0 } })).not.toContain('no create answered');
  });

  test('counts tags that nobody named', () => {
    const inventory = { before: 1, after: 4, gone: 0, changed: 0, addressed: 0, appeared: 3, copies: 0 };
    expect(brief(EACH, { inventory })).toContain('and that it did not name: 3.');
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

  test('has details of as many causes as fit on a screen, and one sentence for each other cause', () => {
    const topics = ['login', 'create', 'update', 'list', 'delete', 'token', 'scope', 'name'];
    const results = topics.map((topic, at) =>
      resultOf(`${topic}/x`, 'required', broken(`answered 20${at}, not 200`)),
    );
    const text = brief(results);
    const detailed = text.match(/Rule: /g)?.length ?? 0;
    expect(detailed).toBeGreaterThan(1);
    expect(detailed).toBeLessThan(topics.length);
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
    expect(text).toContain('FAIL name/x: answered 207, not 200\n');
    expect(text).toMatch(/^non-conforming, by login\/x, create\/x, update\/x, list\/x and 4 more: /);
  });

  test('fits on a screen, even with many causes of many words', () => {
    const results = Array.from({ length: 20 }, (_, at) =>
      resultOf(
        `scope/x${at}`,
        'required',
        broken(`answered 2${at}, ${'which is said in words '.repeat(at + 1)}`),
      ),
    );
    const lines = brief(results).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    const text = lines.join('\n');
    expect(text).toContain('FAIL scope/x3: answered 23, which is');
    expect(text).toMatch(
      /^Other causes, which the reports show: scope\/x\d+, scope\/x\d+, scope\/x\d+ and \d+ more$/m,
    );
    expect(text).toMatch(/^ {5}.* …$/m);
  });

  test('has fewer lines for the rest if the first cause fills the screen', () => {
    const many = 'answered in very many words '.repeat(60);
    const warnings = ['one', 'two', 'three'].map((name) =>
      resultOf(`name/${name}`, 'advisory', broken('answered late')),
    );
    const text = brief([resultOf('create/x', 'required', broken(many, wrong)), ...warnings]);
    expect(text).toContain('Warnings: name/one, name/two, name/three\n');
    expect(brief(warnings)).toContain('   name/three: answered late\n');
  });

  test('says why a run that conforms exits with 3', () => {
    const results = [...EACH.slice(0, 1), ...EACH.slice(6, 7)];
    expect(brief(results, { requireWhole: true }).replaceAll(/\s+/g, ' ')).toContain(
      'tokens/skipped: there is no second account The run exits with 3, because it was to be whole (--require-whole) and 1 requirement that counts was not tested.',
    );
    expect(brief(results)).not.toContain('exits with');
    expect(brief(EACH, { requireWhole: true })).not.toContain('exits with');
  });

  test('names undecided requirements that have a reason of their own', () => {
    expect(brief(EACH.slice(-1))).toContain('Not decided\n   tokens/error: the login was refused\n');
  });

  test('distinguishes a fault of the suite from one of the target', () => {
    const text = brief(EACH, { fault: new Error('something of ours') });
    expect(text).toMatch(
      /A fault of the suite\n.*defect of the suite, not of the target.*\n.*something of ours/,
    );
  });

  test('says what is left on the target, how to remove it, and what may be left', () => {
    const residue = [
      { name: 'ctghi', state: 'may be left', why: 'no answer came' },
      { name: 'ctabc', tag_id: '7', state: 'left', why: 'it is still listed' },
      { name: 'ctdef', state: 'left', why: 'the target is gone' },
    ] as const;
    const text = brief(EACH.slice(0, 1), { residue });
    expect(text).toContain(
      [
        'Left on the target: 2 tags of this run',
        '   "ctabc" (7): it is still listed',
        '   "ctdef": the target is gone',
        'May be left on the target: 1 tag of this run',
        '   "ctghi": no answer came',
        '   npm start -- sweep removes those that are certainly of this run, with the same settings.',
      ].join('\n'),
    );
    expect(text.split('\n\n')[0]?.replaceAll('\n  ', ' ')).toMatch(
      /^inconclusive, 2 tags of this run left on the target, 1 tag of this run may be left on the target: https/,
    );
  });

  test('tells how many requests were answered with a server error or not at all', () => {
    const report = reportOf(EACH);
    const slice = { sent: { list: 3 }, slowestMs: 1, troubled: 1 };
    const course = { sliceMs: 10, slices: [slice, { ...slice, troubled: 2 }], pauses: [], slowest: [] };
    expect(terminalReport({ ...report, course }, [], showing)).toContain(
      '0 requests, 3 of them answered 5xx or not at all, 1.2 s',
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

  test('does not name requirements without a budget as deciding if so few do not decide', () => {
    const unasked = ['a/1', 'a/2'].map((id) => resultOf(id, 'required', undecided('budget', 'no logins')));
    const residue = [{ name: 'ctabc', state: 'may be left' as const, why: 'no answer came' }];
    const [verdict = ''] = brief([...EACH.slice(0, 1), ...unasked], { residue }).split('\n\n');
    expect(verdict).toContain('inconclusive, partial, 1 tag of this run may be left on the target');
    expect(verdict).not.toContain('a/1');
  });

  test('says in one line what is left if the screen is full', () => {
    const residue = Array.from({ length: 20 }, (_, at) => ({
      name: `ct${at}`,
      state: 'left' as const,
      why: 'it is still listed',
    }));
    const unasked = Array.from({ length: 30 }, (_, at) =>
      resultOf(`a/${at}`, 'required', undecided('budget', `no ${at}`)),
    );
    const report = reportOf([...EACH, ...unasked], { residue });
    const text = terminalReport(report, ['reports/a', 'reports/b'], showing);
    expect(text).toContain(
      [
        'Left on the target: 20 tags of this run, such as "ct0": it is still listed',
        '   npm start -- sweep removes those that are certainly of this run, with the same settings.',
      ].join('\n'),
    );
    expect(text).toMatch(/\nReports in reports\n$/);
  });

  test('says how long the target made it wait', () => {
    const report = reportOf(EACH);
    const waiting = { ...report, traffic: { ...report.traffic, waitedMs: 2_500 } };
    expect(terminalReport(waiting, [], showing)).toContain(
      '1.2 s, 2.5 s spent waiting as the target asked, effort',
    );
    expect(brief(EACH)).not.toContain('waiting');
  });

  test('has colours if the terminal has', () => {
    const colors = pc.createColors(true);
    const text = terminalReport(reportOf(EACH), [], { ...showing, isVerbose: true, colors });
    expect(text).toContain(colors.red('FAIL'));
    expect(text).toContain(colors.dim('       ·'));
    expect(text).toContain(colors.cyan('       1'));
    expect(text).toContain(colors.bold(colors.red('non-conforming')));
    const others = [EACH.slice(0, 1), []].map((results) =>
      terminalReport(reportOf(results), [], { ...showing, colors }),
    );
    expect(others[0]).toContain(colors.bold(colors.green('conforming')));
    expect(others[1]).toContain(colors.bold(colors.yellow('inconclusive')));
    expect(brief(EACH)).not.toContain('\u001B');
  });
});
