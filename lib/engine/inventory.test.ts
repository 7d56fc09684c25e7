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
  await expect(inventory(session, BEFORE)).resolves.toEqual({
    before: 3,
    after: 3,
    gone: 1,
    changed: 1,
    addressed: 0,
  });
});

test('an inventory counts no tag of the run, and tells which of others it addressed', async () => {
  const { session } = sessionWith(new FakeTarget({ '1': 'a', '2': 'b', '3': 'c' }));
  const name = session.names.plain('x');
  await session.create({ name }, name);
  await session.rename('2', { name: 'z' }, undefined);
  await expect(inventory(session, BEFORE)).resolves.toMatchObject({
    before: 3,
    after: 3,
    addressed: 1,
    changed: 1,
  });
});

test('there is no inventory where the list could not be read before', async () => {
  await expect(inventory(sessionWith(new FakeTarget()).session, undefined)).resolves.toBeUndefined();
});
