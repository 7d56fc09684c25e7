import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { evidence, type Evidence } from '../judging/evidence.ts';
import { Masker } from '../judging/masker.ts';
import { caseLine, inBrief, repeatLines } from './brief.ts';

const shown = (...parts: Parameters<typeof exchangeOf>): Evidence =>
  evidence(exchangeOf(...parts), new URL('https://target.test/tenant/'), new Masker(), () => false);

const CREATE = { operation: 'create', method: 'POST', body: '{"name":"own tag"}' } as const;

describe('an exchange in brief', () => {
  test('shows the request and the answer', () => {
    const answer = answerOf(200, { done: true }, [['content-type', 'application/json']]);
    expect(inBrief(shown(answer, CREATE))).toEqual([
      'POST https://target.test/tenant/api/v2/tagging  {"name":"own tag"}',
      '200 application/json  {"done":true}',
    ]);
    const malformed = { ...failure('malformed', 'no HTTP'), bytes: Buffer.from('hello\n') };
    expect(inBrief(shown(malformed))[1]).toBe('no HTTP  hello\\n');
    expect(inBrief(shown(failure('timeout', 'nothing came')))).toEqual([
      'GET https://target.test/tenant/api/v2/tagging',
      'nothing came',
    ]);
  });

  test('is cut, with the length stated', () => {
    const [, came] = inBrief(shown(answerOf(500, 'x'.repeat(400))));
    expect(came).toMatch(/^500 {2}x{290,300}… \(\d+ characters\)$/);
  });

  test('is harmless for a terminal', () => {
    const hostile = '\u001B[2J\u009B1m\u202E\u0007';
    const answer = answerOf(200, hostile, [['content-type', `text/html${hostile}`]]);
    const text = inBrief(shown(answer, { ...CREATE, body: hostile })).join('\n');
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(inBrief(shown(failure('malformed', hostile))).join('\n')).not.toMatch(/[^\P{C}\n]/u);
  });
});

describe('the lines that repeat a request', () => {
  test('are only the command if it holds the whole request', () => {
    const seen = shown(answerOf(200), CREATE);
    expect(repeatLines(seen)).toEqual([seen.curl]);
  });

  test('say what a file that the command sends holds, and how to make it', () => {
    const [command, note] = repeatLines(shown(answerOf(200), { ...CREATE, body: 'x'.repeat(5_000) }, 7));
    expect(command).toMatch(/ --data-binary @body-7\.bin$/);
    expect(note).toMatch(
      /^\(body-7\.bin is no part of the report: 5000 bytes, SHA-256 [\da-f]{64}; to make it: .+ > body-7\.bin\)$/,
    );
  });
});

test('a case says whether a smaller one may be found', () => {
  const example = { told: 'a name of blanks', path: '0:1', repeat: 'npm start' };
  expect(caseLine(example)).toBe('The smallest case found: a name of blanks');
  expect(caseLine({ ...example, isCutShort: true })).toBe(
    'The smallest case found before the search reached its limit: a name of blanks',
  );
});
