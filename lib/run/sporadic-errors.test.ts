import { describe, expect, test } from 'vitest';
import { Signs, SIGNS } from '../account/signs.ts';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Ask, Exchange } from '../http/exchange.ts';
import { SporadicErrors } from './sporadic-errors.ts';

const TAG = { path: '/api/v2/tagging/7' };
const naming = (letter: string): string => JSON.stringify({ name: letter.repeat(14) });

/** A request of each kind; `at` makes a new one of it. */
const REQUESTS: Readonly<Record<string, (at: number) => Partial<Ask>>> = {
  'create-error': (at) => ({
    operation: 'create',
    method: 'POST',
    body: naming(String.fromCharCode(97 + at)),
  }),
  'update-error': (at) => ({
    ...TAG,
    operation: 'rename',
    method: 'PUT',
    body: naming(String.fromCharCode(97 + at)),
  }),
  'delete-error': () => ({ ...TAG, operation: 'delete', method: 'DELETE' }),
  'list-error': () => ({}),
  'filter-error': () => ({ path: '/api/v2/tagging?tag=abc' }),
};

/** Requests of one kind: every other one is answered 500, or with this answer. */
function alternating(kind: keyof typeof REQUESTS, change: Partial<Exchange> = {}): readonly Exchange[] {
  return Array.from({ length: 7 }, (_, at) => {
    const parts = REQUESTS[kind]?.(at) ?? {};
    return at % 2 === 0
      ? exchangeOf(answerOf(200), parts, at)
      : { ...exchangeOf(answerOf(500), parts, at), ...change };
  });
}

/** The signs that these exchanges are, by their number. */
function signsOf(exchanges: readonly Exchange[]): Record<string, number> {
  const [errors, signs] = [new SporadicErrors(), new Signs()];
  for (const exchange of exchanges) {
    errors.ended(exchange);
    if (exchange.answer !== undefined) errors.heard(exchange);
  }
  errors.conclude(signs);
  return Object.fromEntries(
    SIGNS.map((sign) => [sign, signs.of(sign).length] as const).filter(([, count]) => count > 0),
  );
}

describe('plain requests that fail now and then', () => {
  test.each(Object.keys(REQUESTS))('are a sign: %s', (kind) => {
    expect(signsOf(alternating(kind))).toEqual({ [kind]: 3 });
  });

  test.each<[what: string, exchanges: readonly Exchange[]]>([
    ['there are two of them', alternating('list-error').slice(0, 5)],
    [
      'they come in a row',
      alternating('list-error').toSorted((one, other) => (one.number % 2) - (other.number % 2)),
    ],
    ['others overlap them', alternating('list-error', { beside: 1 })],
    ['they are of an outage', alternating('list-error', { inOutage: true })],
    ['a gateway answers', alternating('list-error', { answer: answerOf(502) })],
    [
      'they are unusual',
      alternating('list-error').map((one) => ({ ...one, ask: { ...one.ask, regular: false } })),
    ],
    [
      'the filter is unusual',
      alternating('list-error').map((one) => ({ ...one, ask: { ...one.ask, path: '?tag=%00' } })),
    ],
    [
      'the name was sent before',
      alternating('create-error').map((one) => ({ ...one, ask: { ...one.ask, body: naming('a') } })),
    ],
    ['a request timed out before', [exchangeOf(failure('timeout')), ...alternating('list-error')]],
  ])('are none if %s', (_what, exchanges) => {
    expect(signsOf(exchanges)).toEqual({});
  });
});
