import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { Result } from '../run/results.ts';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { broken, undecided } from '../outcome.ts';
import { EACH, reportOf, resultOf } from './report.test.double.ts';
import { terminalReport } from './terminal.ts';

const shown = (...parts: Parameters<typeof reportOf>): string =>
  terminalReport(reportOf(...parts), ['reports/report.json'], {
    columns: 100,
    colors: pc.createColors(false),
    isVerbose: true,
    command: 'npm start --',
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
