import { describe, expect, test } from 'vitest';
import { answerOf, failure } from '../http/exchange.test.double.ts';
import { FakeTarget, PASSWORD, sessionWith } from '../run/session.test.double.ts';
import type { Leftover } from './leftovers.ts';
import { sweep, type Swept } from './sweep.ts';

const NAME = 'ctabcdefghijkl';

const sweepAll = (target: FakeTarget, leftovers: readonly Leftover[]): Promise<Swept[]> => {
  const { session } = sessionWith(target);
  return sweep(session.first, leftovers, session, [PASSWORD]);
};

/** Sweeps one tag with this id and these names; returns what became of it and what was deleted. */
async function swept(
  target: FakeTarget,
  tagId: string | undefined,
  ...names: readonly string[]
): Promise<{ fate: string; deleted: string[] }> {
  const [one] = await sweepAll(target, [{ account: 'first', tagId, names: new Set(names) }]);
  return {
    fate: one?.fate ?? '',
    deleted: target.lines.filter((line) => line.startsWith('DELETE')).map((line) => line.slice(23)),
  };
}

describe('a sweep', () => {
  test('removes a tag that has the id and a name of the ledger', async () => {
    const target = new FakeTarget({ '7': NAME, '8': 'groceries' });
    expect(await swept(target, '7', 'other', NAME)).toEqual({ fate: 'removed', deleted: ['7'] });
    expect([...target.tags.keys()]).toEqual(['8']);
  });

  test.each(['wkxkwxkxwxkwxk', 'WKXKWXKXWXKWXK'])(
    'removes a tag whose id is not known, and which has no other letters than those of %j',
    async (name) => {
      const target = new FakeTarget({ '7': name, '8': 'groceries' });
      expect(await swept(target, undefined, 'wkxkwxkxwxkwxk', name)).toEqual({
        fate: 'removed',
        deleted: ['7'],
      });
      expect([...target.tags.keys()]).toEqual(['8']);
    },
  );

  test.each([
    ['whose name is another by now', { '7': 'groceries' }, '7', NAME],
    ['whose id another tag of that name has', { '8': NAME }, '7', NAME],
    ['that is not there', {}, '7', NAME],
  ])('leaves alone a tag %s', async (_what, tags: Record<string, string>, id, name) => {
    const target = new FakeTarget(tags);
    expect(await swept(target, id, name)).toEqual({ fate: 'gone', deleted: [] });
    expect([...target.tags]).toEqual(Object.entries(tags));
  });

  test.each(['null', 'ctABCDEFGHIJKL'])(
    'leaves alone a tag whose id is not known and whose name %j anybody may give, and says so',
    async (name) => {
      const target = new FakeTarget({ '7': name });
      expect(await swept(target, undefined, name)).toEqual({ fate: 'left', deleted: [] });
      expect(await swept(new FakeTarget(), undefined, name)).toEqual({ fate: 'gone', deleted: [] });
    },
  );

  test.each([
    ['a name', '7', PASSWORD.reveal(), '7', '$PASSWORD'],
    ['a part of a name', '7', `a ${PASSWORD.reveal()} b`, '7', 'a $PASSWORD b'],
    ['an encoded form of a name', '7', Buffer.from(PASSWORD.reveal()).toString('base64'), '7', '$PASSWORD'],
    ['a tag_id', `x-${PASSWORD.reveal()}`, NAME, 'x-$PASSWORD', NAME],
  ])('removes a tag of which the ledger holds %s without the password', async (_what, id, name, ...kept) => {
    const target = new FakeTarget({ [id]: name, '8': 'groceries' });
    const [tagId, masked] = kept;
    expect(await swept(target, tagId, masked)).toMatchObject({ fate: 'removed' });
    expect([...target.tags.keys()]).toEqual(['8']);
  });

  test('finds a tag without the password in the ledger also where the list is a page', async () => {
    const target = new FakeTarget({ '7': PASSWORD.reveal() });
    target.instead = ({ method, path }) =>
      method === 'GET' && !path.includes('?') ? target.listing([]) : undefined;
    expect(await swept(target, '7', '$PASSWORD')).toEqual({ fate: 'removed', deleted: ['7'] });
  });

  test('removes a tag whose id the run did not learn, by a name that only it gave', async () => {
    const target = new FakeTarget({ '7': NAME, '8': `${NAME}x` });
    expect(await swept(target, undefined, NAME)).toEqual({ fate: 'removed', deleted: ['7'] });
  });

  test.each([
    [`${NAME}  j`, `${NAME} j`],
    [`É${NAME.toUpperCase()}`, `é${NAME}`],
    [`(${NAME})`, `(${NAME})`],
  ])('removes a tag whose id the run did not learn, and whose name %j is kept as %j', async (name, kept) => {
    const target = new FakeTarget({ '7': kept });
    target.instead = ({ method }) => (method === 'GET' ? target.listing() : undefined);
    expect(await swept(target, undefined, name)).toEqual({ fate: 'removed', deleted: ['7'] });
  });

  test('leaves a tag alone that the filter finds by a number which others may know, and does not call it gone', async () => {
    const target = new FakeTarget({ '7': '0x305098094' });
    target.instead = ({ method }) => (method === 'GET' ? target.listing() : undefined);
    expect(await swept(target, undefined, '0X305098094')).toEqual({ fate: 'left', deleted: [] });
  });

  test.each([
    ['gone where it was listed before the run gave the name', ['7'], 'gone'],
    ['left where it was not', ['8'], 'left'],
  ])('calls a tag of a name that anybody may give %s', async (_what, strange, fate) => {
    const target = new FakeTarget({ '7': 'null' });
    const leftover = { account: 'first', tagId: undefined, names: new Set(['null']) } as const;
    const [one] = await sweepAll(target, [{ ...leftover, strange: new Set(strange) }]);
    expect(one?.fate).toBe(fate);
    expect([...target.tags.keys()]).toEqual(['7']);
  });

  test('removes one by one what the target refuses to remove beside others', async () => {
    const names = ['a', 'b', 'c', 'd'].map((letter) => NAME.replace(/.$/, letter));
    const target = new FakeTarget(Object.fromEntries(names.map((name, at) => [String(at), name])));
    let refusals = 0;
    target.instead = ({ method }) =>
      method === 'DELETE' && refusals++ < 12 ? answerOf(500, { message: 'locked' }) : undefined;
    const leftovers = names.map(
      (name, at) => ({ account: 'first', tagId: String(at), names: new Set([name]) }) as const,
    );
    expect((await sweepAll(target, leftovers)).map(({ fate }) => fate)).toEqual(names.map(() => 'removed'));
  });

  test('removes all tags of that name, where the run gave it more than once', async () => {
    const target = new FakeTarget({ '7': NAME, '8': NAME });
    const leftovers = ['7', undefined].map(
      (tagId) => ({ account: 'first', tagId, names: new Set([NAME]) }) as const,
    );
    await sweepAll(target, leftovers);
    expect(target.tags.size).toBe(0);
  });

  test('says what it could not remove, and why', async () => {
    const target = new FakeTarget({ '7': NAME });
    target.instead = ({ method }) => (method === 'DELETE' ? answerOf(500) : undefined);
    const leftover = { account: 'first', tagId: '7', names: new Set([NAME]) } as const;
    expect(await sweepAll(target, [leftover])).toEqual([
      { leftover, fate: 'left', why: 'it was deleted, but is still listed' },
    ]);
  });

  test('says so where the target cannot be reached', async () => {
    const target = new FakeTarget();
    target.instead = () => failure('unreachable');
    expect((await swept(target, '7', NAME)).fate).toBe('left');
  });
});
