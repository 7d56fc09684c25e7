import { describe, expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';
import type { TagRecord } from './tag-record.ts';

describe('an account with common names', () => {
  test('takes a tag_id for its own that belonged to a stranger’s tag of another common name', async () => {
    const target = new FakeTarget({ '7': '0' });
    const { session } = sessionWith(target);
    await session.first.create({ name: '0' }, ['0']);
    target.tags.set('7', 'Rent');
    await session.first.list();
    target.tags.delete('7');
    target.newId = () => '7';
    const { record } = await session.first.create({ name: 'null' }, ['null']);
    expect(record).toMatchObject({ state: 'alive', tagId: '7' });
  });

  test('knows its own tag of a common name again, though a list still shows the deleted one', async () => {
    const target = new FakeTarget();
    target.newId = () => '7';
    const { session } = sessionWith(target);
    const make = (): Promise<{ readonly record: TagRecord }> =>
      session.first.create({ name: 'true' }, ['true']);
    const { record } = await session.first.create({ name: session.names.plain() }, ['a']);
    await session.first.rename('7', { name: 'true' }, 'true');
    await session.first.list();
    await session.first.delete('7');
    target.instead = ({ method }) => (method === 'GET' ? target.listing([['7', 'true']]) : undefined);
    expect(record.state).toBe('removed');
    expect((await make()).record).toMatchObject({ state: 'alive', tagId: '7' });
  });

  test('writes to the ledger whose tags had a common name before, before it gives that name', async () => {
    const target = new FakeTarget({ '7': 'null', '8': 'groceries' });
    const entries: object[] = [];
    const ledger = { write: (entry: object) => void entries.push(entry), discard: () => undefined };
    const { session } = sessionWith(target, { ledger });
    await session.first.create({ name: null }, ['null']);
    expect(entries.slice(0, 2)).toMatchObject([
      { event: 'strange', tag_id: '7' },
      { event: 'intent', name: 'null' },
    ]);
  });

  test('makes no tag of a common name that fills a page with the tags of strangers', async () => {
    const target = new FakeTarget({ '7': 'number 0', '8': 'number 10', '9': 'Rent' });
    target.instead = ({ method, path }) =>
      method === 'GET'
        ? target.listing(
            [...target.tags].filter(([, name]) => !path.includes('?') || name.includes('0')).slice(0, 2),
          )
        : undefined;
    const { session } = sessionWith(target);
    await session.first.list();
    await expect(session.first.create({ name: 0 }, ['0'])).rejects.toThrow(
      'could not be told from those of others',
    );
    expect(target.lines.filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  test('are looked for together in one list, if that is known to be no page', async () => {
    const target = new FakeTarget({ '7': 'null', '8': 'groceries', '9': 'Rent' });
    const { session } = sessionWith(target);
    await session.first.list();
    target.tags.delete('8');
    await session.first.list();
    target.sent.length = 0;
    // A find-or-create answers with the stranger's tag.
    target.instead = ({ method }, name) =>
      method === 'POST' && name === 'null'
        ? answerOf(200, { tagging: { name: 'null', tag_id: '7' } })
        : undefined;
    const made = await Promise.all(['null', 'true'].map((name) => session.first.create({ name }, [name])));
    expect(target.lines.filter((line) => line.startsWith('GET'))).toEqual(['GET /api/v2/tagging']);
    expect(made.map(({ record }) => record.state)).toEqual(['intended', 'alive']);
  });
});
