import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { tokensWithin } from './token-search.ts';

test.each([
  ['a token as it is', '{"access_token":"token-of-somebody"}', 'token-of-somebody'],
  ['a token without its escapes', '{"access_token":"token-of-somebody\\n"}', 'token-of-somebody\n'],
  ['a token whose end is missing', '{"access_token":"token-of-some\\', 'token-of-some\\'],
])('A login is searched for %s.', (_, body, token) => {
  expect(tokensWithin(exchangeOf(answerOf(200, body), { operation: 'login' }))).toContain(token);
});
