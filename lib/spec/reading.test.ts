import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { createdIn, listedIn } from './reading.ts';

describe('the tags in the answer to a list', () => {
  test.each([
    ['as they stand there', [{ tag_id: 'a', name: 'x' }], [{ tagId: 'a', name: 'x' }]],
    ['with numbers for ids too', [{ tag_id: 7, name: 'x' }], [{ tagId: '7', name: 'x' }]],
    ['with names of any kind', [{ tag_id: 'a' }], [{ tagId: 'a', name: undefined }]],
    ['without what is no tag', [null, 'a', {}, { tag_id: '' }, { tag_id: null }, []], []],
  ])('are read %s', (_how, tagging, expected) => {
    expect(listedIn(exchangeOf(answerOf(200, { tagging })))).toEqual(expected);
  });

  test.each([
    ['it was refused', answerOf(401, { tagging: [] })],
    ['there is none', failure()],
    ['it is no JSON', answerOf(200, '<html>')],
    ['it is null', answerOf(200, 'null')],
    ['it is another form', answerOf(200, { tagging: {} })],
    ['it is a bare array', answerOf(200, [])],
  ])('are not read where %s', (_what, came) => {
    expect(listedIn(exchangeOf(came))).toBeUndefined();
  });
});

describe('the tag in the answer to a create', () => {
  test.each([
    ['is read', answerOf(200, { tagging: { tag_id: 7, name: 'x' } }), { tagId: '7', name: 'x' }],
    ['is read whatever the success', answerOf(201, { tagging: { tag_id: 'a' } }), { tagId: 'a' }],
    ['is not read from a refusal', answerOf(422, { tagging: { tag_id: 'a', name: 'x' } }), undefined],
    ['is not read without an id', answerOf(200, { tagging: { name: 'x' } }), undefined],
    ['is not read from another form', answerOf(200, { tag_id: 'a', name: 'x' }), undefined],
  ])('%s', (_what, came, expected) => {
    expect(createdIn(exchangeOf(came))).toEqual(expected);
  });
});
