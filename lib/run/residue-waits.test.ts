import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { removeAll } from './residue.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

/** How long the target may still carry out a create that it has not answered, in milliseconds. */
const WAIT_MS = 200;

/** Timers may end a little early. */
const INACCURACY_MS = 5;

/**
 * How long after a create without an answer the run first looks for it, in milliseconds.
 *
 * @param seconds the lifetime of the token.
 */
async function firstLookAfterMs(seconds: number): Promise<number> {
  const target = new FakeTarget();
  const claims = Buffer.from(JSON.stringify({ iat: 0, exp: seconds })).toString('base64url');
  let created = 0;
  let looked = 0;
  target.instead = ({ method, path }) => {
    if (path.endsWith('login')) return answerOf(200, { access_token: `e30.${claims}.e30` });
    if (method === 'POST') {
      created = performance.now();
      return failure();
    }
    looked ||= performance.now();
    return undefined;
  };
  const { session } = sessionWith(target, { timeoutMs: WAIT_MS });
  const name = session.names.plain();
  await session.first.create({ name }, [name]);
  expect(await removeAll(session.first, session)).toEqual([]);
  return looked - created;
}

describe('the wait for a create without an answer', () => {
  test('comes before the first look if the token may have ended: the next login may be the last one', async () => {
    expect(await firstLookAfterMs(0.1)).toBeGreaterThanOrEqual(WAIT_MS - INACCURACY_MS);
  });

  test('comes after the first look if the token lasts, because tags can be removed meanwhile', async () => {
    expect(await firstLookAfterMs(3_600)).toBeLessThan(WAIT_MS - INACCURACY_MS);
  });
});
