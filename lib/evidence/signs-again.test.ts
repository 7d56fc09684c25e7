import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { showsSign } from './signs-again.ts';

const PATH = '/api/v2/tagging';
const created = exchangeOf(answerOf(200, { tagging: { tag_id: '7', name: 'bcd' } }), {
  operation: 'create',
  method: 'POST',
  path: PATH,
});
const refused = exchangeOf(answerOf(422), created.ask);
const notUpdated = exchangeOf(answerOf(404), { operation: 'rename', method: 'PUT', path: `${PATH}/7` });
const updated = exchangeOf(answerOf(200), notUpdated.ask);
const failedList = exchangeOf(answerOf(500), { operation: 'list', path: `${PATH}?tag=bcd` });
const deleted = (status = 200): Exchange =>
  exchangeOf(answerOf(status), { operation: 'delete', method: 'DELETE', path: `${PATH}/7` });
const list = (ids: readonly string[], filter?: string): Exchange =>
  exchangeOf(answerOf(200, { tagging: ids.map((id) => ({ tag_id: id, name: 'bcd' })) }), {
    operation: 'list',
    path: filter === undefined ? PATH : `${PATH}?tag=${filter}`,
  });
const loggedIn = (body: object): Exchange =>
  exchangeOf(answerOf(200, body), { operation: 'login', method: 'POST', path: '/api/v2/auth/login' });
const later = (exchange: Exchange): Exchange => ({ ...exchange, startedAt: 10_000 });
const unread = exchangeOf(failure(), { operation: 'list', path: PATH });

const isSeven = (tagId: string): boolean => tagId === '7';

describe('exchanges show that', () => {
  test.each([
    ['a login was given no token', 'login-without-token', [loggedIn({ message: 'welcome' })], true],
    ['a login was given a token', 'login-without-token', [loggedIn({ access_token: 'abc' })], false],
    ['a create was lost', 'create-lost', [created, list(['8']), list([])], true],
    [
      'a create was lost, but for a list that shows it',
      'create-lost',
      [created, list(['8']), list(['7'])],
      false,
    ],
    ['a create was lost, but for a list that cannot be read', 'create-lost', [created, unread], false],
    ['a create was lost, but for any list', 'create-lost', [created], false],
    ['a create was refused', 'create-refused', [refused], true],
    ['an update was refused', 'update-refused', [notUpdated], true],
    ['a create was refused that was accepted', 'create-refused', [created], false],
    ['a delete was without effect', 'delete-without-effect', [deleted(), later(list(['7']))], true],
    [
      'a delete was, but for a list that came before',
      'delete-without-effect',
      [deleted(), list(['7'])],
      false,
    ],
    [
      'a delete was, but that it was refused',
      'delete-without-effect',
      [deleted(404), later(list(['7']))],
      false,
    ],
    ['a delete was, but for the tag', 'delete-without-effect', [deleted(), later(list(['8']))], false],
    ['a filter found what is unlike', 'filter-unlike', [list(['7'], 'xyz')], true],
    ["a filter found a stranger's tag", 'filter-unlike', [list(['8'], 'xyz')], false],
    ['a filter found what is like it', 'filter-unlike', [list(['7'], 'xyb')], false],
    ['a list failed, and another did not', 'list-failed', [failedList, list([], 'xyz')], true],
    ['a list failed, and so did another', 'list-failed', [failedList, failedList], false],
    ['a list without a filter showed a tag', 'filter-unlike', [list(['7'])], false],
    ['a filtered list failed', 'filter-error', [failedList], true],
    ['a filtered list failed, but beside others', 'filter-error', [{ ...failedList, beside: 1 }], false],
    ['a delete failed', 'delete-error', [deleted(500)], true],
    ['a delete failed that was refused', 'delete-error', [deleted(404)], false],
    ['a create made two tags', 'made-twice', [created, list(['7', '8'])], true],
    ['an update copied a tag', 'copied-by-update', [created, updated, list(['7', '8'])], true],
    [
      'a create made two tags, but for one that another create made',
      'made-twice',
      [created, list(['7', '7'])],
      false,
    ],
    [
      'an update copied a tag, but that only the copy is there',
      'copied-by-update',
      [created, list(['8'])],
      false,
    ],
    ['a tag_id was given twice, which rests on more', 'id-given-twice', [created, created], false],
  ] as const)('%s', (_what, sign, exchanges, isShown) => {
    expect(showsSign(sign, [exchanges], isSeven)).toBe(isShown);
  });

  test('one of several findings shows it', () => {
    expect(showsSign('create-lost', [[created], [created, list([])]], isSeven)).toBe(true);
  });
});
