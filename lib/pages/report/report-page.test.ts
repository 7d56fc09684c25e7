import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../../http/exchange.test.double.ts';
import { broken, observed, undecided } from '../../outcome.ts';
import { EACH, knownReport, reportOf, resultOf } from '../../reports/report.test.double.ts';
import type { Report } from '../../reports/report.ts';
import { reportPage } from './report-page.tsx';

const HOSTILE = '</pre></script><script>alert(1)</script>"\'<img src=x onerror=alert(1)>\u001B[2J\u202E';

const course: Report['course'] = {
  sliceMs: 10,
  slices: [
    { sent: { login: 1, create: 2 }, slowestMs: 5, troubled: 0 },
    { sent: {}, slowestMs: 0, troubled: 0 },
    { sent: { list: 3 }, slowestMs: 40, troubled: 1 },
  ],
  pauses: [{ fromMs: 8, ms: 12, status: 429 }],
  slowest: [{ number: 4, operation: 'rename', status: 0, fromMs: 20, ms: 40 }],
};

const textOf = (html: string): string =>
  html
    .replace(/<style>[^]*?<\/style>|<script>[^]*?<\/script>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the page of a report', () => {
  const html = reportPage({ ...reportOf(EACH), course });

  test('has its parts in the order in which people need them', () => {
    const headings = [...html.matchAll(/<h[12](?: id="(\w+)")?>([^<]*)/g)].map(([, id, text]) => id ?? text);
    expect(headings).toEqual([
      'https://target.test does not conform (partial)',
      'causes',
      'untested',
      'scopes',
      'observations',
      'requirements',
      'traffic',
      'residue',
      'settings',
    ]);
  });

  test('shows a cause with what was expected, what came, the exchange and how to see it again', () => {
    const card = textOf(html.slice(html.indexOf('<article'), html.indexOf('</article>')));
    for (const part of [
      'Answered 201, not 200.',
      'Expected 200 {&quot;tagging&quot;:{&quot;name&quot;:&quot;a&quot;',
      'Actual 201 application/json {&quot;message&quot;:&quot;made&quot;}',
      'Why it follows from the specification: It follows.',
      'Not decided because of it: tokens/error',
      'Exchange 4, which decides: POST answered 201',
      'repeat reports/report.json create/fails',
      '#!/bin/sh',
    ])
      expect(card).toContain(part);
  });

  test('has every requirement under an id of its own', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { requirement } of EACH) expect(ids).toContain(requirement.id);
  });

  test('says what is not tested, what was observed, and what the obstacle is', () => {
    const text = textOf(html);
    expect(text).toContain(
      'Left out: 1 requirement, 1 of them required or derived There is no second account.',
    );
    expect(text).toContain('The answer is {&quot;order&quot;:&quot;oldest&quot;}.');
    const obstacle = { step: 'log in' as const, why: 'the login answered 500', exchanges: [] };
    const stopped = textOf(
      reportPage(reportOf([resultOf('a/b', 'required', undecided('failure', 'x'))], { obstacle })),
    );
    expect(stopped).toContain('The run could not log in The login answered 500.');
  });

  test('separates known failures from causes, and shows mistakes in their list', () => {
    const text = textOf(reportPage(knownReport({ reason: 'the old gateway', until: '2030-01-31' })));
    expect(text).toContain(
      'Causes All failures are known. Known failures known.json accepts 1 of these failures.',
    );
    expect(text).toContain('create/fails : Known failure: the old gateway; accepted until 2030-01-31.');
    expect(reportPage(knownReport({ link: 'https://tickets.test/1?a=b&c' }))).toContain(
      '<a href="https://tickets.test/1?a=b&amp;c">https://tickets.test/1?a=b&amp;c</a>',
    );
    expect(text).toContain('The list is out of date, which fails the gate: list/old passes now.');
    expect(text).toContain('A list accepts 1 of the failures as known.');
  });

  test('names the product, who made the run, the settings without secrets, and the versions', () => {
    const text = textOf(
      reportPage({
        ...reportOf(EACH),
        product: { name: 'Tagger', version: '4.2' },
        operator: 'a certifier',
        settings: [
          { name: 'CONFORMANCE_USERNAME', value: 'first', from: 'environment' },
          { name: 'CONFORMANCE_PASSWORD', from: '.env file' },
        ],
        notAsked: [{ section: '5', says: 'The token is shown once.', why: 'nobody sees it from outside' }],
      }),
    );
    expect(text).toContain('Product Tagger 4.2');
    expect(text).toContain('By a certifier, with suite 1.2.3');
    expect(text).toContain('CONFORMANCE_USERNAME first environment CONFORMANCE_PASSWORD secret .env file');
    expect(text).toContain('Section 5: The token is shown once. Nobody sees it from outside.');
  });

  test('draws the traffic with its pauses', () => {
    expect(html).toContain(
      'Requests over 0.0 s: at most 3 in 10 ms; the slowest answer took 40 ms; 1 pauses.',
    );
    expect(textOf(html)).toContain('exchange operation at answered took 4 update 0.0 s not at all 40 ms');
    expect(reportPage(reportOf(EACH))).not.toContain('<figure');
  });

  test('shows which scope permits what', () => {
    const answer = { api: ['create', 'update', 'list', 'delete'], user: [], bank: 'no token' };
    const one = resultOf('open/scopes', 'open', observed({ answer, exchanges: [] }));
    const [requirement] = reportOf([one]).requirements;
    const text = textOf(
      reportPage({ ...reportOf([one]), requirements: [{ ...requirement!, key: 'scopes' }] }),
    );
    expect(text).toContain(
      'scope create update list delete api yes yes yes yes user no no no no bank no token',
    );
  });

  test('shows text of a target as text, wherever it stands', () => {
    const exchange = exchangeOf(answerOf(418, { message: HOSTILE }, [['x-note', HOSTILE]]));
    const hostile = reportPage({
      ...reportOf(
        [
          resultOf('a/b', 'required', broken(`it said ${HOSTILE}`, exchange)),
          resultOf('a/c', 'advisory', broken(HOSTILE, exchange)),
          resultOf(
            'a/d',
            'required',
            undecided('failure', HOSTILE, exchangeOf(failure('malformed', HOSTILE))),
          ),
        ],
        {
          residue: [{ name: HOSTILE, tag_id: HOSTILE, state: 'left', why: HOSTILE, curl: HOSTILE }],
          obstacle: { step: 'list', why: HOSTILE, slip: HOSTILE, exchanges: [exchange] },
          fault: new Error(HOSTILE),
        },
      ),
      target: HOSTILE,
      seed: HOSTILE,
    });
    expect(hostile.match(/<script/g)).toHaveLength(1);
    expect(hostile).not.toMatch(/<img|[^\P{C}\n\t]/u);
    expect(textOf(hostile)).toContain('&lt;img src=x onerror=alert(1)&gt;\\u001b[2J\\u202e');
  });
});
