import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../../lib/http/exchange.test.double.ts';
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
  [409, 'a warning'],
  [413, 'broken'],
])('What a long name that is refused with %i comes to: %s.', (status, expected) => {
  const outcome = acceptedOr422(exchangeOf(answerOf(status)), 'x'.repeat(101), 'create');
  const hasWarning = outcome.kind === 'holds' && outcome.warning !== undefined;
  expect(hasWarning ? 'a warning' : outcome.kind).toBe(expected);
});
