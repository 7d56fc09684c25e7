import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { removeAll } from './residue.ts';
import { stranger } from './residue.test.double.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

describe('what is left of tags with common names', () => {
  test.each([
    ['is told', {}, ['may be left']],
    ['is nothing where the tag was there before', { '8': 'true' }, []],
  ])(
    'where the answer to a create of a name that anybody may give was lost %s',
    async (_, before, states) => {
      const target = new FakeTarget({ ...stranger, ...before });
      const { session } = sessionWith(target);
      await session.first.list();
      target.instead = ({ method }) => {
        if (method !== 'POST') return undefined;
        if (before['8' as keyof typeof before] === undefined) target.tags.set('9', 'true');
        return failure('malformed');
      };
      await session.first.create({ name: 'true' }, ['true']);
      const residue = await removeAll(session.first, session);
      const told = states.map((state) => ['true', state]);
      expect(residue.map(({ name, state }) => [name, state])).toEqual(told);
      expect(target.lines.filter((line) => line.startsWith('DELETE'))).toEqual([]);
      // Lists that cannot be read any more do not take back what others have shown.
      if (states.length === 0) return;
      target.instead = ({ method }) => (method === 'GET' ? failure('malformed') : undefined);
      await expect(removeAll(session.first, session)).resolves.toMatchObject(residue);
    },
  );

  test('are told with the name that the list shows, if the create may have given it several', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    await session.first.list();
    target.instead = ({ method }) => {
      if (method !== 'POST') return undefined;
      target.tags.set('9', 'false');
      return failure('malformed');
    };
    await session.first.create({ name: false }, ['false', '0']);
    const residue = await removeAll(session.first, session);
    expect(residue).toMatchObject([{ name: 'false', state: 'may be left' }]);
  });

  test.each([
    ['is told where it got the tag_id of a stranger’s tag of another name', 'Rent', ['may be left']],
    ['is nothing where the tag_id is that of a stranger’s tag of that name', 'OF', []],
  ])(
    'with a name that anybody may give, in a form that nobody expects, %s',
    async (_what, former, states) => {
      const target = new FakeTarget({ '7': former });
      const { session } = sessionWith(target);
      await session.first.list();
      target.instead = ({ method, path }) => {
        // A filter that heeds letter case does not show the stranger's tag.
        if (method === 'GET' && path.includes('?')) return target.listing([]);
        if (method !== 'POST') return undefined;
        target.tags.set('7', 'OF');
        return answerOf(200, { tagging: { name: 'OF', tag_id: '7' } });
      };
      await session.first.create({ name: 'of' }, ['of']);
      const residue = await removeAll(session.first, session);
      expect(residue.map(({ state }) => state)).toEqual(states);
      expect(target.tags).toEqual(new Map([['7', 'OF']]));
    },
  );

  test('with a name that anybody may give is told where it got the tag_id of a deleted tag', async () => {
    const target = new FakeTarget();
    target.newId = () => '9';
    const { session } = sessionWith(target);
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.list();
    await session.first.remove(record);
    target.instead = ({ method }) => {
      if (method !== 'POST') return undefined;
      target.tags.set('9', 'true');
      return failure('malformed');
    };
    await session.first.create({ name: 'true' }, ['true']);
    const residue = await removeAll(session.first, session);
    expect(residue).toMatchObject([{ name: 'true', state: 'may be left' }]);
  });

  test.each([
    ['is told where refused requests left them', 422, [['   ', 'may be left']]],
    ['is nothing where the target accepts such names, so that others may give them, too', 200, []],
  ])('without a visible character %s', async (_what, status, told) => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    await session.first.list();
    const plain = session.names.plain();
    const { record } = await session.first.create({ name: plain }, [plain]);
    target.instead = ({ method }, name) => {
      if (method !== 'PUT') return undefined;
      target.tags.set('9', name ?? '');
      return answerOf(status, { message: 'An update' });
    };
    await session.first.rename(record.tagId ?? '', { name: '   ' }, '   ');
    const residue = await removeAll(session.first, session);
    expect(residue.map(({ name, state }) => [name, state])).toEqual(told);
    expect(target.lines.filter((line) => line === 'DELETE /api/v2/tagging/9')).toEqual([]);
  });
});

describe('a tag with a common name', () => {
  test('is made once, and told, where the target keeps another common name', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    target.instead = ({ method, path }) => {
      if (method !== 'POST' || path.endsWith('login')) return undefined;
      target.tags.set('9', '17/05/2024');
      return answerOf(200, { tagging: { name: '17/05/2024', tag_id: '9' } });
    };
    const make = (): Promise<unknown> => session.first.create({ name: '2024-05-17' }, ['2024-05-17']);
    await make();
    await expect(make()).rejects.toThrow('could not be told from those of others');
    expect(target.lines.filter((line) => line.startsWith('POST /api/v2/tagging'))).toHaveLength(1);
    expect(await removeAll(session.first, session)).toMatchObject([
      { name: '2024-05-17', state: 'may be left' },
    ]);
    expect(target.tags.get('9')).toBe('17/05/2024');
  });

  /** A target whose updates give tags another tag_id, or make a second tag. */
  function whoseUpdatesMakeTags(isSecond: boolean) {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    let last = 900;
    target.instead = ({ method, path }, name) => {
      if (method !== 'PUT') return undefined;
      if (!isSecond) target.tags.delete(path.split('/').at(-1) ?? '');
      target.tags.set(String(++last), name ?? '');
      return answerOf(200, { message: 'renamed' });
    };
    return { target, session };
  }

  test.each([
    ['another tag_id', false],
    ['a second tag', true],
  ])('is told where an update gave it %s', async (_what, isSecond) => {
    const { target, session } = whoseUpdatesMakeTags(isSecond);
    const [plain, other, last] = [session.names.plain(), session.names.plain(), session.names.plain()];
    await session.first.list();
    const { record } = await session.first.create({ name: plain }, [plain]);
    await session.first.rename(record.tagId ?? '', { name: '  ' }, '  ');
    const { record: later } = await session.first.create({ name: other }, [other]);
    await session.first.rename(later.tagId ?? '', { name: last }, last);
    const residue = await removeAll(session.first, session);
    expect(residue.map(({ name, state }) => [name, state])).toEqual([['  ', 'may be left']]);
    expect(target.tags.get('901')).toBe('  ');
  });

  test.each([
    ['another tag_id', false],
    ['a second tag', true],
  ])('is not made where an update is known to give tags %s', async (_what, isSecond) => {
    const { target, session } = whoseUpdatesMakeTags(isSecond);
    const [plain, other] = [session.names.plain(), session.names.plain()];
    const { record } = await session.first.create({ name: plain }, [plain]);
    await session.first.rename(record.tagId ?? '', { name: other }, other);
    await session.first.list();
    const sent = target.lines.length;
    for (const name of ['  ', 'true', 0])
      await expect(session.first.rename(record.tagId ?? '', { name }, undefined)).rejects.toThrow(
        'updates give tags other tag_ids',
      );
    expect(target.lines).toHaveLength(sent);
    expect(await removeAll(session.first, session)).toEqual([]);
  });
});

describe('what the run did not name so is told', () => {
  test.each([
    [
      'a part of a name, of which the target made another tag',
      (name: string) => name.slice(3, 11),
      ['may be left'],
    ],
    ['a name of another run', () => 'ctbcdghjlmnpqr', []],
    ['a name of somebody', () => 'Salary', []],
  ])('if it is %s', async (_what, shown, states) => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.list();
    await session.first.create({ name }, [name]);
    target.make(shown(name));
    const residue = await removeAll(session.first, session);
    expect(residue.map(({ state }) => state)).toEqual(states);
  });

  test('if a tag with a common name comes back after its delete', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    await session.first.list();
    const { record } = await session.first.create({ name: 'true' }, ['true']);
    await session.first.list();
    await session.first.remove(record);
    target.tags.set(record.tagId ?? '', 'true');
    await expect(removeAll(session.first, session)).resolves.toMatchObject([
      { name: 'true', state: 'may be left' },
    ]);
  });

  test('and removed if only a new connection shows it', async () => {
    const target = new FakeTarget(stranger);
    const { session } = sessionWith(target);
    const name = session.names.plain();
    await session.first.list();
    const { record } = await session.first.create({ name }, [name]);
    let isBack = false;
    target.instead = ({ method, opensConnection }) =>
      isBack && method === 'GET' && opensConnection !== true
        ? target.listing(Object.entries(stranger))
        : undefined;
    await session.first.remove(record);
    target.tags.set('99', name);
    isBack = true;
    await expect(removeAll(session.first, session)).resolves.toEqual([]);
    expect([...target.tags]).toEqual(Object.entries(stranger));
  });
});
