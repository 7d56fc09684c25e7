import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import type { Exchange } from '../http/exchange.ts';
import { Contradictions } from './contradictions.ts';
import { Names } from './names.ts';
import { listed, made, tagsOfRun, whole } from './ownership.test.double.ts';
import { Ownership } from './ownership.ts';
import { Signs } from './signs.ts';

describe('ownership', () => {
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

  test('passes on to another tag that is given the id of a removed one', () => {
    const { ownership, tags, record, name } = made();
    ownership.learn(whole(listed(['1', name])));
    tags.removed(record);
    ownership.learn(whole(listed(['1', 'Rent'])));
    expect(ownership.strangers.has('1')).toBe(true);
  });

  test('passes with the tag_id of a removed tag to a younger one of the same name, though a stranger’s had it between them', () => {
    const [names, tags, signs] = [new Names(), tagsOfRun(), new Signs()];
    const ownership = new Ownership(tags, names, new Contradictions(signs, 0));
    const name = names.plain();
    ownership.learn(whole(listed(['1', 'Rent'])));
    const former = tags.intend(name);
    ownership.learn(whole(listed(['1', 'Rent'], ['2', name])));
    tags.removed(former);
    ownership.learn(whole(listed(['1', 'Rent'], ['2', 'Tax'])));
    const younger = tags.intend(name);
    tags.acknowledged(younger, exchangeOf(answerOf(200)), { tagId: '2', name });
    ownership.adopt(younger, { tagId: '2', name });
    const later = performance.now() + 2 * tags.settleMs;
    ownership.learn({ exchange: listed(['1', 'Rent'], ['2', name]), askedAt: later });
    expect(younger).toMatchObject({ tagId: '2', state: 'alive', isSeen: true });
    expect(signs.of('delete-without-effect')).toEqual([]);
  });
});
