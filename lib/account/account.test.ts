import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';

describe('an account', () => {
  const RENT = { '7': 'Rent' };

  test.each<[string, boolean, (target: FakeTarget, name: string) => unknown]>([
    ['that it has listed', true, () => ({ tag_id: '7', name: 'Rent' })],
    ['that it has listed, under its own name', true, (_target, name) => ({ tag_id: '7', name })],
    ['that it has not listed, under its own name', false, (_target, name) => ({ tag_id: '7', name })],
    ['that it has not listed', false, () => ({ tag_id: '7', name: 'Rent' })],
  ])('never removes a tag %s and that a create answers', async (_what, lists, answering) => {
    const target = new FakeTarget(RENT);
    target.instead = ({ method }, name) =>
      method === 'POST' && name !== undefined
        ? answerOf(200, { tagging: answering(target, name) })
        : undefined;
    const { session } = sessionWith(target);
    if (lists) await session.first.list();
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    await session.first.remove(record);
    expect(target.lines.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(RENT)));
  });

  test.each([
    ['in the form that was looked for', 'true'],
    ['in another form', 'TRUE'],
  ])('never removes the tag of a stranger with a common name %s', async (_what, name) => {
    const target = new FakeTarget({ '7': name });
    target.instead = ({ method, path }) => {
      if (method === 'POST' && !path.endsWith('login'))
        return answerOf(200, { tagging: { tag_id: '7', name } });
      // A page that does not reach to the stranger's tag looks like a whole list.
      return method === 'GET' && !path.includes('?') ? answerOf(200, { tagging: [] }) : undefined;
    };
    const { session } = sessionWith(target);
    const { record } = await session.first.create({ name: true }, ['true', 'True', '1']);
    await session.first.list();
    await session.first.remove(record);
    expect(target.lines.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  test('removes a tag that lists show in another form before its create, sent once more, is answered with it', async () => {
    const target = new FakeTarget();
    target.instead = ({ method, path }, name) => {
      if (method !== 'POST' || path.endsWith('login') || name === undefined) return undefined;
      const isKnown = target.tags.size > 0;
      const tag = { tag_id: '7', name: name.replace('é', 'e') };
      target.tags.set(tag.tag_id, tag.name);
      return isKnown ? answerOf(200, { tagging: tag }) : answerOf(502);
    };
    const { session } = sessionWith(target);
    const name = session.names.endingIn('é');
    const { record } = await session.first.create({ name }, [name]);
    await session.first.remove(record);
    expect([...target.tags]).toEqual([]);
  });

  test('takes no tag_id for one that was given twice because a list shows the new tag with the name of another', async () => {
    const target = new FakeTarget();
    const { session } = sessionWith(target);
    const { first, names, signs } = session;
    const [one, other] = [names.plain(), names.endingIn('😀')];
    await first.create({ name: one }, [one]);
    const send = target.send.bind(target);
    target.send = async (wire) => {
      if (wire.method !== 'POST') return send(wire);
      target.tags.set('7', one);
      await first.list();
      return answerOf(200, { tagging: { tag_id: '7', name: other } });
    };
    await first.create({ name: other }, [other]);
    expect(signs.of('id-given-twice')).toEqual([]);
    await Promise.all(first.tags.records.map((record) => first.remove(record)));
    expect([...target.tags]).toEqual([]);
  });

  test('removes a tag that was updated while a delete of it was refused', async () => {
    const target = new FakeTarget();
    const { session } = sessionWith(target);
    const { first, names } = session;
    const [former, later] = [names.plain(), names.plain()];
    const { record } = await first.create({ name: former }, [former]);
    const { tagId = '' } = record;
    target.instead = ({ method }) => (method === 'DELETE' ? answerOf(409, { message: 'in use' }) : undefined);
    const [, updated] = await Promise.all([first.delete(tagId), first.rename(tagId, { name: later }, later)]);
    target.instead = () => undefined;
    await first.list();
    for (const made of [updated.record, record]) if (made !== undefined) await first.remove(made);
    expect([...target.tags]).toEqual([]);
    expect(record).toMatchObject({ state: 'removed', shownAs: undefined });
  });

  test.each([
    ['once where the first one made no tag', false, 1],
    ['each time where the first one made a tag', true, 3],
  ])(
    'looks for the tags of refused updates, where lists may be pages, %s',
    async (_what, makesTags, count) => {
      const target = new FakeTarget();
      target.instead = ({ method }, name) => {
        if (method !== 'PUT') return undefined;
        if (makesTags) target.tags.set(`id of ${name}`, String(name));
        return answerOf(404, { message: 'no such tag' });
      };
      const { session } = sessionWith(target);
      const names = Array.from({ length: 3 }, () => session.names.plain());
      const updates = names.map((name, at) => session.first.rename(`unknown-${at}`, { name }, name));
      const records = (await Promise.all(updates)).flatMap(({ record }) => record ?? []);
      for (const record of records) await session.first.remove(record);
      const sought = names.filter((name) => target.lines.some((line) => line.endsWith(`?tag=${name}`)));
      expect(sought).toHaveLength(count);
      expect([...target.tags]).toEqual([]);
    },
  );

  test('removes the tag of a refused update that a list shows, though another refused update made none', async () => {
    const target = new FakeTarget();
    const { session } = sessionWith(target);
    const names = [session.names.plain(), session.names.plain()];
    target.instead = ({ method }, name) => {
      if (method !== 'PUT') return undefined;
      if (name !== undefined && name === names[1]) target.tags.set('made', name);
      return answerOf(404, { message: 'no such tag' });
    };
    const updates = names.map((name, at) => session.first.rename(`unknown-${at}`, { name }, name));
    const records = (await Promise.all(updates)).flatMap(({ record }) => record ?? []);
    await session.first.list();
    for (const record of records) await session.first.remove(record);
    expect([...target.tags]).toEqual([]);
  });

  test.each([
    ['without an answer', []],
    ['whose first answer was lost, and whose second one says that the name is taken', [502, 422]],
  ])(
    'looks each time for the tag of an update %s, though a refused one made none',
    async (_what, statuses) => {
      const target = new FakeTarget();
      const { session } = sessionWith(target);
      const refused = session.names.plain();
      const lost = session.names.plain();
      const left = [...statuses];
      target.instead = ({ method }, name) => {
        if (method !== 'PUT') return undefined;
        if (name === refused) return answerOf(404, { message: 'no such tag' });
        const status = left.shift();
        return status === undefined ? failure('timeout') : answerOf(status, { message: 'no' });
      };
      const updates = [refused, lost].map((name) => session.first.rename(`unknown-${name}`, { name }, name));
      const records = (await Promise.all(updates)).flatMap(({ record }) => record ?? []);
      for (const record of records) await session.first.remove(record);
      // The target carries it out late.
      target.tags.set('made', lost);
      for (const record of records) await session.first.remove(record);
      expect([...target.tags]).toEqual([]);
    },
  );

  test.each([
    ['does not send another delete', 1, []],
    ['looks for its names as well where the list may be a page', 0, ['GET /api/v2/tagging?tag=']],
  ])('for a tag that a delete with no token has removed %s', async (_what, shorter, looks) => {
    const target = new FakeTarget(RENT);
    const { session } = sessionWith(target);
    const names = [session.names.plain(), session.names.plain()];
    const records = await Promise.all(
      names.map(async (name) => (await session.first.create({ name }, [name])).record),
    );
    await session.first.list();
    await session.first.delete(records[0]?.tagId ?? '', { token: 'none' });
    for (let time = 0; time < shorter; time++) await session.first.list();
    const before = target.lines.length;
    if (records[0] !== undefined) await session.first.remove(records[0]);
    expect(records[0]?.state).toBe('removed');
    const lists = target.lines.slice(before);
    expect(lists.filter((line) => !line.startsWith('GET'))).toEqual([]);
    expect(lists.filter((line) => line.includes('?')).map((line) => line.replace(/ct\w+$/, ''))).toEqual(
      looks,
    );
  });

  test.each([
    ['sends a delete', 'shown', true, ['DELETE /api/v2/tagging/101']],
    ['sends no delete', 'not shown', false, []],
  ])(
    '%s for a tag that no list shows any more, if it was %s after a refused delete',
    async (_what, _when, isListed, sent) => {
      const target = new FakeTarget();
      const { session } = sessionWith(target, { settings: { settleMs: 0 } });
      const name = session.names.plain();
      const { record } = await session.first.create({ name }, [name]);
      await session.first.list();
      target.instead = ({ method }) => (method === 'DELETE' ? answerOf(403, { message: 'no' }) : undefined);
      await session.first.delete('101', { token: 'none' });
      if (isListed) await session.first.list();
      target.instead = ({ method }) => (method === 'GET' ? target.listing([]) : undefined);
      const before = target.lines.length;
      await session.first.remove(record);
      expect(target.lines.slice(before).filter((line) => !line.startsWith('GET'))).toEqual(sent);
    },
  );

  test('tells its tag from that of a stranger, whose tag_id it got and whom a list goes on to show', async () => {
    const target = new FakeTarget(RENT);
    target.newId = () => '7';
    const { session } = sessionWith(target);
    await session.first.list();
    target.tags.clear();
    target.instead = ({ method }) => (method === 'GET' ? target.listing(Object.entries(RENT)) : undefined);
    const name = session.names.plain();
    const { record } = await session.first.create({ name }, [name]);
    expect(record.state).toBe('intended');
    await expect(session.first.rename('7', { name }, name)).rejects.toThrow('this run did not give');
    // The next lists still show the stranger's tag, because they lag.
    let lists = 0;
    target.instead = ({ method }) =>
      method === 'GET' && lists++ < 3 ? target.listing(Object.entries(RENT)) : undefined;
    await session.first.rename('7', { name }, name);
    expect(record).toMatchObject({ state: 'alive', tagId: '7' });
  });
});
