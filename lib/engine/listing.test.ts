import { describe, expect, test } from 'vitest';
import { answerOf, exchangeOf, failure } from '../http/exchange.test.double.ts';
import { Ledger, noPage } from './ledger.ts';
import { createdIn, listedIn, Ownership, type Listed } from './listing.ts';
import { Names } from './names.ts';
import { FakeTarget, sessionWith } from './session.test.double.ts';

describe('the tags in the answer to a list', () => {
  test.each([
    ['as they stand there', [{ tag_id: 'a', name: 'x' }], [{ tagId: 'a', name: 'x' }]],
    ['with numbers for ids too', [{ tag_id: 7, name: 'x' }], [{ tagId: '7', name: 'x' }]],
    ['with names of any kind', [{ tag_id: 'a' }], [{ tagId: 'a', name: undefined }]],
    ['without what is no tag', [null, 'a', {}, { tag_id: '' }, { tag_id: null }, []], []],
  ])('are read %s', (_how, tagging, expected) => {
    expect(listedIn(exchangeOf(answerOf(200, { tagging })))).toEqual(expected);
  });

  test.each([
    ['it was refused', answerOf(401, { tagging: [] })],
    ['there is none', failure()],
    ['it is no JSON', answerOf(200, '<html>')],
    ['it is null', answerOf(200, 'null')],
    ['it is another form', answerOf(200, { tagging: {} })],
    ['it is a bare array', answerOf(200, [])],
  ])('are not read where %s', (_what, came) => {
    expect(listedIn(exchangeOf(came))).toBeUndefined();
  });
});

describe('the tag in the answer to a create', () => {
  test.each([
    ['is read', answerOf(200, { tagging: { tag_id: 7, name: 'x' } }), { tagId: '7', name: 'x' }],
    ['is read whatever the success', answerOf(201, { tagging: { tag_id: 'a' } }), { tagId: 'a' }],
    ['is not read from a refusal', answerOf(422, { tagging: { tag_id: 'a', name: 'x' } }), undefined],
    ['is not read without an id', answerOf(200, { tagging: { name: 'x' } }), undefined],
    ['is not read from another form', answerOf(200, { tag_id: 'a', name: 'x' }), undefined],
  ])('%s', (_what, came, expected) => {
    expect(createdIn(exchangeOf(came))).toEqual(expected);
  });
});

describe('ownership', () => {
  /** An ownership with one name of the run, whose create is under way. */
  function made(): {
    ownership: Ownership;
    ledger: Ledger;
    record: ReturnType<Ledger['intend']>;
    name: string;
  } {
    const [names, ledger] = [new Names('seed'), new Ledger(noPage)];
    const name = names.plain('x');
    return { ownership: new Ownership(ledger, names), ledger, record: ledger.intend(name), name };
  }
  const listed = (...pairs: [string, unknown][]): Listed[] => pairs.map(([tagId, name]) => ({ tagId, name }));

  test('knows a tag in capitals that the run gave it, also before the answer to its create', () => {
    const { ownership, ledger, name } = made();
    const capitals = ledger.intend(name.toUpperCase());
    ownership.learn([{ tagId: '7', name: name.toUpperCase() }]);
    expect(ownership.isStranger('7')).toBe(false);
    expect(capitals).toMatchObject({ tagId: '7', seen: true });
  });

  test('of a listed tag follows from a name that only the run can have given', () => {
    const { ownership, record, name } = made();
    ownership.learn(listed(['1', name], ['2', 'Rent'], ['3', null]));
    expect(record).toMatchObject({ tagId: '1', seen: true, state: 'alive' });
    expect(['1', '2', '3'].map((id) => ownership.isStranger(id))).toEqual([false, true, true]);
  });

  test('is never of what was there before the run made anything, under whichever name', () => {
    const names = new Names('seed');
    const ledger = new Ledger(noPage);
    const ownership = new Ownership(ledger, names);
    const name = names.plain('x');
    ownership.learn(listed(['1', name]));
    const record = ledger.intend(name);
    ownership.learn(listed(['1', name], ['2', name]));
    expect(ownership.isStranger('1')).toBe(true);
    expect(record).toMatchObject({ tagId: '2', seen: true });
  });

  test('is never of a stranger, whatever the target says of it later', () => {
    const { ownership, record, name } = made();
    ownership.learn(listed(['1', 'Rent']));
    ownership.adopt(record, { tagId: '1', name });
    ownership.learn(listed(['1', name]));
    expect(ownership.isStranger('1')).toBe(true);
    expect(record).toMatchObject({ state: 'pending', seen: false });
  });

  test('is not believed from the answer to a create alone', () => {
    const { ownership, record, name } = made();
    ownership.adopt(record, { tagId: '1', name });
    expect(record).toMatchObject({ tagId: '1', state: 'alive', seen: false });
    ownership.learn(listed(['1', 'Rent']));
    expect(record).toMatchObject({ state: 'pending', seen: false });
    expect(ownership.isStranger('1')).toBe(true);
  });

  test('is not believed from an answer that gives the name of a stranger either', () => {
    const { ownership, record } = made();
    ownership.adopt(record, { tagId: '1', name: 'Rent' });
    ownership.learn(listed(['1', 'Rent']));
    expect(record.seen).toBe(false);
    expect(ownership.isStranger('1')).toBe(true);
  });

  test('follows from the letters of a name, too, where its create was not answered', () => {
    const { ownership, record, name } = made();
    const kept = `${name.toUpperCase()}\uFFFD`;
    ownership.learn(listed(['1', kept], ['2', `x${name}`]));
    expect(record).toMatchObject({ tagId: '1', seen: true, state: 'alive' });
    expect([...record.names]).toEqual([name, kept]);
    expect(ownership.isStranger('2')).toBe(true);
  });

  test('once seen outlasts a change of the name', () => {
    const { ownership, record, name } = made();
    ownership.learn(listed(['1', name]));
    ownership.learn(listed(['1', 'renamed by somebody']));
    expect(record).toMatchObject({ tagId: '1', seen: true, state: 'alive' });
    expect(ownership.isStranger('1')).toBe(false);
  });

  test('holds for both of two tags that one create made', () => {
    const { ownership, ledger, record, name } = made();
    ownership.learn(listed(['1', name], ['2', name]));
    expect(record).toMatchObject({ tagId: '1', seen: true });
    expect(ledger.records).toHaveLength(2);
    expect(ledger.living('2')).toMatchObject({ seen: true });
    ownership.learn(listed(['1', name], ['2', name]));
    expect(ledger.records).toHaveLength(2);
  });

  test('is not regained by a deleted tag that an older list still shows', () => {
    const { ledger, ownership, name, record: first } = made();
    const twin = ledger.intend(name);
    ownership.adopt(first, { tagId: '1', name });
    ownership.adopt(twin, { tagId: '2', name });
    ledger.removed(first);
    ownership.learn(listed(['1', name], ['2', name]));
    expect(ledger.records).toHaveLength(2);
    expect(ledger.living('1')).toBeUndefined();
    expect(ledger.living('2')).toBe(twin);
  });

  test('passes on to another tag that is given the id of a removed one', () => {
    const { ownership, ledger, record, name } = made();
    ownership.learn(listed(['1', name]));
    ledger.removed(record);
    ownership.learn(listed(['1', 'Rent']));
    expect(ownership.isStranger('1')).toBe(true);
  });
});

describe('a session', () => {
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
    if (lists) await session.list();
    const name = session.names.plain('x');
    const { record } = await session.create({ name }, name);
    await session.remove(record);
    expect(target.lines.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    expect(target.tags).toEqual(new Map(Object.entries(RENT)));
  });

  test.each([
    ['the tag is still there', false],
    ['the tag is gone', true],
  ])('asks again for a delete whose connection broke, where %s', async (_what, isCarriedOut) => {
    const target = new FakeTarget(RENT);
    let deletes = 0;
    target.instead = ({ method, path }) => {
      if (method !== 'DELETE' || ++deletes > 1) return undefined;
      if (isCarriedOut) target.tags.delete(path.split('/').at(-1) ?? '');
      return failure('closed');
    };
    const { session } = sessionWith(target);
    const name = session.names.plain('x');
    const { record } = await session.create({ name }, name);
    await session.remove(record);
    // Somebody else could have been given the id of a tag that is gone.
    expect(deletes).toBe(isCarriedOut ? 1 : 2);
    expect(record.state).toBe('removed');
    expect(target.tags).toEqual(new Map(Object.entries(RENT)));
  });

  test('removes a tag whose create was answered with an error', async () => {
    const target = new FakeTarget(RENT);
    target.instead = ({ method }, name) => {
      if (method !== 'POST' || name === undefined) return undefined;
      target.make(name);
      return answerOf(500);
    };
    const { session } = sessionWith(target);
    const name = session.names.plain('x');
    const { record } = await session.create({ name }, name);
    expect(target.tags.size).toBe(2);
    await session.remove(record);
    expect(target.tags).toEqual(new Map(Object.entries(RENT)));
  });
});
