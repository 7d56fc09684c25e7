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
