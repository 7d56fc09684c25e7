import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import type { Answer, Failure } from '../http/exchange.ts';
import type { Wire } from '../http/transport.ts';
import { filterQuery } from '../spec/requests.ts';
import { removeAll } from './residue.ts';
import { cleanedUp, deletesWith, stranger } from './residue.test.double.ts';
import { FakeTarget, PASSWORD, sessionWith } from './session.test.double.ts';

/** The first delete of the last looks for what is left. */
const LAST_DELETE = 4;

describe('what is left of the run', () => {
  test.each([
    ['removed, if there is time to wait for it', 60_000, []],
    ['told, if there is none', 5, [{ state: 'may be left', why: expect.stringContaining('no answer') }]],
  ])('is, after a create that was given up and is carried out later, %s', async (_what, ms, residue) => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target, { timeoutMs: 80 });
    const name = session.names.plain();
    target.instead = ({ method, path }) => {
      if (method !== 'POST' || path.endsWith('login')) return undefined;
      setTimeout(() => target.make(name), 40);
      return failure('timeout');
    };
    await session.first.create({ name }, [name]);
    session.client.endWithin(ms);
    await expect(removeAll(session.first, session)).resolves.toMatchObject(residue);
    expect([...target.tags.values()]).not.toContain(name);
  });

  test('is removed from pages if an update made the tag again after a delete that overlapped it', async () => {
    class Upserting extends FakeTarget {
      #deleted: () => void = () => undefined;
      readonly #isDeleted = new Promise<void>((resolve) => (this.#deleted = resolve));
      override async send(wire: Wire): Promise<Answer | Failure> {
        if (wire.method === 'PUT') await this.#isDeleted;
        if (wire.method === 'PUT' && !this.tags.has('101')) this.tags.set('101', 'made again');
        const answer = await super.send(wire);
        if (wire.method === 'DELETE') this.#deleted();
        return answer;
      }
    }
    const target = new Upserting(stranger);
    target.instead = ({ method, path }) =>
      method === 'GET' && !path.includes('?') ? target.listing([...target.tags].slice(0, 1)) : undefined;
    const { session } = sessionWith(target);
    session.settling.notePage(1);
    const [name, newName] = [session.names.plain(), session.names.plain()];
    const { record } = await session.first.create({ name }, [name]);
    await Promise.all([
      session.first.rename(record.tagId ?? '', { name: newName }, newName),
      session.first.delete(record.tagId ?? ''),
    ]);
    expect([...target.tags.values()]).toContain(newName);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

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
    target.instead = ({ method, path }) =>
      method === 'POST' && !path.endsWith('login')
        ? answerOf(200, { tagging: { name: '', tag_id: target.make('') } })
        : undefined;
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

  test('is told of each tag if several creates of one name gave different tag_ids', async () => {
    const target = new FakeTarget(stranger);
    target.instead = ({ method, path }) =>
      method === 'POST' && !path.endsWith('login')
        ? answerOf(200, { tagging: { name: '', tag_id: target.make('') } })
        : undefined;
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

  test('is nothing where a later delete has an effect, and no finding stands without an exchange', async () => {
    const target = new FakeTarget(stranger);
    let deletes = 0;
    target.instead = ({ method }) =>
      method === 'DELETE' && ++deletes < LAST_DELETE ? answerOf(200, { message: 'gone' }) : undefined;
    // Long enough for all deletes on a slow machine.
    const { session } = sessionWith(target, { settings: { settleMs: 2_000 } });
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect(deletes).toBe(LAST_DELETE);
    expect(session.signs.of('late-effect')).toEqual([]);
  });

  test('is nothing where the removal was not acknowledged, but lists show that the tag is gone', async () => {
    const target = deletesWith(answerOf(500));
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    await session.first.list();
    const before = target.instead;
    target.instead = (wire) => (wire.method === 'GET' ? target.listing([]) : before(wire, undefined));
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
  });

  test.each([
    ['made a second tag', () => undefined, (name: string) => name],
    ['made a second tag in capitals', () => undefined, (name: string) => name.toUpperCase()],
    [
      'was refused, because the name was taken',
      () => answerOf(422, { message: 'taken' }),
      (name: string) => name,
    ],
  ])(
    'is nothing where the answer to a create was lost, and the second one %s',
    async (_what, second, kept) => {
      const target = new FakeTarget(stranger);
      const { session } = sessionWith(target);
      await session.first.list();
      session.settling.notePage(1);
      const name = session.names.plain();
      let creates = 0;
      // Lists lag, and those without a filter are pages.
      target.instead = ({ method, path }, made) => {
        if (method === 'GET')
          return creates < 2 || !path.includes('?')
            ? target.listing([['7', 'Rent']])
            : target.listing([...target.tags].filter(([, one]) => one.toLowerCase() === name));
        if (method !== 'POST' || path.endsWith('login')) return undefined;
        if (++creates > 1) return second();
        target.make(kept(made ?? ''));
        return failure('closed');
      };
      const { record } = await session.first.create({ name }, [name]);
      if (record.tagId !== undefined) await session.first.delete(record.tagId);
      await expect(removeAll(session.first, session)).resolves.toEqual([]);
      expect([...target.tags.values()]).toEqual(['Rent']);
    },
  );

  test('is nothing where a stranger had the tag_id before, and no list had shown whose it is', async () => {
    const target = new FakeTarget({ '5': 'Food', '7': 'Rent' });
    const { session } = sessionWith(target);
    await session.first.list();
    target.tags.delete('7');
    // Unfiltered lists are pages that do not reach to the tags of the run.
    const page = ({ method, path }: { method: string; path: string }) =>
      method === 'GET' && !path.includes('?') ? target.listing([['5', 'Food']]) : undefined;
    target.instead = page;
    const [other, name] = [session.names.plain(), session.names.plain()];
    await session.first.create({ name: other }, [other]);
    await session.first.list(filterQuery(other));
    target.newId = () => '7';
    target.instead = (wire) => page(wire) ?? (wire.method === 'GET' ? answerOf(500) : undefined);
    await session.first.create({ name }, [name]);
    target.instead = page;
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect([...target.tags.values()]).toEqual(['Food']);
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

  test('is no lost tag where it may be on another page', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }) => (method === 'GET' ? target.listing([]) : undefined);
    const { residue, lost } = await cleanedUp(target, { count: 1, paged: true });
    expect(residue).toMatchObject([{ state: 'may be left' }]);
    expect(lost).toEqual([]);
  });

  test.each([403, 404, 422, 501])(
    'is no create that was answered %i, also where no list can be read',
    async (status) => {
      const target = new FakeTarget();
      target.instead = ({ method, path }) => {
        if (method === 'GET') return answerOf(500);
        return method === 'POST' && path.endsWith('tagging') ? answerOf(status) : undefined;
      };
      const { residue } = await cleanedUp(target);
      expect(residue).toEqual([]);
    },
  );

  test('is no update of an unknown tag that was answered 404, also where no list can be read', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }) =>
      method === 'GET' ? answerOf(500) : method === 'PUT' ? answerOf(404) : undefined;
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.rename('999', { name }, name);
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
  });

  test('is nothing where lists cannot be read at first, and later can', async () => {
    const target = new FakeTarget();
    const { residue } = await cleanedUp(target, {
      before: () => {
        let unreadable = 5;
        target.instead = ({ method }) => (method === 'GET' && unreadable-- > 0 ? answerOf(500) : undefined);
      },
    });
    expect(residue).toEqual([]);
    expect(target.tags.size).toBe(0);
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

  test('is nothing where lists show its tag_id under a name around its own: the letters tell whose it is', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }, name) => {
      if (method !== 'POST' || name === undefined) return undefined;
      target.tags.set('5', `<${name}>`);
      return answerOf(200, { tagging: { name, tag_id: '5' } });
    };
    const { residue, deleted } = await cleanedUp(target, { count: 1 });
    expect(residue).toEqual([]);
    expect(deleted).toHaveLength(1);
    expect(target.tags.size).toBe(0);
  });

  test('is told without a secret that the target gives it for an id', async () => {
    const target = deletesWith(answerOf(500));
    target.newId = () => PASSWORD.reveal();
    const { residue } = await cleanedUp(target, { count: 1 });
    expect(residue).toMatchObject([{ tag_id: '$PASSWORD' }]);
    expect(JSON.stringify(residue)).not.toContain(PASSWORD.reveal());
  });

  test('is never a stranger’s', async () => {
    const target = deletesWith(answerOf(500));
    const { residue, deleted } = await cleanedUp(target);
    expect(JSON.stringify(residue)).not.toContain('Rent');
    expect(deleted.filter((line) => line.endsWith('/7'))).toEqual([]);
  });
});
