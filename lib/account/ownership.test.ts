import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { Contradictions } from './contradictions.ts';
import type { Look } from './look.ts';
import { noLedger } from './ledger.ts';
import { Names } from './names.ts';
import { Ownership } from './ownership.ts';
import { Signs } from './signs.ts';
import { Tags } from './tags.ts';
import type { TagRecord } from './tag-record.ts';

/** A list of all tags that was requested now. */
const whole = (exchange: Exchange): Look => ({ exchange, askedAt: performance.now() });

const tagsOfRun = (): Tags => new Tags(noLedger, 'first', new Signs(), 1_000);

describe('ownership', () => {
  /** An ownership with one name of the run, whose create was answered with no tag. */
  function made(given?: string): {
    ownership: Ownership;
    tags: Tags;
    record: TagRecord;
    name: string;
  } {
    const [names, tags] = [new Names(), tagsOfRun()];
    const name = given ?? names.plain();
    return {
      ownership: new Ownership(tags, names, new Contradictions(new Signs(), 0)),
      tags,
      record: tags.intend(name),
      name,
    };
  }
  const listed = (...pairs: [string, unknown][]): Exchange =>
    exchangeOf(answerOf(200, { error: false, tagging: pairs.map(([tag_id, name]) => ({ tag_id, name })) }));

  test('knows a tag in capitals that the run gave it, also before the answer to its create', () => {
    const { ownership, tags, name } = made();
    const capitals = tags.intend(name.toUpperCase());
    ownership.learn(whole(listed(['7', name.toUpperCase()])));
    expect(ownership.strangers.has('7')).toBe(false);
    expect(capitals).toMatchObject({ tagId: '7', isSeen: true });
  });

  test.each([
    ['counts as a contradiction', 2, ['3', '4']],
    ['counts as none where a stranger had the tag_id before: a list may lag', 0, ['1', '2']],
  ])('of tags that a list shows with a stranger\u2019s name %s', (_, expected, ids) => {
    const [names, tags, signs] = [new Names(), tagsOfRun(), new Signs()];
    const contradictions = new Contradictions(signs, 0);
    const ownership = new Ownership(tags, names, contradictions);
    ownership.learn(whole(listed(['1', 'Rent'], ['2', 'Food'])));
    const own = ids.map((tagId): [string, string] => [tagId, names.plain()]);
    for (const [tagId, name] of own) {
      const made = exchangeOf(answerOf(200, {}));
      tags.acknowledged(tags.intend(name), made, { tagId, name });
    }
    ownership.learn(whole(listed(...own)));
    for (const [tagId, name] of own) ownership.learn({ ...whole(listed([tagId, name])), filter: name });
    ownership.learn(whole(listed(...ids.map((tagId): [string, string] => [tagId, 'Books']))));
    contradictions.conclude(false, () => false);
    expect(signs.of('lists-differ')).toHaveLength(expected);
  });

  test('of a listed tag follows from a name that only the run can have given', () => {
    const { ownership, record, name } = made();
    ownership.learn(whole(listed(['1', name], ['2', 'Rent'], ['3', null])));
    expect(record).toMatchObject({ tagId: '1', isSeen: true, state: 'alive' });
    expect(['1', '2', '3'].map((id) => ownership.strangers.has(id))).toEqual([false, true, true]);
  });

  test('is not of a copy that somebody makes while the create is under way', async () => {
    const shown = async (isAnswered: boolean): Promise<boolean> => {
      const { ownership, tags, record, name } = made();
      const list = listed(['7', `copy of ${name}`]);
      const lost = exchangeOf(failure('timeout'));
      const send = (): Promise<Exchange> => {
        if (!isAnswered) ownership.learn(whole(list));
        return Promise.resolve(lost);
      };
      await tags.making(record, send, () => undefined);
      if (isAnswered) ownership.learn(whole(list));
      return ownership.strangers.has('7');
    };
    expect([await shown(false), await shown(true)]).toEqual([true, false]);
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

  test('is never of what was there before the run made anything, under whichever name', () => {
    const names = new Names();
    const tags = tagsOfRun();
    const ownership = new Ownership(tags, names, new Contradictions(new Signs(), 0));
    const name = names.plain();
    ownership.learn(whole(listed(['1', name])));
    const record = tags.intend(name);
    ownership.learn(whole(listed(['1', name], ['2', name])));
    expect(ownership.strangers.has('1')).toBe(true);
    expect(record).toMatchObject({ tagId: '2', isSeen: true });
  });

  test('is never of a stranger’s tag that a filtered list shows under the name that it was asked for', () => {
    const { ownership, record, name } = made();
    ownership.learn(whole(listed(['1', 'Rent'])));
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn({ ...whole(listed(['1', name])), filter: name });
    expect(ownership.strangers.has('1')).toBe(true);
    expect(record).toMatchObject({ state: 'intended', isSeen: false });
  });

  test('passes from a stranger to the run with a tag_id that a create answered, where a list shows a name that only the run gave', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', 'Rent'])));
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn(whole(listed(['1', name])));
    // An update of all tags may have renamed it.
    expect(ownership.strangers.has('1')).toBe(true);
    tags.acknowledged(record, exchangeOf(answerOf(200)), { tagId: '1', name });
    ownership.learn(whole(listed(['1', 'Rent'])));
    ownership.learn(whole(listed(['1', name])));
    expect(ownership.strangers.has('1')).toBe(false);
    expect(record).toMatchObject({ tagId: '1', state: 'alive', isSeen: true });
  });

  test('passes with the tag_id also where the list arrived before the answer to the create', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', 'Rent'], ['2', 'Tax'])));
    ownership.learn(whole(listed(['1', name], ['2', 'Tax'])));
    expect(ownership.strangers.has('1')).toBe(true);
    tags.acknowledged(record, exchangeOf(answerOf(200)), { tagId: '1', name });
    ownership.learn(whole(listed(['1', name], ['2', 'Tax'])));
    ownership.adopt(record, { tagId: '1', name });
    expect(record).toMatchObject({ tagId: '1', state: 'alive' });
  });

  test('passes with the tag_id that a list showed under a form of the name while the create was under way', () => {
    const claim = (listedName: string, isBefore = false): boolean => {
      const { ownership, record } = made('__proto__');
      const before = performance.now();
      ownership.learn(whole(listed(['1', listedName])));
      const sentAt = isBefore ? performance.now() + 1 : before;
      ownership.releaseNew(record, '1', sentAt);
      return !ownership.strangers.has('1');
    };
    expect(claim('__Proto__')).toBe(true);
    expect(claim('__Proto__', true)).toBe(false);
    expect(claim('Rent')).toBe(false);
  });

  test('passes with the tag_id where filtered lists show it under a name of the tag only', () => {
    const { ownership, record, name } = made();
    const claim = (...lists: readonly Exchange[]): boolean => {
      ownership.learn(whole(listed(['1', 'Rent'])));
      ownership.releaseTo(record, '1', lists);
      return !ownership.strangers.has('1');
    };
    expect(ownership.strangers.has('1')).toBe(false);
    expect(claim(listed(), listed(['1', name]))).toBe(true);
    expect(claim(listed(['1', 'Rent']), listed(['1', name]))).toBe(false);
    expect(claim(listed(), listed())).toBe(false);
    expect(claim(exchangeOf(answerOf(500, {})), listed(['1', name]))).toBe(false);
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

  test.each([
    ['passes', 'again', false],
    ['does not pass', 'once', true],
  ])(
    '%s with a tag_id that a create without an answer may have been given, where the target gives tag_ids %s',
    async (_passes, times, isStranger) => {
      const { ownership, tags, record, name } = made();
      ownership.learn(whole(listed(['1', 'Rent'])));
      tags.deleted.givesIdsAgain = times === 'again';
      const sending = tags.making(
        record,
        () => {
          // The create may still be answered with another tag_id.
          ownership.learn(whole(listed(['1', name])));
          expect(ownership.strangers.has('1')).toBe(true);
          return Promise.resolve(exchangeOf(failure('closed')));
        },
        () => undefined,
      );
      await sending;
      ownership.learn(whole(listed(['1', name])));
      expect(ownership.strangers.has('1')).toBe(isStranger);
      expect(record.tagId).toBe(isStranger ? undefined : '1');
    },
  );

  test('does not pass with a tag_id to a create that was answered with another, though the target gives tag_ids again', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', 'Rent'])));
    tags.deleted.givesIdsAgain = true;
    tags.acknowledged(record, exchangeOf(answerOf(200, {})), { tagId: '2', name });
    ownership.adopt(record, { tagId: '2', name });
    // These lists show the tag_ids of both tags the wrong way round.
    ownership.learn(whole(listed(['1', name], ['2', 'Rent'])));
    ownership.learn(whole(listed(['1', name], ['2', 'Rent'])));
    expect(ownership.strangers.has('1')).toBe(true);
    expect(record.tagId).not.toBe('1');
  });

  test('of a stranger ends where a whole list no longer shows the tag_id, and not where a page leaves it out', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', 'Rent'], ['2', name])));
    expect(record).toMatchObject({ tagId: '2', isSeen: true });
    ownership.learn(whole(listed(['3', 'a page without the run’s tag'])));
    expect(ownership.strangers.has('1')).toBe(true);
    ownership.learn(whole(listed(['2', name])));
    expect(ownership.strangers.has('1')).toBe(false);
    expect(tags.living('2')).toBe(record);
  });

  test('shows in letters of the run that are left in a mangled name, where the create answered the tag_id', () => {
    const { ownership, record, name } = made();
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn(whole(listed(['1', `<${name.slice(4, 12).toUpperCase()}…>`])));
    expect(record).toMatchObject({ tagId: '1', isSeen: true });
    expect(ownership.strangers.has('1')).toBe(false);
  });

  test('is of the create that was answered with the tag_id, where a later one of the same name was refused', () => {
    const { ownership, tags, record, name } = made();
    tags.acknowledged(record, exchangeOf(answerOf(200, {})), { tagId: '9', name });
    ownership.adopt(record, { tagId: '9', name });
    // This list lags: a stranger's tag had the tag_id before.
    ownership.learn(whole(listed(['9', 'Rent'])));
    const later = tags.intend(name);
    tags.refused(later);
    ownership.learn(whole(listed(['9', name])));
    expect(record).toMatchObject({ tagId: '9', isSeen: true, state: 'alive' });
    expect(later.state).toBe('refused');
  });

  test('is not believed from the answer to a create alone', () => {
    const { ownership, record, name } = made();
    ownership.adopt(record, { tagId: '1', name });
    expect(record).toMatchObject({ tagId: '1', state: 'alive', isSeen: false });
    ownership.learn(whole(listed(['1', 'Rent'])));
    expect(record).toMatchObject({ state: 'intended', isSeen: false });
    expect(ownership.strangers.has('1')).toBe(true);
  });

  test('is not believed from an answer that gives the name of a stranger either', () => {
    const { ownership, record } = made();
    ownership.adopt(record, { tagId: '1', name: 'Rent' });
    ownership.learn(whole(listed(['1', 'Rent'])));
    expect(record.isSeen).toBe(false);
    expect(ownership.strangers.has('1')).toBe(true);
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

  test('ends where a delete with another token was acknowledged and a list shows a stranger’s tag with the tag_id', () => {
    const { ownership, tags, record, name } = made();
    ownership.adopt(record, { tagId: '7', name });
    tags.mark(record, 'mayBeGone', 'isLikelyGone');
    ownership.learn(whole(listed(['7', 'Rent'])));
    expect(record.state).toBe('removed');
    expect(ownership.strangers.has('7')).toBe(true);
  });

  test('ends so as well where a list showed the stranger’s tag before the answer to the delete', async () => {
    const { ownership, tags, record } = made();
    ownership.adopt(record, { tagId: '7', name: undefined });
    tags.mark(record, 'mayBeGone');
    await tags.writing('7', 'delete', () => {
      ownership.learn(whole(listed(['7', 'Rent'])));
      return Promise.resolve(exchangeOf(answerOf(200, {})));
    });
    tags.mark(record, 'isLikelyGone');
    ownership.learn(whole(listed(['7', 'Rent'])));
    expect(record.state).toBe('removed');
  });

  test('is not doubted where a list shows the tag_id of a deleted tag before the create of the same name is answered', async () => {
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
    await tags.making(tags.intend(name), showBefore, () => undefined);
    expect(signs.of('delete-without-effect')).toEqual([]);
    ownership.learn(list);
    expect(signs.of('delete-without-effect')).toHaveLength(1);
  });

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

  test('passes on to another tag that is given the id of a removed one', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', name])));
    tags.removed(record);
    ownership.learn(whole(listed(['1', 'Rent'])));
    expect(ownership.strangers.has('1')).toBe(true);
  });
});
