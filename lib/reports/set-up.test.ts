import { expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { Masker } from '../judging/masker.ts';
import { type OwnTag, setUpOf } from './set-up.ts';

const PATH = '/api/v2/tagging';

const at = (startedAt: number, exchange: Exchange): Exchange => ({ ...exchange, startedAt });

/** An update of the tag 7 to a name, in the middle of a run. */
const update = (name: string): Exchange =>
  at(
    50,
    exchangeOf(answerOf(200, { message: 'done' }), {
      operation: 'rename',
      method: 'PUT',
      path: `${PATH}/7`,
      body: JSON.stringify({ name }),
    }),
  );

const tag = (name: string, parts: Partial<OwnTag> = {}): OwnTag => ({
  name,
  updates: [],
  isSecond: false,
  madeAt: 10,
  removedAt: undefined,
  ...parts,
});

const setUp = (exchanges: readonly Exchange[], tags: Readonly<Record<string, OwnTag>>): unknown =>
  setUpOf(exchanges, 'it is wrong', new Map(Object.entries(tags)), new Masker());

test('The set-up of an update has the tags that have, or had, the name that it gives.', () => {
  const exchanges = [update('taken')];
  expect(
    setUp(exchanges, {
      '7': tag('first'),
      '8': tag('taken'),
      '9': tag('other', { updates: [{ name: 'taken', sentAt: 20 }] }),
      '10': tag('taken', { removedAt: 30 }),
      '11': tag('else'),
    }),
  ).toEqual([
    { tag_id: '7', name: 'first' },
    { tag_id: '8', name: 'taken' },
    { tag_id: '9', name: 'other', updates: ['taken'] },
    { tag_id: '10', name: 'taken', gone: true },
  ]);
});

test('The set-up has the updates of a tag before the exchanges, also one to a name that the exchanges give again.', () => {
  const updates = [
    { name: 'other', sentAt: 20 },
    { name: 'again', sentAt: 30 },
    { name: 'again', sentAt: 50 },
  ];
  expect(setUp([update('again')], { '7': tag('first', { updates }) })).toEqual([
    { tag_id: '7', name: 'first', updates: ['other', 'again'] },
  ]);
});

test('A tag that the exchanges made, or that was made after them, is not of their set-up.', () => {
  const create = at(
    5,
    exchangeOf(answerOf(422), { operation: 'create', method: 'POST', path: PATH, body: '{"name":12}' }),
  );
  const lookup = at(6, exchangeOf(answerOf(200), { path: `${PATH}?tag=12` }));
  expect(setUp([create, lookup], { '7': tag('12') })).toEqual([]);
  expect(setUp([lookup], { '7': tag('12') })).toEqual([]);
  expect(setUp([lookup], { '7': tag('12', { madeAt: 1 }) })).toEqual([{ tag_id: '7', name: '12' }]);
});
