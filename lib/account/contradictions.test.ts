import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf } from '../http/exchange.test.double.ts';
import { found, isOfAnother, LISTED, look, tagMadeAt } from './contradictions.test.double.ts';
import { OwnedTag } from './tag-record.ts';

describe('a tag that a list leaves out', () => {
  test('counts once, when a later list shows it', () => {
    const { contradictions, signs } = found();
    const tag = tagMadeAt(0);
    const leavesOut = (number: number): void => contradictions.leavesOut([tag], look(number), new Set());
    contradictions.shows(tag, LISTED, { ...look(0), filter: 'a' });
    leavesOut(1);
    contradictions.shows(tag, LISTED, look(2));
    leavesOut(3);
    leavesOut(4);
    contradictions.shows(tag, LISTED, look(2));
    contradictions.shows(tag, LISTED, look(5));
    leavesOut(6);
    contradictions.shows(tag, LISTED, look(7));
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('list-incomplete')).toMatchObject([{ exchanges: [{ number: 5 }, { number: 3 }] }]);
  });

  test.each([
    ['does not count while it is young, if it is the only one', 1, 0],
    ['counts while it is young, if others are left out as well', 3, 3],
  ])('%s', (_, tags, signsOf) => {
    const { contradictions, signs } = found();
    for (let made = 0; made < tags; made++) {
      const tag = tagMadeAt(10);
      contradictions.shows(tag, LISTED, look(0));
      contradictions.leavesOut([tag], look(1), new Set());
      contradictions.shows(tag, LISTED, look(2));
    }
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('list-incomplete')).toHaveLength(signsOf);
  });
});

describe('a tag that only filtered lists show', () => {
  test.each([
    ['counts if a list that has to be whole leaves it out', { madeAt: 0, isWhole: true }, 1],
    ['does not count if that list may be a page', { madeAt: 0, isWhole: false }, 0],
    ['does not count while it is young', { madeAt: 10, isWhole: true }, 0],
  ])('%s', (_, { madeAt, isWhole }, signsOf) => {
    const { contradictions, signs } = found();
    const tag = Object.assign(tagMadeAt(madeAt), { given: LISTED });
    contradictions.shows(tag, LISTED, { ...look(0), filter: 'a' });
    contradictions.leavesOut([tag], { ...look(1), isWhole }, new Set());
    contradictions.shows(tag, LISTED, { ...look(2), filter: 'a' });
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('list-incomplete')).toHaveLength(signsOf);
  });
});

describe('a tag that a refused delete may have removed', () => {
  const refused = (): OwnedTag =>
    Object.assign(tagMadeAt(0), { names: new Set(['a', 'b']), mayBeGone: true });

  test('was there if a list leaves it out between two that show it', () => {
    const { contradictions, signs } = found();
    const tag = refused();
    contradictions.shows(tag, LISTED, look(0));
    contradictions.leavesOut([tag], look(1), new Set());
    contradictions.shows(tag, LISTED, look(2));
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('list-incomplete')).toHaveLength(1);
  });

  test('has one name, if lists show it under names of its own', () => {
    const { contradictions, signs } = found();
    const tag = refused();
    for (const [number, name] of ['a', 'b', 'a', 'a'].entries())
      contradictions.shows(tag, { tagId: '1', name }, look(number));
    expect(signs.of('list-changing')).toHaveLength(1);
  });

  test('may be another tag with its tag_id, if lists show it under another name', () => {
    const { contradictions, signs } = found();
    const tag = refused();
    for (const [number, name] of ['a', 'other', 'a', 'a'].entries())
      contradictions.shows(tag, { tagId: '1', name }, look(number));
    expect(signs.of('list-changing')).toHaveLength(0);
  });
});

describe('a tag whose name lists show under a second tag_id', () => {
  const create = { ...exchangeOf(answerOf(200, {})), number: 100 };
  const remove = { ...exchangeOf(answerOf(200, {})), number: 200 };

  /** The signs, after lists have shown copies of tags that differ from one that was made by one create in these ways. */
  const signsOf = (tags: readonly Partial<OwnedTag>[], throttled = 0): unknown => {
    const { contradictions, signs } = found();
    for (let time = 0; time < throttled; time++) signs.record('throttled', 'slower', create);
    const records = tags.map((tag, key) => {
      const [tagId, name] = [`${key}`, `name ${key}`];
      const base = { ...tagMadeAt(0), tagId, creation: create, given: { tagId, name } };
      return Object.assign(new OwnedTag(key, [name]), base, { key, names: new Set([name]) }, tag);
    });
    for (const record of records) {
      const copy = { tagId: `${record.key}9`, name: `name ${record.key}` };
      contradictions.confusions.showsCopy(record, copy, look(record.key), records);
      contradictions.confusions.showsCopy(record, copy, look(record.key + 1), records);
    }
    contradictions.conclude(false, isOfAnother);
    return (['made-twice', 'copied-by-update', 'delete-without-effect', 'create-lost'] as const).flatMap(
      (sign) => signs.of(sign).map(({ exchanges }) => [sign, ...exchanges.map(({ number }) => number)]),
    );
  };
  const updated = { updates: [{ name: 'name', sentAt: 0, exchange: create }] };
  const removed = { state: 'removed', removal: remove, removedAt: 0 } as const;

  test.each<readonly [string, readonly Partial<OwnedTag>[], unknown]>([
    [
      'counts once for each create',
      [{}, {}],
      [
        ['made-twice', 100, 0],
        ['made-twice', 100, 1],
      ],
    ],
    ['does not count if it is the only one: another user may have copied the name', [{}], []],
    [
      'counts for the update, if there was one',
      [updated, updated],
      [
        ['copied-by-update', 100, 0],
        ['copied-by-update', 100, 1],
      ],
    ],
    [
      'counts for the delete',
      [removed, removed],
      [
        ['delete-without-effect', 200, 0],
        ['delete-without-effect', 200, 1],
      ],
    ],
    ['does not count while a delete may take to show', [removed, { ...removed, removedAt: 11 }], []],
    [
      'counts for the create alone, where a copy may be older than the delete',
      [{}, removed],
      [['made-twice', 100, 0]],
    ],
    ['does not count where the create was sent twice', [{}, { mayBeTwice: true }], []],
    ['does not count where another create had the name', [{}, { names: new Set(['name 0', 'name 1']) }], []],
  ])('%s', (_, tags, signs) => {
    expect(signsOf(tags)).toEqual(signs);
  });

  test('does not count if it is a tag of another account', () => {
    const signs = signsOf([{}, {}, {}]);
    expect(signs).toEqual([
      ['made-twice', 100, 0],
      ['made-twice', 100, 1],
    ]);
  });

  test('is told to have the tag_id of another tag if a create gave that', () => {
    const { contradictions, signs } = found();
    const records = [0, 1, 2].map((key) => {
      const [tagId, name] = [`${key}`, `name ${key}`];
      const made = { ...tagMadeAt(0), creation: create, given: { tagId, name }, ...updated };
      return Object.assign(new OwnedTag(key, [name]), made, { key, tagId, name, names: new Set([name]) });
    });
    for (const record of records.slice(1)) {
      const shown = { tagId: `${record.key - 1}`, name: record.name };
      contradictions.confusions.showsCopy(record, shown, look(1), records);
    }
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('copied-by-update').map(({ why }) => why)).toEqual([
      'after an update, beside the tag a list shows a tag of its name "name 1" with the tag_id "0", which is that of another tag',
      'after an update, beside the tag a list shows a tag of its name "name 2" with the tag_id "1", which is that of another tag',
    ]);
  });

  test('does not count for creates that were put off, and may have been carried out all the same', () => {
    expect(signsOf([{}, {}], 1)).toEqual([]);
    expect(signsOf([removed, removed], 1)).toHaveLength(2);
  });

  test.each([
    [
      'is due to an update of another tag to that name after the create, even if it is confirmed later',
      false,
      1,
      'copied-by-update',
    ],
    ['is due to the create if the update was sent before', false, -1, 'create-lost'],
    ['is told as such if lists showed the tag under its own name before', true, 1, 'name-of-another'],
  ] as const)('with the name of another tag %s', (_what, isSeen, sentAt, sign) => {
    const { contradictions, signs } = found();
    const updates: OwnedTag['updates'] = [];
    for (const key of [0, 1]) {
      const own = { tagId: `${key}`, creation: create, isSeen };
      const tag = Object.assign(new OwnedTag(key, [`name ${key}`]), own);
      const other = Object.assign(new OwnedTag(2, ['name 2']), { updates });
      contradictions.confusions.misnames(tag, { tagId: `${key}`, name: 'name 2' }, look(key), [other]);
    }
    updates.push({ name: 'name 2', sentAt: create.startedAt + sentAt, exchange: exchangeOf(answerOf(200)) });
    contradictions.conclude(false, isOfAnother);
    expect(signs.of(sign)).toHaveLength(2);
  });

  test('counts as well if it is the tag_id of another create', () => {
    const { contradictions, signs } = found();
    for (const key of [0, 1]) {
      const tag = Object.assign(new OwnedTag(key, [`name ${key}`]), { tagId: `${key}`, creation: create });
      contradictions.confusions.misnames(tag, { tagId: `${key}`, name: 'name 2' }, look(key), []);
    }
    contradictions.conclude(false, isOfAnother);
    expect(signs.of('create-lost')).toMatchObject([
      { exchanges: [{}, { number: 0 }] },
      { exchanges: [{}, { number: 1 }] },
    ]);
  });
});

describe('a tag with the name of a refused create', () => {
  const PLAIN = 'ctbcdfghjklmnp';
  const isSign = (
    name: string,
    isOrdinary: boolean,
    before: number,
    state: OwnedTag['state'] = 'refused',
  ): boolean => {
    const { contradictions, signs } = found();
    const body = JSON.stringify(isOrdinary ? { name } : { name, more: 1 });
    const refusal = exchangeOf(answerOf(422, {}), { operation: 'create', body });
    const refused = Object.assign(new OwnedTag(0, [name]), { state: 'refused', refusal, refusedAt: 5 });
    const other = Object.assign(new OwnedTag(1, [name]), { state });
    contradictions.showsRefused(refused, name, look(1).exchange, { records: [refused, other], before });
    return signs.of('refused-made-later').length === 1;
  };

  test('counts if a list before did not show it, or if the create was ordinary and the name plain', () => {
    expect([isSign('x', true, 6), isSign(PLAIN, false, 6), isSign(PLAIN, true, 4)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('does not count otherwise: the check of that create looks for its tag', () => {
    expect([isSign('x', true, 4), isSign(PLAIN, false, 4)]).toEqual([false, false]);
  });

  test('does not count where another create of that name was accepted', () => {
    expect(isSign(PLAIN, true, 6, 'alive')).toBe(false);
  });
});
