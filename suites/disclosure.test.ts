import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../lib/http/exchange.test.double.ts';
import { discloses } from './disclosure.ts';

const TAG = { tagId: 'a/7', name: 'ctabcdefghijklmn' };

/** Whether this answer to a list that is filtered by the tag's name discloses the tag. */
const isDisclosed = (status: number, body: string): boolean =>
  discloses(exchangeOf(answerOf(status, body), { path: `/api/v2/tagging?tag=${TAG.name}` }), TAG);

test.each([
  ['as it is', `{"error":false,"tagging":[{"name":"${TAG.name}","tag_id":"a/7"}]}`],
  ['with its id escaped', `{"error":false,"tagging":[{"name":"${TAG.name}","tag_id":"a\\/7"}]}`],
  ['with its name escaped', '{"error":false,"tagging":[{"name":"\\u0063tabcdefghijklmn","tag_id":"a/7"}]}'],
])('a list discloses a tag %s', (_how, body) => {
  expect(isDisclosed(200, body)).toBe(true);
});

test('a refusal discloses a tag if it holds its id beside its name, but not if it only repeats the filter', () => {
  expect(isDisclosed(401, `{"message":"no ${TAG.name} for you"}`)).toBe(false);
  expect(isDisclosed(401, `{"message":"no ${TAG.name} (a/7) for you"}`)).toBe(true);
});

test('a refusal that repeats the filter discloses no tag by a number that happens to be its id', () => {
  const tag = { ...TAG, tagId: '21' };
  const disclosed = (body: unknown): boolean =>
    discloses(
      exchangeOf(answerOf(401, JSON.stringify(body)), { path: `/api/v2/tagging?tag=${TAG.name}` }),
      tag,
    );
  expect(disclosed({ timestamp: '2026-11-21T19:21:01Z', code: 21, filter: TAG.name })).toBe(false);
  expect(disclosed({ detail: [{ id: 21, name: TAG.name }] })).toBe(true);
});

test('a refusal that repeats the path discloses no tag whose id in that path is a slug of its name', () => {
  const tag = { ...TAG, tagId: `${TAG.name}-7` };
  const disclosed = (body: unknown): boolean =>
    discloses(
      exchangeOf(answerOf(403, JSON.stringify(body)), { path: `/api/v2/tagging/${TAG.name}-7` }),
      tag,
    );
  expect(disclosed({ instance: `DELETE /api/v2/tagging/${TAG.name}-7` })).toBe(false);
  expect(disclosed({ tag_id: `${TAG.name}-7`, name: TAG.name })).toBe(true);
  expect(disclosed({ instance: `DELETE /api/v2/tagging/${TAG.name}-7`, owner: `of ${TAG.name}` })).toBe(true);
});
