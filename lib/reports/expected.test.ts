import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { broken } from '../outcome.ts';
import { reportOf, resultOf } from './report.test.double.ts';

const PATH = '/api/v2/tagging';
const create = { operation: 'create', method: 'POST', path: PATH, body: '{"name":"a"}' } as const;
const list = { operation: 'list', method: 'GET', path: PATH } as const;
const remove = { operation: 'delete', method: 'DELETE', path: `${PATH}/7` } as const;

test.each([
  ['answered 201, not 200', create, 201, '200 {"tagging":{"name":"a","tag_id":"<string>"}}'],
  ['answered 200, but tag_id is missing', create, 200, '200 {"tagging":{"name":"a","tag_id":"<string>"}}'],
  [
    'answered 500, not 422',
    create,
    500,
    '422 {"message":"The given data was invalid.","errors":{"name":["<string>"]}}',
  ],
  ['answered 410, not 404', remove, 410, '404 {"message":"<string>"}'],
  ['answered 200 without a token', list, 200, 'a refusal, such as 400 to 499, without effect'],
  ['answered 200, but Content-Type names text/html, not JSON', list, 200, 'Content-Type: application/json'],
  ['answered 401 without a token, yet the tag is gone', remove, 401, undefined],
  ['the tag is listed with the name "a", not "b"', list, 200, undefined],
  ['answered without Cache-Control', list, 200, 'Cache-Control: no-store'],
  ['the list leaves out the tag, to a request with Cache-Control: no-cache', list, 200, undefined],
])('a finding tells what was expected: %s', (why, ask, status, expected) => {
  const report = reportOf([resultOf('a/b', 'required', broken(why, exchangeOf(answerOf(status), ask)))]);
  expect(report.requirements[0]?.expected).toBe(expected);
});
