import { expect, test } from 'vitest';
import { answerOf } from '../http/exchange.test.double.ts';
import type { Session } from '../run/session.ts';
import { FakeTarget, PASSWORD, sessionWith } from '../run/session.test.double.ts';
import { filterQuery } from '../spec/requests.ts';

/** Makes so many tags in a run that may leave four, and removes all but the first. Returns its session. */
async function madeAndRemoved(target: FakeTarget, count: number): Promise<Session> {
  const second = { username: 'another', password: PASSWORD };
  const { session } = sessionWith(target, { settings: { maxLiveTags: 2, second } });
  for (let made = 0; made < count; made++) {
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.list(filterQuery(name));
    if (made > 0) await session.first.remove(record);
  }
  return session;
}

/** A target whose lists are pages of the two oldest tags if they have no filter. */
function targetWithPages(): FakeTarget {
  const target = new FakeTarget({ '1': 'Rent', '2': 'Food' });
  target.instead = ({ method, path }) =>
    method === 'GET' && !path.includes('?') ? target.listing([...target.tags].slice(0, 2)) : undefined;
  return target;
}

test('A run goes on making tags where no list that it asked for has happened to show a delete.', async () => {
  const target = targetWithPages();
  await expect(madeAndRemoved(target, 12)).resolves.toBeDefined();
  expect(target.tags.size).toBe(3);
});

test('The second account goes on, too, where only tags of the first were deleted.', async () => {
  const session = await madeAndRemoved(targetWithPages(), 4);
  const name = session.names.plain();
  await expect(session.second?.create({ name }, [name])).resolves.toBeDefined();
});

test('A run stops making tags where deletes are confirmed without effect.', async () => {
  const target = new FakeTarget();
  target.instead = ({ method }) => (method === 'DELETE' ? answerOf(200, { message: 'gone' }) : undefined);
  await expect(madeAndRemoved(target, 12)).rejects.toThrow(
    '4 tags of this run may be left on the target, because deletes do not remove them or lists do not show which they are: the run makes no more',
  );
  expect(target.tags.size).toBe(4);
});

test('A run goes on making tags where creates without a token are refused with 200.', async () => {
  const target = new FakeTarget();
  const refusal = answerOf(200, { error: true, message: 'Unauthenticated.' });
  target.instead = ({ path, headers }) =>
    path.includes('tagging') && headers.every(([name]) => name !== 'Authorization') ? refusal : undefined;
  const { session } = sessionWith(target, { settings: { maxLiveTags: 2 } });
  for (let count = 0; count < 12; count++) {
    const refused = session.names.plain();
    await session.first.create({ name: refused }, [refused], { token: 'none' });
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.remove(record);
    await session.first.list(filterQuery(name));
  }
  expect(target.tags.size).toBe(0);
});

test.each([
  ['a random name was not deleted', undefined, 1],
  ['a common name may be a stranger’s', 'true', 0],
])('A tag that lists show again after its delete: one of %s.', async (_what, common, signs) => {
  const target = new FakeTarget();
  const { session } = sessionWith(target, { settings: { settleMs: 0 } });
  const name = common ?? session.names.plain();
  const { record } = await session.first.create({ name }, [name]);
  await session.first.remove(record);
  target.tags.set(record.tagId ?? '', name);
  await session.first.list();
  expect(session.signs.of('delete-without-effect')).toHaveLength(signs);
});
