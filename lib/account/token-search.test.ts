import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { tokensWithin } from './token-search.ts';

test.each([
  ['a token as it is', '{"access_token":"token-of-somebody"}', 'token-of-somebody'],
  ['a token without its escapes', '{"access_token":"token-of-somebody\\n"}', 'token-of-somebody\n'],
  ['a token in an object', '{"access_token":{"value":["token-of-somebody"]}}', 'token-of-somebody'],
  ['a token whose end is missing', '{"access_token":"token-of-some\\', 'token-of-some\\'],
])('A login is searched for %s.', (_, body, token) => {
  expect(tokensWithin(exchangeOf(answerOf(200, body), { operation: 'login' }))).toContain(token);
});

describe('An answer to another request than a login', () => {
  const found = (body: string): readonly string[] => [
    ...tokensWithin(exchangeOf(answerOf(200, body), { operation: 'list' })),
  ];

  test.each([
    ['a member', '{"access_token":"token-of-somebody"}'],
    ['a member whose end is missing', '{ "access_token" : "token-of-somebody'],
    ['a member in a string', String.raw`{"message":"{\"access_token\":\"token-of-somebody\"}"}`],
  ])('is searched for %s.', (_, body) =>
    expect(found(body).map((token) => token.replace('\\', ''))).toEqual(['token-of-somebody']),
  );

  test.each([
    '{"message":"access_token: unbelievably-expired"}',
    '{"access_token":"missing"}',
    '{"errors":{"access_token":["An access_token is missing."]}}',
    '{"data":[{"name":"some-letters.more-letters.and-a-third"}]}',
  ])('gives no token by %s.', (body) => expect(found(body)).toEqual([]));
});
