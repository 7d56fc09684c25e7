import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { bodies } from '../spec/bodies.ts';
import { mismatch, refuses, succeeds } from './matching.ts';
import { broken, holds } from '../outcome.ts';

const good = exchangeOf(answerOf(200, { message: 'done' }), { operation: 'delete' });

describe('an answer', () => {
  test.each([
    ['with the status and the form', answerOf(200, { message: 'done' })],
    ['with more members', answerOf(200, { message: 'done', more: 1 })],
    ['that can be read in spite of a byte order mark', answerOf(200, '\uFEFF{"message":"done"}')],
  ])('%s is as it should be', (_what, answer) => {
    expect(mismatch(exchangeOf(answer), 200, bodies.message)).toBeUndefined();
  });

  test.each([
    ['another status', answerOf(201, { message: 'done' }), 'answered 201, not 200'],
    ['no answer at all', failure('timeout', 'nothing came'), 'gave no answer: nothing came, not 200'],
    ['no JSON', answerOf(200, '<html>'), 'answered 200, but the body is not well-formed JSON'],
    ['no body', answerOf(200, ''), 'answered 200, but the body is empty'],
    ['another form', answerOf(200, { message: 1 }), 'answered 200, but message is a number, not a string'],
    ['a body of null', answerOf(200, 'null'), 'answered 200, but the body is null, not an object'],
  ])('is not as it should be where it has %s, and both sides are told', (_what, came, why) => {
    expect(mismatch(exchangeOf(came), 200, bodies.message)).toBe(why);
  });

  test('may have any body if no form is expected', () => {
    expect(mismatch(exchangeOf(answerOf(404, '<html>')), 404)).toBeUndefined();
    expect(mismatch(exchangeOf(answerOf(404, '<html>')), 400)).toBe('answered 404, not 400');
  });
});

describe('a success', () => {
  test('is a 200 with a body of the form', () => {
    expect(succeeds(good)).toEqual(holds());
  });

  test('is nothing else, and the finding has the exchange', () => {
    const exchange = exchangeOf(answerOf(204, ''));
    expect(succeeds(exchange)).toEqual(broken('answered 204, not 200', exchange));
  });
});

describe('a refusal', () => {
  test('has the status and the form', () => {
    const refused = exchangeOf(answerOf(404, { message: 'none' }));
    expect(refuses({ accepted: good, refused }, 404, bodies.message)).toEqual(holds());
  });

  test('is nothing else, and the finding has it beside its accepted twin', () => {
    const refused = exchangeOf(answerOf(404, {}));
    expect(refuses({ accepted: good, refused }, 404, bodies.message)).toEqual(
      broken('answered 404, but message is missing', refused, good),
    );
  });
});
