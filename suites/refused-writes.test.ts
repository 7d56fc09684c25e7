import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../lib/http/exchange.test.double.ts';
import type { Exchange } from '../lib/http/exchange.ts';
import { anonymousEffect } from './refused-writes.ts';

const tag = { tagId: '7', name: 'old' };
const PATH = '/api/v2/tagging/7';
const list = exchangeOf(answerOf(200), { operation: 'list', path: '/api/v2/tagging' });
const updated = (status: number): Exchange =>
  exchangeOf(answerOf(status), { operation: 'rename', method: 'PUT', path: PATH });
const deleted = (status: number): Exchange =>
  exchangeOf(answerOf(status), { operation: 'delete', method: 'DELETE', path: PATH });

/** The finding about writes with these answers, after which lists show the tag with this name, if any. */
function findingOf(
  { update, remove, isAnonymous = true }: { update: number; remove: number; isAnonymous?: boolean },
  now: string | undefined,
): string | undefined {
  const writes = {
    what: 'somehow',
    isAnonymous,
    name: 'new',
    update: updated(update),
    remove: deleted(remove),
  };
  const entries = now === undefined ? [] : [{ tagId: '7', name: now }];
  const outcome = anonymousEffect(tag, { sent: [writes], effect: { entries, exchanges: [list] } });
  return outcome?.kind === 'broken' ? outcome.why : undefined;
}

test('A write without a token that was confirmed and carried out is a finding.', () => {
  expect(findingOf({ update: 200, remove: 401 }, 'new')).toBe(
    'an update without a token answered 200, and the tag is now named "new"',
  );
  expect(findingOf({ update: 401, remove: 200 }, undefined)).toBe(
    'a delete without a token answered 200, and the tag is gone',
  );
});

test.each([
  ['was refused, and may be carried out by somebody else', { update: 401, remove: 401 }, undefined],
  ['was sent with a token', { update: 200, remove: 401, isAnonymous: false }, 'new'],
])('A write that %s is none.', (_what, writes, now) => {
  expect(findingOf(writes, now)).toBeUndefined();
});

test('Writes without effect are none.', () => {
  expect(anonymousEffect(tag, { sent: [] })).toBeUndefined();
});
