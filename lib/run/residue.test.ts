import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import type { Answer } from '../http/exchange.ts';
import type { Client } from '../http/client.ts';
import { removeAll, type Residue } from './residue.ts';
import { FakeTarget, PASSWORD, sessionWith } from './session.test.double.ts';

/** Makes tags of the run on a target that holds a stranger's already, and tidies up. */
async function cleanedUp(
  target: FakeTarget,
  changes: {
    readonly count?: number;
    readonly paged?: boolean;
    readonly before?: (client: Client) => void;
  } = {},
): Promise<{ residue: readonly Residue[]; names: readonly string[]; deleted: readonly string[] }> {
  const { session, client, masker } = sessionWith(target);
  const names = Array.from({ length: changes.count ?? 2 }, () => session.names.plain());
  await session.first.list();
  for (const name of names) await session.first.create({ name }, [name]);
  session.isPaged = changes.paged ?? false;
  changes.before?.(client);
  const sent = target.lines.length;
  const residue = await removeAll(session.first, session, masker);
  return { residue, names, deleted: target.lines.slice(sent).filter((line) => line.startsWith('DELETE')) };
}

const stranger = { '7': 'Rent' };
const deletesWith = (answer: Answer): FakeTarget => {
  const target = new FakeTarget(stranger);
  target.instead = ({ method }) => (method === 'DELETE' ? answer : undefined);
  return target;
};

describe('tidying up', () => {
  test('asks nothing where the run made nothing', async () => {
    const target = new FakeTarget(stranger);
    const { session, masker } = sessionWith(target);
    await expect(removeAll(session.first, session, masker)).resolves.toEqual([]);
    expect(target.sent).toEqual([]);
  });

  test('removes what the run made, and nothing else', async () => {
    const target = new FakeTarget(stranger);
    const { residue, deleted } = await cleanedUp(target);
    expect(residue).toEqual([]);
    expect(deleted).toHaveLength(2);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('removes both of two tags that one create made', async () => {
    const target = new FakeTarget(stranger);
    target.instead = ({ method }, name) => {
      if (method === 'POST' && name !== undefined) target.make(name);
      return undefined;
    };
    const { residue } = await cleanedUp(target, { count: 1 });
    expect(residue).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('asks once more where an acknowledged deletion was not carried out', async () => {
    const target = new FakeTarget(stranger);
    let lost = 0;
    target.instead = ({ method }) => (method === 'DELETE' && lost++ === 0 ? answerOf(200) : undefined);
    const { residue } = await cleanedUp(target, { count: 1 });
    expect(residue).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });

  test('looks for each tag by its name where the list shows only a page', async () => {
    const target = new FakeTarget(stranger);
    let lost = 0;
    target.instead = ({ method, path }) => {
      if (method === 'DELETE') return lost++ === 0 ? answerOf(200) : undefined;
      return method === 'GET' && !path.includes('?') ? target.listing([['7', 'Rent']]) : undefined;
    };
    const { residue } = await cleanedUp(target, { count: 1, paged: true });
    expect(residue).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(stranger)));
  });
});

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
        why: 'it is still listed',
        curl: `curl -i -X DELETE 'https://target.test/api/v2/tagging/101' -H 'Accept: application/json' -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN"`,
      },
    ]);
  });

  test('is told where its removal was not acknowledged and no list shows it', async () => {
    const target = deletesWith(answerOf(500));
    const { session, masker } = sessionWith(target);
    const name = session.names.plain();
    await session.first.create({ name }, [name]);
    await session.first.list();
    const before = target.instead;
    target.instead = (wire) => (wire.method === 'GET' ? target.listing([]) : before(wire, undefined));
    await expect(removeAll(session.first, session, masker)).resolves.toMatchObject([
      { name, tag_id: '101', why: 'its removal was not acknowledged' },
    ]);
  });

  test('is told where the target is gone', async () => {
    const { residue, names } = await cleanedUp(new FakeTarget(), {
      before: (client) => client.stop('the target stopped answering'),
    });
    expect(residue).toMatchObject(
      names.map((name, at) => ({ name, tag_id: String(101 + at), why: 'the target stopped answering' })),
    );
  });

  test('is told without an id where a create was never answered and no list can be read', async () => {
    const target = new FakeTarget();
    target.instead = ({ method }, name) => {
      if (method === 'POST' && name !== undefined) return failure();
      return method === 'GET' ? answerOf(500) : undefined;
    };
    const { residue, names } = await cleanedUp(target, { count: 1 });
    expect(residue).toMatchObject([{ name: names[0] }]);
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
    ['a tag_id that is none', [null], [undefined, 'it is listed with a tag_id that is none']],
    ['one tag_id for two tags', ['9', '9'], ['9', 'it is still listed']],
  ])('is told by each name where a list gives %s', async (_what, ids, [id, why]) => {
    const target = deletesWith(answerOf(500));
    const { session, masker } = sessionWith(target);
    const names = ids.map(() => session.names.plain());
    const tagging = names.map((name, at) => ({ name, tag_id: ids[at] }));
    target.instead = ({ method }, name) => {
      if (method === 'GET') return answerOf(200, { error: false, tagging });
      return method === 'DELETE' || name !== undefined ? answerOf(name === undefined ? 500 : 200) : undefined;
    };
    for (const name of names) await session.first.create({ name }, [name]);
    await expect(removeAll(session.first, session, masker)).resolves.toMatchObject(
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
