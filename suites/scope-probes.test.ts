import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../lib/http/exchange.test.double.ts';
import { discloses } from './scope-probes.ts';

const TAG = { tagId: 'a/7', name: 'ctabcdefghijklmn' };

/** Whether the answer gives the tag away to a list that was filtered by its name. */
const told = (status: number, body: string): boolean =>
  discloses(exchangeOf(answerOf(status, body), { path: `/api/v2/tagging?tag=${TAG.name}` }), TAG);

test.each([
  ['as it is', `{"error":false,"tagging":[{"name":"${TAG.name}","tag_id":"a/7"}]}`],
  ['with its id escaped', `{"error":false,"tagging":[{"name":"${TAG.name}","tag_id":"a\\/7"}]}`],
  ['with its name escaped', '{"error":false,"tagging":[{"name":"\\u0063tabcdefghijklmn","tag_id":"a/7"}]}'],
])('A list gives a tag away %s.', (_how, body) => {
  expect(told(200, body)).toBe(true);
});

test('A refusal gives a tag away where it tells its id beside its name, and not where it repeats the filter.', () => {
  expect(told(401, `{"message":"no ${TAG.name} for you"}`)).toBe(false);
  expect(told(401, `{"message":"no ${TAG.name} (a/7) for you"}`)).toBe(true);
});
