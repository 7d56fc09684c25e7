import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { removeAll } from './residue.ts';
import { stranger } from './residue.test.double.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

/** Makes two tags where no list can be read and creates give these tag_ids, and tidies up. */
async function tidied(answersWith: (made: string, name: string) => { name: string; tag_id: string }) {
  const target = new FakeTarget(stranger);
  target.instead = ({ method, path }, name = '') => {
    if (method === 'GET') return failure('oversized');
    return method === 'POST' && !path.endsWith('login')
      ? answerOf(200, { tagging: answersWith(target.make(name), name) })
      : undefined;
  };
  const { session } = sessionWith(target);
  for (const name of [session.names.plain(), session.names.plain()])
    await session.first.create({ name }, [name]);
  const residue = await removeAll(session.first, session);
  return { told: residue.map(({ state }) => state), tags: [...target.tags.keys()] };
}

describe('where no list can be read', () => {
  test('tags are removed by the tag_ids that their creates gave, and told, because nothing confirms it', async () => {
    const { told, tags } = await tidied((tag_id, name) => ({ name, tag_id }));
    expect(tags).toEqual(Object.keys(stranger));
    expect(told).toEqual(['may be left', 'may be left']);
  });

  test.each([
    ['is told where no list has shown that deletes work', false, ['may be left']],
    ['is not told where a list has shown that deletes work', true, []],
  ])('a tag whose delete was confirmed %s', async (_what, isShown, states) => {
    const target = new FakeTarget(stranger);
    let isReadable = true;
    target.instead = ({ method }) => (method === 'GET' && !isReadable ? failure('oversized') : undefined);
    const { session } = sessionWith(target);
    const make = async (): Promise<string> => {
      const name = session.names.plain();
      const { record } = await session.first.create({ name }, [name]);
      await session.first.list();
      return record.tagId ?? '';
    };
    const tagId = await make();
    if (isShown) {
      await session.first.delete(await make());
      await session.first.list();
    }
    isReadable = false;
    await session.first.delete(tagId);
    expect((await removeAll(session.first, session)).map(({ state }) => state)).toEqual(states);
  });

  test.each([
    ['two creates gave', (_: string, name: string) => ({ name, tag_id: '7' })],
    ['a create gave with another name', (tag_id: string) => ({ name: 'Rent', tag_id })],
  ])('a tag_id that %s is not deleted', async (_what, answersWith) => {
    const { told, tags } = await tidied(answersWith);
    expect(tags).toHaveLength(3);
    expect(told).toEqual(['may be left', 'may be left']);
  });
});
