import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { Masker } from '../judging/masker.ts';
import { Secret } from '../secret.ts';
import { concealTokens, tokensWithin } from './token-search.ts';

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

describe('The token of a request', () => {
  const token = 'reverse-of-a-long-token';
  const concealedIn = (sent: string): string => {
    const masker = new Masker();
    const headers = [['Authorization', new Secret(`Bearer ${sent}`, 'Bearer $TOKEN_REVERSED')]] as const;
    concealTokens(exchangeOf(answerOf(401, '{}'), { headers }), masker, ['somebody-with-a-long-name']);
    return masker.text(`echo of ${sent}`);
  };

  test('is a secret, because it may be an altered form of a valid one.', () =>
    expect(concealedIn(token)).toBe('echo of $TOKEN_REVERSED'));

  test.each(['somebody-with-a-long-name', 'null'])('is no secret if it is a username or a word: %s', (sent) =>
    expect(concealedIn(sent)).toBe(`echo of ${sent}`),
  );
});
