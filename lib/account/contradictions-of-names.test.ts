import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { found, isOfAnother, LISTED, look, tagMadeAt } from './contradictions.test.double.ts';
import type { OwnedTag } from './tag-record.ts';

describe('a tag that lists show with its former name after an update', () => {
  const [BEFORE, AFTER] = ['ctbcdfghjklmnp', 'ctpnmlkjhgfdcb'];
  /** When writes ended: within the settle time before the first list. */
  const JUST_NOW = 9;

  /** How many signs there are after so many tags were updated, and lists have shown them with these names. */
  const signsOf = (
    tags: number,
    shown: readonly string[],
    { after = AFTER, more = {}, writtenAt = 0, late = false } = {},
  ): number => {
    const { contradictions, signs } = found();
    const ask = {
      operation: 'rename',
      method: 'PUT',
      body: JSON.stringify({ name: after, ...more }),
    } as const;
    for (let key = 0; key < tags; key++) {
      const updates = [{ name: after, sentAt: 0, exchange: exchangeOf(answerOf(200, {}), ask) }];
      const tag = Object.assign(tagMadeAt(0), { key, updates, writtenAt, names: new Set([BEFORE, after]) });
      for (const [at, name] of shown.entries())
        contradictions.shows(tag, { tagId: `${key}`, name }, look(at));
    }
    if (late) signs.record('late-effect', 'later', look(0).exchange);
    contradictions.conclude(false, isOfAnother);
    return signs.of('update-lost').length;
  };

  test('counts, if there are two', () => {
    expect(signsOf(2, [BEFORE])).toBe(2);
    expect(signsOf(1, [BEFORE])).toBe(0);
  });

  test('counts within the settle time, if there are three and effects do not show late', () => {
    expect(signsOf(2, [BEFORE], { writtenAt: JUST_NOW })).toBe(0);
    expect(signsOf(3, [BEFORE], { writtenAt: JUST_NOW })).toBe(3);
    expect(signsOf(3, [BEFORE], { writtenAt: JUST_NOW, late: true })).toBe(0);
    expect(signsOf(3, [BEFORE, AFTER], { writtenAt: JUST_NOW })).toBe(0);
  });

  test('counts after an update to a name with punctuation', () => {
    expect(signsOf(2, [BEFORE], { after: `#${AFTER}"` })).toBe(2);
  });

  test('does not count if it has the new name, or the update was not an ordinary one, or to an odd name', () => {
    const odd = `${AFTER}\u0000`;
    expect(signsOf(2, [AFTER])).toBe(0);
    expect(signsOf(2, [BEFORE], { after: odd })).toBe(0);
    expect(signsOf(2, [BEFORE], { after: BEFORE.toUpperCase() })).toBe(0);
    expect(signsOf(2, [BEFORE], { more: { more: 1 } })).toBe(0);
  });
});

describe('a tag that lists show under two names', () => {
  /** The numbers of the lists whose signs are recorded, and of those that showed another name. */
  const changesIn = (...given: readonly (readonly [name: string, writtenAt: number])[]): unknown => {
    const { contradictions, signs } = found();
    const tag = tagMadeAt(0);
    for (const [at, [name, writtenAt]] of given.entries()) {
      tag.writtenAt = writtenAt;
      contradictions.shows(tag, { tagId: '1', name }, look(at));
    }
    return signs.of('list-changing').map(({ exchanges }) => exchanges.map(({ number }) => number));
  };

  test.each([
    [
      'counts once, when the first name is back after the settle time',
      ['a', 'b', 'b', 'a', 'b', 'a'],
      [[3, 1]],
    ],
    ['does not count while copies of the data may differ', ['a', 'b', 'a'], []],
    ['does not count where the name stays', ['a', 'b', 'b', 'b'], []],
  ])('%s', (_, names, changes) => {
    expect(changesIn(...names.map((name) => [name, 0] as const))).toEqual(changes);
  });

  test('does not count where the run wrote to it meanwhile', () => {
    expect(changesIn(['a', 0], ['b', 0], ['b', 3], ['a', 3], ['a', 3])).toEqual([]);
  });
});

describe('tags that lists with and without a filter show under different names', () => {
  /** The number of signs, after a filtered list has shown the given name of each tag, and then the whole list another one. */
  const signsOf = (count: number, whole: string, change?: (tag: OwnedTag) => void): number => {
    const { contradictions, signs } = found();
    for (let made = 0; made < count; made++) {
      const tag = tagMadeAt(0);
      tag.tagId = String(made);
      contradictions.shows(tag, LISTED, { ...look(0), filter: 'a' });
      change?.(tag);
      contradictions.shows(tag, { ...LISTED, name: whole }, look(1));
    }
    contradictions.conclude(false, isOfAnother);
    return signs.of('lists-differ').length;
  };

  test('count if there are several', () => {
    expect([signsOf(2, 'b'), signsOf(1, 'b'), signsOf(2, 'a')]).toEqual([2, 0, 0]);
  });

  test('do not count where the run wrote to them meanwhile', () => {
    expect(signsOf(2, 'b', (tag) => void (tag.writtenAt = 5))).toBe(0);
  });

  test('do not count where the whole list shows a former name', () => {
    const { contradictions, signs } = found();
    for (const tag of [tagMadeAt(0), tagMadeAt(0)]) {
      contradictions.shows(tag, { ...LISTED, name: 'kept' }, look(0));
      const update = { ...exchangeOf(answerOf(200, {})), number: 100 };
      tag.updates.push({ name: 'b', sentAt: 0, exchange: update });
      tag.writtenAt = 5;
      contradictions.shows(tag, { ...LISTED, name: 'b' }, { ...look(1), filter: 'b' });
      contradictions.shows(tag, { ...LISTED, name: 'kept' }, look(2));
    }
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('lists-differ')).toEqual([]);
  });

  test('do not count where the whole list shows the name of a deleted tag with this tag_id that no list showed before', () => {
    const { contradictions, signs } = found();
    for (const tagId of ['1', '2']) {
      const tag = tagMadeAt(0);
      tag.tagId = tagId;
      contradictions.shows(tag, { ...LISTED, name: 'b' }, look(1), (name) => name === 'b');
      contradictions.shows(tag, LISTED, { ...look(2), filter: 'a' }, (name) => name === 'b');
    }
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('lists-differ')).toEqual([]);
  });

  test('do not count where the whole list shows the name of a deleted tag whose tag_id they were given', () => {
    const { contradictions, signs } = found();
    for (const tagId of ['1', '2']) {
      const [former, tag] = [tagMadeAt(0), tagMadeAt(0)];
      former.tagId = tag.tagId = tagId;
      contradictions.shows(former, { ...LISTED, name: 'b' }, look(0));
      contradictions.shows(tag, { ...LISTED, name: 'b' }, look(1));
      contradictions.shows(tag, LISTED, { ...look(2), filter: 'a' });
    }
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('lists-differ')).toEqual([]);
  });
});
