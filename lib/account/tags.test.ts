import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { FakeTarget, sessionWith } from '../run/session.test.double.ts';
import { noLedger } from './ledger.ts';
import { Signs } from './signs.ts';
import type { TagRecord } from './tag-record.ts';
import { Tags } from './tags.ts';

/** Tags whose ledger lines stay at hand. */
function kept(): { tags: Tags; lines: unknown[] } {
  const lines: unknown[] = [];
  const ledger = { write: (entry: unknown) => lines.push(entry), discard: () => undefined };
  return { tags: new Tags(ledger, 'first', new Signs(), 0), lines };
}

describe('a deleted tag that a list shows after the settle time', () => {
  const again = answerOf(200);
  test.each([
    ['a sign', 'delete', again, 1],
    ['a sign', 'delete', failure('closed'), 1],
    ['a sign', 'rename', answerOf(404), 1],
    ['no sign, because that may have made a tag,', 'rename', again, 0],
  ] as const)('is %s where a %s follows the delete', async (_what, operation, came, signs) => {
    const all = new Signs();
    const tags = new Tags(noLedger, 'first', all, 0);
    const record = tags.intend('a');
    tags.made(record, '1');
    tags.removed(record);
    await tags.writing('1', operation, () => Promise.resolve(exchangeOf(came)));
    tags.showsDeleted('1', { exchange: exchangeOf(again), askedAt: Infinity });
    expect(all.of('delete-without-effect')).toHaveLength(signs);
  });
});

describe('the tags of a run', () => {
  test('keeps the first delete of a tag that was deleted twice', () => {
    const { tags } = kept();
    const record = tags.intend('a');
    tags.made(record, '1');
    for (const startedAt of [1, 2]) tags.removed(record, { ...exchangeOf(answerOf(200)), startedAt });
    expect(record.removal?.startedAt).toBe(1);
  });

  test('knows a tag by every name and by its id, as long as it lives', () => {
    const { tags } = kept();
    const record = tags.intend('old');
    expect(tags.named('old')).toBe(record);
    expect(tags.living('1')).toBeUndefined();
    tags.made(record, '1');
    expect(tags.living('1')).toBe(record);
    tags.renaming('1', 'new');
    expect(tags.named('old')).toBe(record);
    expect(tags.named('new')).toBe(record);
    tags.removed(record);
    expect(tags.living('1')).toBeUndefined();
  });

  test('gives each tag a key of its own, in the order of the intents', () => {
    const { tags } = kept();
    expect(['a', 'a', 'b'].map((name) => tags.intend(name).key)).toEqual([0, 1, 2]);
    expect(tags.records.map(({ key }) => key)).toEqual([0, 1, 2]);
  });

  test('writes what it knows already once', () => {
    const { tags, lines } = kept();
    const record = tags.intend('a');
    tags.made(record, '1');
    tags.made(record, '1');
    tags.refused(record);
    expect(lines).toHaveLength(2);
    expect(record.state).toBe('alive');
  });

  test('forgets an id that turned out to be somebody else’s', () => {
    const { tags } = kept();
    const record = tags.intend('a');
    tags.made(record, '1');
    tags.disown(record, 'Rent');
    expect(tags.living('1')).toBeUndefined();
    expect(record).toMatchObject({ state: 'intended' });
    expect(record.tagId).toBeUndefined();
  });

  test('remembers the id of a deleted tag whose name was given again', () => {
    const { tags } = kept();
    const record = tags.intend('a');
    tags.made(record, '1');
    tags.refused(tags.intend('a'));
    tags.removed(record);
    expect(tags.wasDeleted('1', 'a')).toBe(true);
    expect(tags.wasDeleted('1', 'b')).toBe(false);
  });

  test('are looked for after their delete where no other tag can be taken for them', () => {
    const { tags } = kept();
    const one = tags.intend('a');
    tags.made(one, '1');
    const copy = tags.copied(one, 'a');
    tags.made(copy, '2');
    const other = tags.intend('b');
    tags.made(other, '3');
    tags.removed(one);
    expect(tags.deleted.unconfirmedDeleted(tags.records)).toBeUndefined();
    tags.removed(other);
    expect(tags.deleted.unconfirmedDeleted(tags.records)).toBe(other);
    tags.removed(copy);
    expect(tags.deleted.unconfirmedDeleted(tags.records)).toBe(one);
  });

  test('tell that a tag_id was given again only after the delete of the tag that had it', () => {
    const { tags } = kept();
    const one = tags.intend('a');
    tags.made(one, '1');
    tags.gaveId('1');
    expect(tags.deleted.givesIdsAgain).toBe(false);
    tags.removed(one);
    tags.gaveId('2');
    expect(tags.deleted.givesIdsAgain).toBe(false);
    tags.made(tags.intend('b'), '1');
    expect(tags.deleted.givesIdsAgain).toBe(true);
    expect(tags.deleted.fillsGaps).toBe(false);
  });

  test('tell that a gap was filled where a higher tag_id was in use when the create was sent', () => {
    const { tags } = kept();
    const make = (id: string, record = tags.intend(id)): TagRecord => {
      tags.made(record, id);
      return record;
    };
    const [one, two] = [make('1'), make('2')];
    tags.removed(two);
    const late = tags.intend('late');
    make('10');
    make('2', late);
    expect(tags.deleted.fillsGaps).toBe(false);
    tags.removed(one);
    expect(tags.deleted.fillsGaps).toBe(false);
    make('1');
    expect(tags.deleted.fillsGaps).toBe(true);
  });

  test('that were deleted are gone for the ledger once a list no longer shows them', () => {
    const { tags, lines } = kept();
    const [one, other] = ['a', 'b'].map((name) => tags.intend(name));
    for (const [record, id] of [
      [one, '1'],
      [other, '2'],
    ] as const) {
      if (record === undefined) throw new Error('there is no such tag');
      tags.made(record, id);
      tags.removed(record);
    }
    expect(lines.filter((line) => (line as { event: string }).event === 'removed')).toEqual([]);
    tags.absent(
      ({ tagId }) => tagId === '2',
      ({ names }) => [...names],
    );
    expect(lines.at(-1)).toEqual({ event: 'removed', key: 0, tag_id: '1' });
  });

  test('are gone only where lists no longer show them by any name that they were given', () => {
    const { tags } = kept();
    const record = tags.intend('first', 'second');
    tags.made(record, '1');
    tags.removed(record);
    const isNotShownAs = (...names: string[]): void =>
      tags.absent(
        () => false,
        () => names,
      );
    isNotShownAs('second');
    expect(tags.deleted.hasSeenDeletesWork).toBe(false);
    isNotShownAs('first');
    expect(tags.deleted.hasSeenDeletesWork).toBe(true);
  });

  test('count as left on the target until one of them has been seen to go', () => {
    const { session } = sessionWith(new FakeTarget());
    const { tags } = session.first;
    const records = ['a', 'b', 'c'].map((name) => tags.intend(name));
    for (const [at, record] of records.entries()) {
      tags.made(record, String(at));
      tags.removed(record);
    }
    expect(session.mayBeLeft).toBe(3);
    tags.absent(
      () => false,
      ({ tagId, names }) => (tagId === '0' ? [...names] : []),
    );
    expect(session.mayBeLeft).toBe(0);
  });

  test('count as left at each moment from the create on', async () => {
    const target = new FakeTarget();
    const { session } = sessionWith(target);
    const { first, names } = session;
    const { record } = await first.create({ name: 'Rent' }, ['Rent']);
    await first.list();
    await first.remove(record);
    await first.list();
    expect([session.deletesWork, session.mayBeLeft]).toEqual([true, 0]);
    target.instead = ({ method }) => (method === 'POST' ? answerOf(200, {}) : undefined);
    const name = names.plain();
    const creating = { isDone: false };
    const made = first.create({ name }, [name]).finally(() => (creating.isDone = true));
    const counts: number[] = [];
    while (!creating.isDone) {
      counts.push(session.mayBeLeft);
      await Promise.resolve();
    }
    await made;
    expect(counts.slice(counts.indexOf(1))).not.toContain(0);
    expect(counts.at(-1)).toBe(1);
  });
});
