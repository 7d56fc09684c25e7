import pc from 'picocolors';
import { convert } from 'xmlbuilder2';
import { describe, expect, test } from 'vitest';
import type { KnownFailure } from '../known-failures/list.ts';
import { broken, holds, undecided } from '../outcome.ts';
import { junit } from './junit.ts';
import { reportOf, resultOf, wrong } from './report.test.double.ts';
import { reportSchema } from './schema.ts';
import { terminalReport } from './terminal.ts';

const failing = resultOf('create/fails', 'required', broken('answered 201, not 200', wrong));
const another = resultOf('list/fails', 'derived', broken('answered 500, not 200', wrong));
const passing = resultOf('create/passes', 'required', holds());

const run = (results: Parameters<typeof reportOf>[0], ...failures: KnownFailure[]) =>
  reportOf(results, { knownFailures: { file: 'known.json', failures } });

const shown = (report: ReturnType<typeof run>): string =>
  terminalReport(report, [], {
    columns: 200,
    colors: pc.createColors(false),
    isVerbose: false,
    command: 'npm start --',
  });

const ENTRY = {
  id: 'create/fails',
  reason: 'The gateway answers & changes it.',
  link: 'https://tracker.example.com/7',
  until: '2030-01-31',
} as const;

describe('a report of a run with a list of known failures', () => {
  test('keeps the verdict on the target, and has the exit code 0 if all failures are known', () => {
    const report = run([failing, passing], ENTRY);
    expect(report).toMatchObject({ verdict: 'non-conforming', exitCode: 0 });
    expect(report.knownFailures).toEqual({ file: 'known.json', known: ['create/fails'], problems: [] });
    expect(report.requirements[0]).toMatchObject({ verdict: 'fail', known: { reason: ENTRY.reason } });
    expect(reportSchema.strict().safeParse(report).success).toBe(true);
  });

  test.each<[number, string, readonly KnownFailure[]]>([
    [1, 'a failure is not listed', []],
    [1, 'an entry passes now', [ENTRY, { id: 'create/passes' }]],
    [1, 'an entry is past its date', [{ ...ENTRY, until: '1969-12-31' }]],
    [1, 'an entry names nothing', [ENTRY, { id: 'create/nothing' }]],
    [1, 'the finding is another one', [{ ...ENTRY, finding: 'answered 500' }]],
  ])('has the exit code %i where %s', (code, _what, failures) => {
    expect(run([failing, passing], ...failures).exitCode).toBe(code);
  });

  test('has the exit code that the rest of the run has', () => {
    const error = resultOf('tokens/error', 'required', undecided('failure', 'it went away'));
    expect(run([failing, another, passing], ENTRY).exitCode).toBe(1);
    expect(run([failing, passing, error], ENTRY).exitCode).toBe(3);
    const left = { name: 'a', state: 'left', why: 'it is listed' } as const;
    const list = { file: 'known.json', failures: [ENTRY] };
    expect(reportOf([failing, passing], { knownFailures: list, residue: [left] }).exitCode).toBe(3);
    expect(reportOf([failing, passing], { knownFailures: list, ended: 'interrupted' }).exitCode).toBe(130);
  });

  test('masks texts of the list', () => {
    const report = reportOf([failing], {
      knownFailures: { file: 'known.json', failures: [{ ...ENTRY, reason: 'hunter2-secret is refused' }] },
      secret: 'hunter2-secret',
    });
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });
});

describe('the terminal', () => {
  test('shows known failures separately, and the others as usual', () => {
    const text = shown(run([failing, another, passing], ENTRY));
    expect(text).toContain('non-conforming, 1 of 2 failures are known, by list/fails: https://target.test\n');
    expect(text).toContain(
      [
        'Known failures, which known.json accepts: 1',
        '   create/fails: answered 201, not 200',
        '     known failure: The gateway answers & changes it.; accepted until 2030-01-31; https://tracker.example.com/7',
      ].join('\n'),
    );
    expect(text).toContain('FAIL list/fails');
    expect(text).not.toContain('FAIL create/fails');
  });

  test('says in the verdict that all failures are known', () => {
    expect(shown(run([failing, passing], ENTRY))).toMatch(
      /^non-conforming, but all failures are known: https:\/\/target\.test\n/,
    );
  });

  test('has a sentence for each mistaken entry', () => {
    const text = shown(run([failing, passing], ENTRY, { id: 'create/passes' }));
    expect(text).toContain(
      'Mistakes in the list of known failures\n   create/passes does not fail any more (pass); remove it from known.json,',
    );
  });
});

describe('JUnit', () => {
  type Element = Readonly<Record<string, unknown>>;
  /** The last suite, and the whole document as text. */
  const read = (report: ReturnType<typeof run>): { readonly suite: unknown; readonly text: string } => {
    const object = convert({ encoding: 'UTF-8' }, junit(report), { format: 'object' });
    const { testsuite } = (object as { testsuites: { testsuite: Element | Element[] } }).testsuites;
    return { suite: [testsuite].flat().at(-1), text: JSON.stringify(testsuite) };
  };

  test('skips a known failure, with its reason', () => {
    const { suite, text } = read(run([failing, passing], ENTRY));
    expect(suite).toMatchObject({ '@tests': '2', '@failures': '0', '@skipped': '1' });
    expect(text).toContain(
      '"skipped":{"@message":"known failure: The gateway answers &amp; changes it.; accepted until 2030-01-31; https://tracker.example.com/7 (answered 201, not 200)"}',
    );
  });

  test('has a failure for a mistaken entry', () => {
    const { suite, text } = read(run([failing, passing], ENTRY, { id: 'create/passes' }));
    expect(suite).toMatchObject({ '@name': 'known failures', '@tests': '1', '@failures': '1' });
    expect(text).toContain('"@name":"create/passes: passes now"');
  });
});
