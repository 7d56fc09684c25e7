import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';
import type { Account } from './account.ts';
import type { TagRecord } from './tag-record.ts';

const RENT = { '7': 'Rent' };

describe('a removal of a tag', () => {
  test('sends no second delete as long as a list may be late', async () => {
    const target = new FakeTarget();
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.list();
    await session.first.delete(record.tagId ?? '', { open: true });
    let looks = 0;
    target.instead = ({ method }) =>
      method === 'GET' && looks++ === 0 ? target.listing([[record.tagId ?? '', name]]) : undefined;
    await session.first.remove(record);
    expect(target.lines.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect(record.state).toBe('removed');
  });

  test.each([
    ['the tag is still there', false],
    ['the tag is gone', true],
  ])('asks again for a delete whose connection broke, where %s', async (_what, isCarriedOut) => {
    const target = new FakeTarget(RENT);
    let deletes = 0;
    target.instead = ({ method, path }) => {
      if (method !== 'DELETE' || ++deletes > 1) return undefined;
      if (isCarriedOut) target.tags.delete(path.split('/').at(-1) ?? '');
      return failure('closed');
    };
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.remove(record);
    // Somebody else could have been given the id of a tag that is gone.
    expect(deletes).toBe(isCarriedOut ? 1 : 2);
    expect(record.state).toBe('removed');
    expect(target.tags).toEqual(new Map(Object.entries(RENT)));
  });

  type Twice = (account: Account, record: TagRecord) => Promise<unknown>;

  test.each<[string, Twice]>([
    ['removed twice', (account, record) => Promise.all([account.remove(record), account.remove(record)])],
    [
      'removed while a check deletes it',
      (account, record) => Promise.all([account.delete(record.tagId ?? ''), account.remove(record)]),
    ],
    [
      'deleted by a check while its removal looks for it',
      (account, record) => Promise.all([account.remove(record), account.delete(record.tagId ?? '')]),
    ],
  ])('sends one delete for a tag that is %s', async (_what, removeTwice) => {
    const target = new FakeTarget(RENT);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    await removeTwice(session.first, record);
    // Somebody else could have been given the id between two deletes.
    expect(target.lines.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect(record.state).toBe('removed');
  });

  test('sends one delete for a tag that two creates answered while lists showed the tag of before', async () => {
    const target = new FakeTarget();
    let isLate = false;
    target.instead = ({ method, path }, name) => {
      // A name that is taken is answered with the tag that has it.
      if (method === 'POST' && name !== undefined) {
        target.tags.set('7', name);
        return answerOf(200, { tagging: { tag_id: '7', name } });
      }
      if (method === 'GET' && isLate) return target.listing(Object.entries(RENT));
      if (method !== 'DELETE' || path !== '/api/v2/tagging/7') return undefined;
      // The tag_id passes to somebody else's tag at once.
      target.tags.set('7', 'Gift');
      return answerOf(200, { message: 'gone' });
    };
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const create = async (): Promise<TagRecord> => (await session.first.create({ name }, [name])).record;
    const records = [await create(), await create()];
    isLate = true;
    await session.first.list();
    isLate = false;
    for (const record of records) await session.first.remove(record);
    expect(target.lines.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect(records.map(({ state }) => state)).toEqual(['removed', 'refused']);
  });

  test('removes a tag whose create was answered with an error', async () => {
    const target = new FakeTarget(RENT);
    target.instead = ({ method }, name) => {
      if (method !== 'POST' || name === undefined) return undefined;
      target.make(name);
      return answerOf(500);
    };
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    expect(target.tags.size).toBe(2);
    await session.first.remove(record);
    expect(target.tags).toEqual(new Map(Object.entries(RENT)));
  });
});
