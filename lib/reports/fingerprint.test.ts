import { expect, test } from 'vitest';
import { observed, undecided } from '../outcome.ts';
import { fingerprintText, nested } from './fingerprint.ts';
import { reportOf, resultOf } from './report.test.double.ts';

const answer = (value: unknown): ReturnType<typeof observed> => observed({ answer: value, exchanges: [] });

test('a fingerprint is the same text in whatever order the answers came', () => {
  const results = [
    resultOf('z/last', 'open', answer({ b: 1, a: { d: [2, 1], c: 0 } })),
    resultOf('a/second', 'open', answer('x')),
    resultOf('a/first', 'open', answer(null)),
    resultOf('m/none', 'open', undecided('failure', 'why')),
    resultOf('m/choice', 'open', undecided('choice', 'why')),
  ];
  const text = fingerprintText(reportOf(results).fingerprint);
  expect(fingerprintText(reportOf(results.toReversed()).fingerprint)).toBe(text);
  expect(JSON.stringify(JSON.parse(text))).toBe(
    '{"answers":{"a":{"first":null,"second":"x"},"z":{"last":{"a":{"c":0,"d":[2,1]},"b":1}}},"unanswered":{"m.choice":"inapplicable","m.none":"error"}}',
  );
});

test('keys with a dot are nested', () => {
  expect(
    nested([
      ['filter.match', 1],
      ['b', 2],
      ['filter.case', 3],
    ]),
  ).toEqual({ b: 2, filter: { case: 3, match: 1 } });
});
