import { expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../../lib/http/exchange.test.double.ts';
import { acceptedOr422 } from './refused-name.ts';

test.each([
  [422, 'holds'],
  [402, 'a warning'],
  [403, 'a warning'],
  [507, 'a warning'],
  [400, 'broken'],
  [500, 'broken'],
  [409, 'broken'],
])('What a name that is refused with %i comes to: %s.', (status, expected) => {
  const outcome = acceptedOr422(exchangeOf(answerOf(status)), 'a name', 'create');
  const hasWarning = outcome.kind === 'holds' && outcome.warning !== undefined;
  expect(hasWarning ? 'a warning' : outcome.kind).toBe(expected);
});

test.each([
  ['a name', 'broken'],
  ['a name 漢é😀', 'broken'],
  ['a\u0000', 'a warning'],
  ["a' or 1=1", 'a warning'],
])('What the name %j comes to if the connection is closed: %s.', (name, expected) => {
  const outcome = acceptedOr422(exchangeOf(failure('closed')), name, 'create');
  const hasWarning = outcome.kind === 'holds' && outcome.warning !== undefined;
  expect(hasWarning ? 'a warning' : outcome.kind).toBe(expected);
});

test.each([
  [100, 'broken'],
  [1_001, 'a warning'],
])('What a body of %i bytes that is refused with 413 comes to: %s.', (length, expected) => {
  const ask = { operation: 'create', method: 'POST', path: '', body: 'x'.repeat(length) } as const;
  const outcome = acceptedOr422(exchangeOf(answerOf(413), ask), 'a name', 'create');
  const hasWarning = outcome.kind === 'holds' && outcome.warning !== undefined;
  expect(hasWarning ? 'a warning' : outcome.kind).toBe(expected);
});

test.each([
  [409, 'a warning'],
  [413, 'broken'],
])('What a long name that is refused with %i comes to: %s.', (status, expected) => {
  const outcome = acceptedOr422(exchangeOf(answerOf(status)), 'x'.repeat(101), 'create');
  const hasWarning = outcome.kind === 'holds' && outcome.warning !== undefined;
  expect(hasWarning ? 'a warning' : outcome.kind).toBe(expected);
});
