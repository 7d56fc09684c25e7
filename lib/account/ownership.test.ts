import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { Contradictions } from './contradictions.ts';
import { noLedger } from './ledger.ts';
import { Names } from './names.ts';
import { listed, made, whole } from './ownership.test.double.ts';
import { Ownership } from './ownership.ts';
import { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';
import { Tags } from './tags.ts';

describe('ownership', () => {
  test('knows a tag in capitals that the run gave it, also before the answer to its create', () => {
    const { ownership, tags, name } = made();
    const capitals = tags.intend(name.toUpperCase());
    ownership.learn(whole(listed(['7', name.toUpperCase()])));
    expect(ownership.strangers.has('7')).toBe(false);
    expect(capitals).toMatchObject({ tagId: '7', isSeen: true });
  });

  test('of a listed tag follows from a name that only the run can have given', () => {
    const { ownership, record, name } = made();
    ownership.learn(whole(listed(['1', name], ['2', 'Rent'], ['3', null])));
    expect(record).toMatchObject({ tagId: '1', isSeen: true, state: 'alive' });
    expect(['1', '2', '3'].map((id) => ownership.strangers.has(id))).toEqual([false, true, true]);
  });

  test.each([
    ['while both are under way', ['1']],
    ['while both are under way, also if a list shows both tags', ['1', '2']],
    ['while the other one is under way', ['1']],
  ])('of a name that two creates have is left open %s', async (when, shown) => {
    const { ownership, tags, record: first, name } = made();
    const second = tags.intend(name);
    const list = listed(...shown.map((tagId): [string, unknown] => [tagId, name]));
    const make = (record: TagRecord, tagId: string, meanwhile: () => Promise<unknown>): Promise<Exchange> =>
      tags.making(
        record,
        async () => {
          await meanwhile();
          return exchangeOf(answerOf(200, {}));
        },
        () => ownership.adopt(record, { tagId, name }),
      );
    const learn = (): Promise<void> => Promise.resolve(ownership.learn(whole(list)));
    await (when === 'while the other one is under way'
      ? make(first, '1', () => make(second, '2', () => Promise.resolve()).then(learn))
      : make(second, '2', () => make(first, '1', learn)));
    expect(first).toMatchObject({ tagId: '1', state: 'alive' });
    expect(second).toMatchObject({ tagId: '2', state: 'alive' });
  });

  test('is of the tag_id that a list shows, whether the create is answered with another one before it or after it', () => {
    const idAfter = (isAnsweredFirst: boolean): string | undefined => {
      const { ownership, record, name } = made();
      if (isAnsweredFirst) ownership.adopt(record, { tagId: '1', name });
      ownership.learn(whole(listed(['2', name])));
      if (!isAnsweredFirst) ownership.adopt(record, { tagId: '1', name });
      return record.tagId;
    };
    expect([idAfter(true), idAfter(false)]).toEqual(['2', '2']);
  });

  test('is not lost by a list that was requested before the create was answered', () => {
    const { ownership, record, name } = made();
    const before = whole(listed(['1', 'Rent']));
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn({ ...before, askedAt: before.askedAt - 1 });
    expect(record).toMatchObject({ tagId: '1', state: 'alive' });
    ownership.learn({ ...whole(listed(['1', 'Rent'])), askedAt: performance.now() + 1 });
    expect(record).toMatchObject({ state: 'intended' });
  });

  test('shows in letters of the run that are left in a mangled name, where the create answered the tag_id', () => {
    const { ownership, record, name } = made();
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn(whole(listed(['1', `<${name.slice(4, 12).toUpperCase()}…>`])));
    expect(record).toMatchObject({ tagId: '1', isSeen: true });
    expect(ownership.strangers.has('1')).toBe(false);
  });

  test('follows from the letters of a name, too, where its create was not answered', () => {
    const { ownership, record, name } = made();
    const kept = `${name.toUpperCase()}\uFFFD`;
    ownership.learn(whole(listed(['1', kept], ['2', `x${name}`])));
    expect(record).toMatchObject({ tagId: '1', isSeen: true, state: 'alive' });
    expect([...record.names]).toEqual([name, kept]);
    expect(ownership.strangers.has('2')).toBe(true);
  });

  test('once seen outlasts a change of the name', () => {
    const { ownership, record, name } = made();
    ownership.learn(whole(listed(['1', name])));
    ownership.learn(whole(listed(['1', 'renamed by somebody'])));
    expect(record).toMatchObject({ tagId: '1', isSeen: true, state: 'alive' });
    expect(ownership.strangers.has('1')).toBe(false);
  });

  test('once seen takes in the form in which the target keeps a name that anybody could give', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', name])));
    tags.renaming('1', 'null');
    ownership.learn(whole(listed(['1', 'Null'])));
    expect([...record.names]).toEqual([name, 'null', 'Null']);
  });

  test('is not lost by a filtered list that shows the tag under the name that it was asked for', () => {
    const { ownership, record, name } = made();
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn({ ...whole(listed(['1', 'other'])), filter: 'other' });
    expect(record).toMatchObject({ tagId: '1', state: 'alive' });
    ownership.learn(whole(listed(['1', 'other'])));
    expect(record).toMatchObject({ state: 'intended', shownAs: 'other' });
  });

  test('holds for both of two tags that one create made', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', name], ['2', name])));
    expect(record).toMatchObject({ tagId: '1', isSeen: true });
    expect(tags.records).toHaveLength(2);
    expect(tags.living('2')).toMatchObject({ isSeen: true });
    ownership.learn(whole(listed(['1', name], ['2', name])));
    expect(tags.records).toHaveLength(2);
  });

  test('holds for a tag that a list showed and for another of its name that a page shows without it', () => {
    const { ownership, tags, record, name } = made();
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn(whole(listed(['1', name])));
    ownership.learn({ ...whole(listed(['2', name])), isPage: true });
    const alive = tags.records.filter(({ state }) => state === 'alive');
    expect(alive.map(({ tagId }) => tagId)).toEqual(['1', '2']);
  });

  test('is not regained by a deleted tag that an older list still shows', () => {
    const { tags, ownership, name, record: first } = made();
    const twin = tags.intend(name);
    ownership.adopt(first, { tagId: '1', name });
    ownership.adopt(twin, { tagId: '2', name });
    tags.removed(first);
    ownership.learn(whole(listed(['1', name], ['2', name])));
    expect(tags.records).toHaveLength(2);
    expect(tags.living('1')).toBeUndefined();
    expect(tags.living('2')).toBe(twin);
  });

  test('is not lost by a list that still shows the deleted tag that had the tag_id before', () => {
    const { ownership, tags, record, name } = made();
    ownership.adopt(record, { tagId: '7', name });
    ownership.learn(whole(listed(['7', name])));
    tags.removed(record);
    const next = tags.intend('0');
    ownership.adopt(next, { tagId: '7', name: '0' });
    ownership.learn(whole(listed(['7', name])));
    expect(tags.living('7')).toBe(next);
    ownership.learn(whole(listed(['7', '0'])));
    expect(next).toMatchObject({ isSeen: true, state: 'alive' });
  });

  test('is not regained by a refused create of a deleted tag’s name that an older list still shows', () => {
    const { ownership, tags, record, name } = made();
    ownership.adopt(record, { tagId: '7', name });
    // The target answers a taken name with the tag that has it.
    const taken = tags.intend(name);
    ownership.adopt(taken, { tagId: '7', name });
    tags.removed(record);
    const next = tags.intend('another name');
    ownership.adopt(next, { tagId: '7', name: 'another name' });
    tags.removed(next);
    ownership.learn(whole(listed(['7', name])));
    expect(taken.state).toBe('refused');
    expect(tags.living('7')).toBeUndefined();
  });

  test.each([
    ['of the same name', ''],
    ['of a name that the target keeps in the same form', ' '],
  ])(
    'is not doubted where a list shows the tag_id of a deleted tag before a create %s is answered',
    async (_, end) => {
      const signs = new Signs();
      const tags = new Tags(noLedger, 'first', signs, 0);
      const names = new Names();
      const ownership = new Ownership(tags, names, new Contradictions(signs, 0));
      const name = names.plain();
      const former = tags.intend(name);
      ownership.adopt(former, { tagId: '7', name });
      tags.removed(former);
      const list = { exchange: listed(['7', name]), askedAt: performance.now() + 1 };
      const created = exchangeOf(answerOf(200, {}));
      const showBefore = (): Promise<Exchange> => {
        ownership.learn(list);
        return Promise.resolve(created);
      };
      await tags.making(tags.intend(name + end), showBefore, () => undefined);
      expect(signs.of('delete-without-effect')).toEqual([]);
      ownership.learn(list);
      expect(signs.of('delete-without-effect')).toHaveLength(1);
    },
  );

  test('is not lost by a list that still shows a deleted tag in another form of its last name', () => {
    const { ownership, tags, record, name } = made();
    ownership.adopt(record, { tagId: '7', name });
    tags.removed(record);
    ownership.learn(whole(listed(['7', `[${name.toUpperCase()}`])));
    expect(ownership.strangers.has('7')).toBe(false);
  });

  test('does not pass to a tag of its name that an update of an unknown tag_id may have made', () => {
    const { ownership, tags, record, name } = made();
    ownership.adopt(record, { tagId: '7', name });
    const ofUpdate = tags.intendUpdate(name, '9000');
    tags.renaming('7', name);
    ownership.learn(whole(listed(['9000', name])));
    expect([record.tagId, ofUpdate.tagId]).toEqual(['7', '9000']);
  });
});
