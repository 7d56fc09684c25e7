import { expect, test } from 'vitest';
import { inventory } from './inventory.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

const BEFORE = [
  { tagId: '1', name: 'a' },
  { tagId: '2', name: 'b' },
  { tagId: '3', name: 'c' },
];

test('an inventory tells what became of the tags of others', async () => {
  const { session } = sessionWith(new FakeTarget({ '1': 'a', '2': 'another', '4': 'new' }));
  session.before = BEFORE;
  await expect(inventory(session)).resolves.toEqual({
    before: 3,
    after: 3,
    gone: 1,
    changed: 1,
    addressed: 0,
    appeared: 1,
    copies: 0,
  });
});

test('an inventory tells nothing of tags that another page may show', async () => {
  const { session } = sessionWith(new FakeTarget({ '1': 'a', '2': 'b', '4': 'new' }));
  session.before = BEFORE;
  session.settling.notePage(3);
  await expect(inventory(session)).resolves.toMatchObject({ before: 3, after: 3, gone: 0, changed: 0 });
  session.settling.notePage(4);
  await expect(inventory(session)).resolves.toMatchObject({ before: 3, after: 3, gone: 1, changed: 0 });
});

test('an inventory tells nothing of tags that a list may leave out as it leaves out one of the run', async () => {
  const target = new FakeTarget({ '1': 'a', '2': 'b', '3': 'c' });
  const { session } = sessionWith(target);
  session.before = BEFORE;
  const name = session.names.plain();
  await session.first.create({ name }, [name]);
  target.instead = ({ method }) => (method === 'GET' ? target.listing([['1', 'a']]) : undefined);
  await expect(inventory(session)).resolves.toMatchObject({ before: 3, after: 1, gone: 0 });
});

test('an inventory tells nothing of tags that are missing in a list as long as any with tags of the run', async () => {
  const target = new FakeTarget({ '1': 'a', '2': 'b', '3': 'c' });
  target.instead = ({ method }) =>
    method === 'GET' ? target.listing([...target.tags].toReversed().slice(0, 3)) : undefined;
  const { session } = sessionWith(target);
  session.before = BEFORE;
  const name = session.names.plain();
  const { record } = await session.first.create({ name }, [name]);
  await session.first.list();
  await session.first.remove(record);
  target.tags.set('4', 'new');
  await expect(inventory(session)).resolves.toMatchObject({ before: 3, after: 3, gone: 0, appeared: 0 });
});

test('an inventory counts tags with names of the run that no create answered', async () => {
  const target = new FakeTarget();
  const { session } = sessionWith(target);
  const name = session.names.plain();
  const { record } = await session.first.create({ name }, [name]);
  target.make(name);
  await session.first.list();
  await session.first.remove(record);
  session.before = [];
  await expect(inventory(session)).resolves.toMatchObject({ before: 0, after: 0, copies: 1 });
  expect(target.tags.size).toBe(0);
});

test('an inventory counts no tag of the run, and tells which of others it addressed', async () => {
  const { session } = sessionWith(new FakeTarget({ '1': 'a', '2': 'b', '3': 'c' }));
  const name = session.names.plain();
  await session.first.create({ name }, [name]);
  await session.first.rename('2', { name: 'z' }, undefined);
  session.before = BEFORE;
  await expect(inventory(session)).resolves.toMatchObject({
    before: 3,
    after: 3,
    addressed: 1,
    changed: 1,
  });
});

test('there is no inventory where the list could not be read before', async () => {
  await expect(inventory(sessionWith(new FakeTarget()).session)).resolves.toBeUndefined();
});

test('an inventory does not count as appeared what the report names', async () => {
  const { session } = sessionWith(new FakeTarget({ '1': 'a', '4': 'half of a name' }));
  session.before = BEFORE;
  await expect(inventory(session, ['half of a name'])).resolves.toMatchObject({ appeared: 0 });
});
