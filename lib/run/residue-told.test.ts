import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { removeAll } from './residue.ts';
import { cleanedUp, deletesWith, stranger } from './residue.test.double.ts';
import { FakeTarget, PASSWORD, sessionWith } from './session.test.double.ts';

/** Answers creates with a tag that is kept without a name. */
const keepingNoName =
  (target: FakeTarget): FakeTarget['instead'] =>
  ({ method, path }) =>
    method === 'POST' && !path.endsWith('login')
      ? answerOf(200, { tagging: { name: '', tag_id: target.make('') } })
      : undefined;

describe('what is left of the run', () => {
  test.each([
    ['the target does not carry a deletion out', 200],
    ['the target refuses it', 403],
    ['the target says that it is gone', 404],
  ])('is told with a command that would remove it where %s', async (_what, status) => {
    const { residue, names } = await cleanedUp(deletesWith(answerOf(status)), { count: 1 });
    expect(residue).toEqual([
      {
        name: names[0],
        tag_id: '101',
        state: 'left',
        why: 'it is still listed',
        curl: `curl -i -X DELETE 'https://target.test/api/v2/tagging/101' -H 'Accept: application/json' -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN"`,
      },
    ]);
  });

  test.each([
    ['lists can be read', undefined],
    ['no list can be read any more', failure('closed')],
  ])('is told where the target kept nothing of its name, and %s', async (_what, came) => {
    const target = new FakeTarget(stranger);
    target.instead = keepingNoName(target);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.list();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.remove(record);
    if (came !== undefined) target.instead = () => came;
    await expect(removeAll(session.first, session)).resolves.toEqual([
      {
        name,
        state: 'may be left',
        why: 'the tag_id "101" that its create gave is listed with another name, so it was left alone',
      },
    ]);
  });

  test('is told where lists of one account showed tags of the other, and a delete found no tag', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    await session.first.list();
    session.signs.record('list-of-another', 'a list of one account shows a tag of another');
    target.tags.clear();
    expect(await removeAll(session.first, session)).toMatchObject([
      { name, state: 'may be left', why: expect.stringContaining('its delete answered 404') as string },
    ]);
  });

  test('is told of each tag if several creates of one name gave different tag_ids', async () => {
    const target = new FakeTarget(stranger);
    target.instead = keepingNoName(target);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.list();
    for (let time = 0; time < 2; time++) await session.first.create({ name }, [name]);
    const left = await removeAll(session.first, session);
    expect(left.map(({ why }) => why)).toEqual(
      ['101', '102'].map(
        (id) => `the tag_id "${id}" that its create gave is listed with another name, so it was left alone`,
      ),
    );
  });

  test('is told where a page does not show the tag, but a list filtered by its new name does', async () => {
    const target = deletesWith(answerOf(500));
    const { session } = sessionWith(target);
    const [name, newName] = [session.names.plain(), session.names.plain()];
    await session.first.create({ name }, [name]);
    await session.first.list();
    await session.first.rename('101', { name: newName }, newName);
    const before = target.instead;
    target.instead = (wire) =>
      wire.method === 'GET' && !wire.path.includes('?')
        ? target.listing([['7', 'Rent']])
        : before(wire, undefined);
    await expect(removeAll(session.first, session)).resolves.toMatchObject([
      { name: newName, tag_id: '101', state: 'left' },
    ]);
  });

  test('may be a tag whose create was acknowledged, and which no list shows', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }) => (method === 'GET' ? target.listing([]) : undefined);
    const { residue, names, lost } = await cleanedUp(target, { count: 1 });
    expect(residue).toMatchObject([{ name: names[0], tag_id: '101', state: 'may be left' }]);
    expect(lost).toMatchObject([
      {
        why: `a create with the name "${names[0]}" was acknowledged, and at the end of the run no list shows the tag`,
        exchanges: [{ ask: { method: 'POST' }, answer: { status: 200 } }, {}, {}],
      },
    ]);
  });

  test('may be a tag of another token that the token of the run neither lists nor deletes', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.list();
    await session.first.create({ name }, [name], { token: 'none' });
    await session.first.list();
    target.instead = ({ method }) =>
      method === 'GET'
        ? target.listing([['7', 'Rent']])
        : method === 'DELETE'
          ? answerOf(404, { message: 'There is no such tag.' })
          : undefined;
    await expect(removeAll(session.first, session)).resolves.toMatchObject([
      {
        name,
        state: 'may be left',
        why: 'its create was sent with another token than its delete, which answered 404, and no list shows it',
      },
    ]);
  });

  test('is no lost tag where it may be on another page', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }) => (method === 'GET' ? target.listing([]) : undefined);
    const { residue, lost } = await cleanedUp(target, { count: 1, paged: true });
    expect(residue).toMatchObject([{ state: 'may be left' }]);
    expect(lost).toEqual([]);
  });

  test('is told where the target is gone', async () => {
    const { residue, names } = await cleanedUp(new FakeTarget(), {
      before: (client) => client.stop('the target stopped answering'),
    });
    expect(residue).toMatchObject(
      names.map((name, at) => ({ name, tag_id: String(101 + at), why: 'the target stopped answering' })),
    );
  });

  test('is known to be left where a list has shown it, and may be left where a delete was answered 500', async () => {
    const states = async (deletes: boolean): Promise<readonly string[]> => {
      const target = new FakeTarget();
      const { session, client } = sessionWith(target);
      const name = session.names.plain();
      await session.first.create({ name }, [name]);
      await session.first.list();
      target.instead = ({ method }) => (method === 'GET' || method === 'DELETE' ? answerOf(500) : undefined);
      if (!deletes) client.stop('the target stopped answering');
      return (await removeAll(session.first, session)).map(({ state }) => state);
    };
    expect(await states(false)).toEqual(['left']);
    expect(await states(true)).toEqual(['may be left']);
  });

  test('is told without an id where a create was never answered and no list can be read', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }, name) => {
      if (method === 'POST' && name !== undefined) return failure();
      return method === 'GET' ? answerOf(500) : undefined;
    };
    const { residue, names } = await cleanedUp(target, { count: 1 });
    expect(residue).toMatchObject([{ name: names[0], state: 'may be left' }]);
    expect(residue[0]).not.toHaveProperty('tag_id');
  });

  test.each(['.', '..', '/', "'; x"])(
    'is told and no fault where the target gave it the id %j',
    async (id) => {
      const target = deletesWith(answerOf(500));
      target.newId = () => id;
      const { residue, names } = await cleanedUp(target, { count: 1 });
      expect(residue).toMatchObject([{ name: names[0] }]);
    },
  );

  test.each([
    ['a tag_id that is none', [null], [undefined, 'the list shows it without a usable tag_id']],
    ['one tag_id for two tags', ['9', '9'], ['9', 'it is still listed']],
  ])('is told by each name where a list gives %s', async (_what, ids, [id, why]) => {
    const target = deletesWith(answerOf(500));
    const { session } = sessionWith(target);
    const names = ids.map(() => session.names.plain());
    const tagging = names.map((name, at) => ({ name, tag_id: ids[at] }));
    target.instead = ({ method }, name) => {
      if (method === 'GET') return answerOf(200, { error: false, tagging });
      return method === 'DELETE' || name !== undefined ? answerOf(name === undefined ? 500 : 200) : undefined;
    };
    for (const name of names) await session.first.create({ name }, [name]);
    await expect(removeAll(session.first, session)).resolves.toMatchObject(
      names.map((name) => ({ name, ...(id === undefined ? {} : { tag_id: id }), why })),
    );
  });

  test('is told without a secret that the target gives it for an id', async () => {
    const target = deletesWith(answerOf(500));
    target.newId = () => PASSWORD.reveal();
    const { residue } = await cleanedUp(target, { count: 1 });
    expect(residue).toMatchObject([{ tag_id: '$PASSWORD' }]);
    expect(JSON.stringify(residue)).not.toContain(PASSWORD.reveal());
  });
});
