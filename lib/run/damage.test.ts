import { describe, expect, test } from 'vitest';
import type { Account } from '../account/account.ts';
import { answerOf } from '../http/exchange.test.double.ts';
import { ifDecided } from '../outcome.ts';
import { filterQuery, type RequestOverrides } from '../spec/requests.ts';
import { ReadableLists, noteDamage } from './damage.ts';
import { preflight } from './preflight.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

/** The sentences about lists that a question broke, if the lists after it are answered 500 this often. */
async function damageWhere(failures: number): Promise<readonly string[]> {
  const fake = new FakeTarget({ '7': 'Rent' });
  const { session } = sessionWith(fake);
  await preflight(session);
  let lists = 0;
  fake.instead = ({ method }) => (method === 'GET' && ++lists <= failures ? answerOf(500) : undefined);
  await noteDamage(session, 'name/edges');
  return session.signs.of('list-broken').map(({ why }) => why);
}

test('A list that fails once after a question was not broken by it.', async () => {
  expect(await damageWhere(1)).toEqual([]);
});

test('A list that goes on failing was.', async () => {
  expect(await damageWhere(9)).toEqual([
    'the list answered 500 since the check of name/edges, and cannot be read',
  ]);
});

test.each([
  ['was not broken by it if one list failed', 1, []],
  ['was if four did', 4, ['the list answered 500 since the check of name/edges, and cannot be read']],
])('A target that the budget lets nobody look at again %s.', async (_what, failures, expected) => {
  const fake = new FakeTarget({ '7': 'Rent' });
  const { session, client } = sessionWith(fake);
  await preflight(session);
  fake.instead = ({ method }) => (method === 'GET' ? answerOf(500) : undefined);
  const unread = [];
  for (let time = 0; time < failures; time++) unread.push(await session.first.list());
  client.budget.reserve(Infinity);
  await noteDamage(session, 'name/edges', unread);
  expect(session.signs.of('list-broken').map(({ why }) => why)).toEqual(expected);
});

test('A list that is refused because no token works any more was not broken by a question.', async () => {
  const fake = new FakeTarget({ '7': 'Rent' });
  const { session } = sessionWith(fake);
  await preflight(session);
  fake.instead = ({ method }) => (method === 'GET' ? answerOf(401) : undefined);
  session.first.logins.stopRenewing();
  await noteDamage(session, 'name/edges');
  expect(session.signs.of('list-broken')).toEqual([]);
});

test.each<[string, number, RequestOverrides, boolean]>([
  ['answered 500', 500, {}, true],
  ['without the right shape', 200, {}, true],
  ['not modified', 304, { headers: { 'If-None-Match': '"1"' } }, false],
  ['with another token', 500, { token: 'none' }, false],
  ['refused with its token', 401, {}, false],
])(
  'A list %s may be broken by a question, or has another reason.',
  async (_what, status, overrides, isUnread) => {
    const fake = new FakeTarget();
    fake.instead = ({ method }) => (method === 'GET' ? answerOf(status, { message: 'no' }) : undefined);
    const { session, client } = sessionWith(fake);
    const lists = new ReadableLists();
    client.listeners.push(lists);
    session.first.logins.stopRenewing();
    await ifDecided(() => session.first.list(undefined, overrides));
    expect(lists.unread.length > 0).toBe(isUnread);
  },
);

describe('Lists since the last write', () => {
  async function areReadAfter(
    use: (first: Account, fake: FakeTarget, tagId: string) => Promise<unknown>,
  ): Promise<boolean> {
    const fake = new FakeTarget();
    const { session, client } = sessionWith(fake);
    const lists = new ReadableLists();
    client.listeners.push(lists);
    const { record } = await session.first.create({ name: 'Rent' }, ['Rent']);
    await use(session.first, fake, record.tagId ?? '');
    return lists.areRead;
  }

  test('are read if one without a filter was, even before a delete', async () => {
    expect(await areReadAfter((first) => first.list())).toBe(true);
    const deleted = areReadAfter(async (first, _, tagId) => [await first.list(), await first.delete(tagId)]);
    expect(await deleted).toBe(true);
  });

  test('are not if that had a filter, failed, or came before an update', async () => {
    expect(await areReadAfter((first) => first.list(filterQuery('Rent')))).toBe(false);
    const failed = areReadAfter((first, fake) => {
      fake.instead = ({ method }) => (method === 'GET' ? answerOf(500) : undefined);
      return first.list();
    });
    expect(await failed).toBe(false);
    const updated = areReadAfter(async (first, _, tagId) => [
      await first.list(),
      await first.rename(tagId, { name: 'Food' }, 'Food'),
    ]);
    expect(await updated).toBe(false);
  });
});
