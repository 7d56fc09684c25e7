import { describe, expect, test } from 'vitest';
import { compare, equal, init, step, type Account, type Done, type Known } from './model.ts';

const UNKNOWN: Known = { sameNameTwice: undefined };

/** The account after these, none of which is answered wrongly. */
function after(...all: readonly Done[]): Account {
  return all.reduce((account, done) => {
    const next = step(account, done, UNKNOWN);
    expect(next.wrong).toBeUndefined();
    return next.account;
  }, init);
}

const create = (name: string, tagId: string): Done => ({ do: 'create', name, status: 200, tagId });
const rename = (tagId: string, name: string, status = 200): Done => ({ do: 'rename', tagId, name, status });
const remove = (tagId: string, status = 200): Done => ({ do: 'delete', tagId, status });
const wrongOf = (account: Account, done: Done, known = UNKNOWN): string | undefined =>
  step(account, done, known).wrong;

const one = after(create('a', '1'));
const gone = after(create('a', '1'), remove('1'));

describe('what an operation leaves', () => {
  test('is a tag, under its last name', () => {
    expect(after(create('a', '1'), rename('1', 'b'), rename('1', 'a')).tags).toEqual(new Map([['1', 'a']]));
  });

  test('is nothing where it was refused', () => {
    expect(
      equal(
        after(create('a', '1'), create('b', '2'), rename('1', 'b', 409)),
        after(create('a', '1'), create('b', '2')),
      ),
    ).toBe(true);
  });

  test('is no tag after a delete, and one again where the id comes again', () => {
    expect(gone.tags.size).toBe(0);
    expect(after(create('a', '1'), remove('1'), create('b', '1')).tags).toEqual(new Map([['1', 'b']]));
  });

  test('never changes the account before', () => {
    step(one, remove('1'), UNKNOWN);
    expect(one.tags).toEqual(new Map([['1', 'a']]));
  });
});

describe('an answer is wrong', () => {
  test('that refuses a name which no tag had', () => {
    expect(wrongOf(init, { do: 'create', name: 'a', status: 422 })).toContain('answered 422');
    expect(wrongOf(one, rename('1', 'b', 422))).toContain('the name is free');
  });

  test('that refuses the way back to a name of its own', () => {
    expect(wrongOf(after(create('a', '1'), rename('1', 'b')), rename('1', 'a', 409))).toContain(
      'answered 409',
    );
  });

  test('that gives an id twice', () => {
    expect(wrongOf(one, create('b', '1'))).toContain('named "a"');
    expect(wrongOf(one, create('a', '1'), { sameNameTwice: true })).toContain('named "a"');
  });

  test('that refuses to delete what is there, or deletes it twice', () => {
    expect(wrongOf(one, remove('1', 500))).toContain('answered 500');
    expect(wrongOf(gone, remove('1'))).toContain('answered 200, not 404');
    expect(wrongOf(gone, remove('1', 410))).toContain('answered 410, not 404');
  });
});

describe('left open', () => {
  test.each<[string, Account, Done]>([
    ['a create of a name that is taken', one, { do: 'create', name: 'a', status: 422 }],
    ['a create answered with the tag that has the name', one, create('a', '1')],
    ['a create of a name whose tag is gone', gone, { do: 'create', name: 'a', status: 409 }],
    ['a rename to the same name', one, rename('1', 'a', 422)],
    ['a rename to a name that was taken', after(create('a', '1'), create('b', '2')), rename('2', 'a', 409)],
    ['a rename of what is gone', gone, rename('1', 'b', 404)],
  ])('%s', (_, account, done) => {
    const next = step(account, done, UNKNOWN);
    expect(next.wrong).toBeUndefined();
    expect(equal(next.account, account)).toBe(true);
  });

  test('whether a rename that was confirmed has made what was gone', () => {
    const doubtful = after(create('a', '1'), remove('1'), rename('1', 'b'));
    expect(compare(doubtful, [], new Set(['a', 'b']))).toEqual({ missing: [] });
    expect(compare(doubtful, [{ tagId: '1', name: 'b' }], new Set(['a', 'b']))).toEqual({
      missing: [],
    });
    expect(wrongOf(doubtful, remove('1', 200))).toBeUndefined();
    expect(wrongOf(doubtful, remove('1', 404))).toBeUndefined();
  });
});

describe('a list is compared', () => {
  const names = new Set(['a', 'b']);
  const two = after(create('a', '1'), create('b', '2'));

  test('and agrees, also beside tags of strangers', () => {
    const shown = [
      { tagId: '1', name: 'a' },
      { tagId: '2', name: 'b' },
      { tagId: '9', name: 'groceries' },
    ];
    expect(compare(two, shown, names)).toEqual({ missing: [] });
  });

  test('and lacks what it should show', () => {
    expect(compare(two, [{ tagId: '1', name: 'a' }], names).missing).toEqual([{ tagId: '2', name: 'b' }]);
    expect(compare(two, [{ tagId: '1', name: 'a' }], names, 'a').missing).toEqual([]);
  });

  test('and shows another name, one that is gone, one that nobody made', () => {
    expect(compare(one, [{ tagId: '1', name: 'b' }], names).wrong).toContain('"a" as "b"');
    expect(compare(gone, [{ tagId: '1', name: 'a' }], names).wrong).toContain('that was deleted');
    expect(compare(one, [{ tagId: '7', name: 'b' }], names).wrong).toContain('that nobody made');
  });

  test('and an id that is given to somebody else by now is no fault', () => {
    expect(compare(gone, [{ tagId: '1', name: 'groceries' }], names)).toEqual({ missing: [] });
  });
});
