import { expect, test } from 'vitest';
import type { ReportedRequirement } from '../reports/schema.ts';
import { replayOf } from './replay.ts';

/** A finding about the list of the second account, which shows a tag with this tag_id. */
const foundIn = (shownId: string): ReportedRequirement => ({
  id: 'account/list-is-private',
  section: '1',
  level: 'derived',
  text: "The list of one account never shows another's tags.",
  verdict: 'fail',
  reason: 'the list of the second account shows the tag "ctabcdefghijkl" of the first',
  durationMs: 1,
  setUp: [
    { tag_id: '1', name: 'ctabcdefghijkl' },
    { tag_id: '2', name: 'ctabcdefghijkl', second: true },
  ],
  exchanges: [
    {
      number: 9,
      curl: '',
      decides: true,
      durationMs: 1,
      request: {
        method: 'GET',
        url: 'http://127.0.0.1/api/v2/tagging',
        headers: ['Authorization: Bearer $SECOND_TOKEN'],
      },
      answer: {
        status: 200,
        headers: [],
        bytes: 60,
        body: JSON.stringify({ error: false, tagging: [{ tag_id: shownId, name: 'ctabcdefghijkl' }] }),
      },
    },
  ],
});

test('A list that shows a tag of the other account can be repeated only if that tag is of the set-up.', () => {
  expect(replayOf(foundIn('1'))).toMatchObject({ judge: { kind: 'list' } });
  expect(replayOf(foundIn('2'))).toMatch('shows no tag that the other account made');
});

/** A finding of one filtered list, with the tags that it shows. */
const ofFilter = (reason: string, filter: string, ...shown: readonly string[]): ReportedRequirement => {
  const [exchange] = foundIn('1').exchanges;
  if (exchange === undefined) throw new Error('the finding has an exchange');
  const tagging = shown.map((name, at) => ({ tag_id: String(at), name }));
  return {
    ...foundIn('1'),
    reason,
    setUp: shown.map((name, at) => ({ tag_id: String(at), name })),
    exchanges: [
      {
        ...exchange,
        request: { ...exchange.request, url: `http://127.0.0.1/api/v2/tagging?tag=${filter}` },
        answer: { status: 200, headers: [], bytes: 60, body: JSON.stringify({ error: false, tagging }) },
      },
    ],
  };
};

test.each([
  ['the list without a filter leaves it out', 'ctabcdefghijkl', 'ctxyzabcdefghi', undefined],
  ['they begin alike', 'ctabcdefghijkl', 'ctabcxyzxyzxyz', 'ctabcdefghijkl'],
  ['they end alike', 'ctabcdefghijkl', 'ctxyzxyzxhijkl', 'ctabcdefghijkl'],
  ['they have the same letters', 'ctabcdefghijkl', 'lkjihgfedcbatc', 'ctabcdefghijkl'],
  ['a longer word begins alike', 'ctabcdefghijkl', 'CtAbCdEfGh', 'ctabcdefghijkl'],
  [
    'the filter by "ctabcdefghijkl" finds the tag named "x"',
    'ctabcdefghijkl',
    'ctxyzabcdefghi',
    'ctabcdefghijkl',
  ],
])(
  'A script keeps the names of the report only if its letters matter: %s.',
  (reason, filter, name, letters) => {
    const replay = replayOf(ofFilter(reason, filter, name));
    expect(typeof replay === 'string' ? replay : replay.names[0]?.letters).toBe(letters);
  },
);

test('There is no script for what shows only in an account with many tags, nor for a list that shows no tag of the case.', () => {
  const many = 'the list answered 500 while the account had many tags, and not with fewer';
  expect(replayOf(ofFilter(many, 'ctabcdefghijkl'))).toMatch('only in an account with many tags');
  const none = 'the list leaves out the tag, to a request with Accept-Encoding: gzip';
  expect(replayOf(ofFilter(none, 'x'))).toMatch('name no tag of the case');
});
