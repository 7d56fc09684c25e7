import { expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import { Tokens } from './tokens.ts';

/** A JWT that states this lifetime, in seconds. */
function jwt(lifetime: number): Secret {
  const claims = JSON.stringify({ iat: 1_000_000, exp: 1_000_000 + lifetime });
  return new Secret(`e30.${Buffer.from(claims).toString('base64url')}.c2ln`, '$TOKEN');
}

test.each([
  ['end during a run if one says that it lives for seconds', jwt(6), true],
  ['last for a run if they live for an hour', jwt(3_600), false],
  ['last for a run if they say nothing and none has ended', new Secret('opaque', '$TOKEN'), false],
])('Tokens %s.', (_, token, endSoon) => {
  const tokens = new Tokens();
  tokens.add(token, { at: performance.now(), scopes: ['api'], loginNumber: 1, isReplaced: false });
  expect(tokens.endSoon).toBe(endSoon);
});
